// The page of each operation names its method in the clients: the one that their generated files have.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleReference } from '../support/pages/reference';

const text = (file: string) => readFileSync(join(__dirname, '../../clients', file), 'utf8');
const operations = exampleReference('https://api.example.com').groups.flatMap((group) => group.operations);
const callOf = (method: string, path: string) => `${method.toUpperCase()} ${path}`;

/** By method and path. */
function typescript(): Record<string, string> {
  const table = text('typescript/src/generated/operations.ts');
  const groups = table.split(/^ {2}(?=\w+: \{$)/m).slice(1);
  return Object.fromEntries(
    groups.flatMap((group) =>
      [...group.matchAll(/^ {4}(\w+): \{ method: '(\w+)', path: '([^']+)'/gm)].map(([, name, method, path]) => [
        callOf(method!, path!),
        `client.${/^\w+/.exec(group)![0]}.${name}`,
      ]),
    ),
  );
}

function python(): Record<string, string> {
  const source = text('python/src/racing_odds_client/generated/groups.py');
  const attributes = new Map(
    [...source.matchAll(/self\.(\w+) = (\w+)\(caller\)/g)].map(([, own, name]) => [name, own]),
  );
  const methods = source
    .split(/^class (?=\w+\(Group\))/m)
    .slice(1)
    .flatMap((group) => {
      const owner = attributes.get(/^\w+/.exec(group)![0]);
      return group
        .split(/^ {4}def /m)
        .slice(1)
        .map((method) => [owner, /^\w+/.exec(method)![0], /`([A-Z]+)\s+(\/[^`]+)`/.exec(method)] as const);
    });
  return Object.fromEntries(
    methods.flatMap(([owner, name, call]) => (call ? [[callOf(call[1]!, call[2]!), `client.${owner}.${name}`]] : [])),
  );
}

test.each([
  ['typescript', typescript()],
  ['python', python()],
] as const)('every method of the client in %s is on the page of its operation, and no other is', (client, methods) => {
  expect(Object.keys(methods).length).toBeGreaterThan(60);
  const shown = operations.flatMap(({ method, path, clientCalls }) =>
    clientCalls ? [[callOf(method, path), clientCalls[client]] as const] : [],
  );
  expect(Object.fromEntries(shown)).toEqual({
    ...methods,
    'GET /v1/racing/changes/stream': 'client.follow',
    'GET /v1/racing/replay': 'client.replay',
  });
});

test('the streams are methods of both clients themselves', () => {
  for (const name of ['follow', 'replay']) {
    expect(text('python/src/racing_odds_client/client.py')).toMatch(new RegExp(`^    def ${name}\\(`, 'm'));
    expect(text('typescript/src/client.ts')).toMatch(new RegExp(`^  (?:async \\*)?${name}\\(`, 'm'));
  }
});
