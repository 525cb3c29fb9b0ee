// The image has every file that a program reads unchanged from the checkout: without one its page fails in production
// alone. It starts programs as benches do.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { GUIDES, NOTEBOOK } from '../../../src/web/guides/guides';

const { DEPLOYED_NODE, DEPLOYED_ENVIRONMENT } = require('../../../scripts/app/lean-memory.mjs') as {
  readonly DEPLOYED_NODE: readonly string[];
  readonly DEPLOYED_ENVIRONMENT: Readonly<Record<string, string>>;
};

const root = join(__dirname, '../../..');
const lines = (file: string) => readFileSync(join(root, file), 'utf8').split('\n');
const isBelow = (path: string, folders: readonly string[]) =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** Where the last stage copies files of the checkout to: each keeps its path. */
const copied = lines('Dockerfile')
  .slice(lines('Dockerfile').findLastIndex((line) => line.startsWith('FROM ')))
  .filter((line) => line.startsWith('COPY ') && !line.startsWith('COPY --from'))
  .flatMap((line) => {
    const paths = line.split(' ').slice(1);
    const into = paths.pop()!;
    return paths.map((path) => (into.endsWith('/') ? posix.join(into, posix.basename(path)) : into));
  });

const sent = lines('.dockerignore')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));

/** Named in the sources; the workflow bundle is built in the image. */
const named = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => [...readFileSync(join(root, 'src', file), 'utf8').matchAll(/join\(ROOT, '([^']+)'/g)])
  .map(([, path]) => path!)
  .filter((path) => path !== 'docs' && !path.startsWith('.local/'));

const read = [...named, ...[...GUIDES, NOTEBOOK].map(({ file }) => posix.join('docs', file))];

test('the image gets every file of the checkout that a program reads, the guides too', () => {
  expect(read).toEqual(expect.arrayContaining(['CHANGELOG.md', 'migrations', 'docs/contract', 'docs/stream.md']));
  expect(read.filter((path) => !isBelow(path, copied))).toEqual([]);
  expect(read.filter((path) => !isBelow(path, sent))).toEqual([]);
});

test('a program of the image keeps no more for garbage than those that are measured', () => {
  const last = (start: string) => lines('Dockerfile').findLast((line) => line.startsWith(start)) ?? '';
  expect(JSON.parse(last('ENTRYPOINT ').slice('ENTRYPOINT '.length))).toEqual(['node', ...DEPLOYED_NODE]);
  const set = last('ENV ').split(' ').slice(1);
  expect(Object.fromEntries(set.map((one) => one.split('=')))).toEqual(DEPLOYED_ENVIRONMENT);
});

test('no API and no worker has an entry point of its own, which would leave these out', () => {
  const deployed = ['deploy/kubernetes/api.yaml', 'deploy/kubernetes/workers/workers.yaml'].flatMap(lines);
  expect(deployed.filter((line) => /^ +args: \[dist\/(api|workers)\/main\.js\]$/.test(line))).toHaveLength(6);
  expect(deployed.filter((line) => /^ +command:/.test(line))).toEqual([]);
  const [shared = '', ...rest] = lines('docker-compose.yml').join('\n').split('\nservices:\n');
  expect(shared).toContain('x-app: &app\n');
  expect(shared).not.toContain('entrypoint:');
  const [, ...services] = `\n${rest.join()}`.split(/\n {2}(?=worker:\n|api:\n)/);
  for (const service of services) expect(service.split(/\n {2}(?=\S)/)[0]).not.toContain('entrypoint:');
  expect(services).toHaveLength(2);
});
