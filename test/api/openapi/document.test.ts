import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Type } from '@sinclair/typebox';
import { dump } from 'js-yaml';
import { parse } from 'yaml';
import type { Endpoint } from '../../../src/api/kernel/endpoint/endpoint';
import { openApiDocument } from '../../../src/api/openapi/document';
import { wire } from '../../../src/api/openapi/schema';
import { inTurns, yamlParts } from '../../../src/api/openapi/yaml';
import { ENDPOINTS } from '../../../src/api/operations';
import { count, named, nullable, oneOf } from '../../../src/api/wire/vocabulary';
import { ACCOUNT_EVENT_KINDS } from '../../../src/domain/events/account-event';
import { EVENT_KINDS } from '../../../src/domain/events/event';
import { PROBLEMS } from '../../../src/errors';
import type { Reads } from '../../../src/store/reads/reads';
import { memoryKeys, startApi } from '../../support/api/api';
import { ensureTypeScript5 } from '../../support/clients/tools';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, read freely.
type Json = any;
const document: Json = openApiDocument(ENDPOINTS, 'https://api.racing.test');
const operations = Object.entries<Record<string, Json>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test('declares OpenAPI 3.1.0 and version 0.1.0 (A 9)', () => {
  expect([document.openapi, document.info.version]).toEqual(['3.1.0', '0.1.0']);
});

test('has exactly the operations that are mounted', () => {
  const listed = operations.map(({ path, method, operation }) => `${method} ${path} ${operation.operationId}`);
  expect(listed).toEqual(ENDPOINTS.map((one) => `${one.method} ${one.path} ${one.operationId}`));
});

test('states each operation’s cost as text and as `x-credits`: a number, or the rule if it depends on the request', () => {
  for (const { operation } of operations) {
    const [, text, number] = /Cost: ((\d+) credits?\b.*)\./.exec(operation.description)!;
    const credits = operation['x-credits'];
    expect(credits).toEqual(typeof credits === 'number' ? Number(number) : { text });
  }
  expect(operations.find(({ operation }) => operation.operationId === 'next_to_go')!.operation['x-credits']).toEqual({
    text: expect.stringContaining('up to 20 races'),
  });
});

test('every response to an accepted key declares the cost, and the balance unless the service failed (D6)', () => {
  for (const { operation } of operations.filter((one) => one.operation['x-credits'] !== 0)) {
    const declares = (header: string) => (status: string) => header in (operation.responses[status].headers ?? {});
    const statuses = Object.keys(operation.responses);
    expect(statuses.filter((status) => !declares('X-Credits-Cost')(status))).toEqual(['401']);
    expect(statuses.filter(declares('X-Credits-Remaining'))).toEqual(statuses.filter((one) => !/401|5\d\d/.test(one)));
  }
});

const SCHEMES: Readonly<Record<Endpoint['auth'], readonly string[]>> = {
  key: ['ApiKeyAuth'],
  primary_key: ['ApiKeyAuth'],
  internal: ['ApiKeyAuth'],
  session: ['Session'],
  session_or_key: ['Session', 'ApiKeyAuth'],
  signed_link: [],
  none: [],
};

test('keyed operations may answer 401; open ones declare that they need no key', () => {
  for (const one of ENDPOINTS) {
    const { operation } = operations.find(({ operation: o }) => o.operationId === one.operationId)!;
    expect(Object.keys(operation.responses)).toEqual(
      expect.arrayContaining([String(one.ok.status ?? 200), '422', '500']),
    );
    expect('304' in operation.responses).toBe(
      one.method === 'get' && !one.neverCached && !one.ofAccount && !one.sendsEvents,
    );
    const schemes = operation.security.flatMap((scheme: object) => Object.keys(scheme));
    expect(schemes).toEqual(SCHEMES[one.auth]);
    expect('401' in operation.responses).toBe(schemes.length > 0 || one.errors?.includes('unauthorized') === true);
  }
});

test('lists are one comma-joined value', () => {
  const arrays = operations
    .flatMap(({ operation }) => operation.parameters)
    .filter((p: Json) => p.schema.type === 'array');
  expect(arrays.length).toBeGreaterThan(0);
  for (const one of arrays) expect(one).toMatchObject({ style: 'form', explode: false });
});

test('the text of a parameter names no parameter that its operation lacks', () => {
  const all = new Set(operations.flatMap(({ operation }) => operation.parameters.map((p: Json) => p.name)));
  const strangers = operations.flatMap(({ operation }) => {
    const own = operation.parameters.map((p: Json) => p.name);
    return operation.parameters.flatMap((p: Json) =>
      [...p.description.matchAll(/`([a-z_]+)`/g)]
        .map(([, name]) => name)
        .filter((name) => all.has(name) && !own.includes(name))
        .map((name) => `${operation.operationId} ${p.name}: ${name}`),
    );
  });
  expect(strangers).toEqual([]);
});

test('no internal keyword remains in it except the credits', () => {
  const keywords = JSON.stringify(document).match(/"x-[a-z-]+":/g)!;
  expect(new Set(keywords)).toEqual(new Set(['"x-credits":']));
  expect(keywords).toHaveLength(operations.length);
});

test('the schema of problems knows every code', () => {
  expect(document.components.schemas.ProblemCode.enum).toEqual(Object.keys(PROBLEMS));
});

test('every object has a name, so that a generated client has a type for it', () => {
  const nameless: string[] = [];
  const look = (node: Json, at: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const isNamed = /^\/components\/schemas\/\w+$/.test(at);
    if (node.type === 'object' && node.properties && !isNamed) nameless.push(at);
    for (const [key, member] of Object.entries(node)) look(member, `${at}/${key}`);
  };
  look(document, '');
  expect(nameless).toEqual([]);
});

test('a set of values that responses and parameters share has one name', () => {
  const places = new Map<string, string[]>();
  const look = (node: Json, at: string): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node.enum)) {
      const values = [...node.enum].sort().join();
      places.set(values, [...(places.get(values) ?? []), at]);
    }
    for (const [key, member] of Object.entries(node)) look(member, `${at}/${key}`);
  };
  look(document.components.schemas, '');
  look(document.paths, '');
  // Before closing lines were served as Parquet these were two sets, and clients know both names.
  const released = ['/ArchiveFormat', '/PathFormat'];
  expect([...places.values()].filter((found) => found.length > 1)).toEqual([released]);
});

test('a parameter keeps its own description and default if its values are a component', () => {
  const { operation } = operations.find(({ operation: one }) => one.operationId === 'consensus')!;
  expect(operation.parameters.find((one: Json) => one.name === 'method')).toEqual({
    name: 'method',
    in: 'query',
    example: 'multiplicative',
    required: false,
    description: 'How each book’s margin is removed.',
    schema: { $ref: '#/components/schemas/Normalisation', default: 'power' },
  });
});

test('an optional member has no default, because generated types would require it', () => {
  const { ClvBet, IngestRace } = document.components.schemas;
  expect([ClvBet.required, IngestRace.required]).toEqual([['price'], expect.not.arrayContaining(['country'])]);
  const withDefault = Object.entries<Json>(document.components.schemas).filter(([, { properties = {} }]) =>
    Object.values<Json>(properties).some((member) => 'default' in member),
  );
  expect(withDefault.map(([name]) => name)).toEqual([]);
});

test('no component has a member with its own name, which a Python client takes for one variable', () => {
  const snake = (name: string) => name.replace(/\B[A-Z]/g, '_$&').toLowerCase();
  const alike = Object.entries<Json>(document.components.schemas).filter(
    ([name, { properties = {} }]) => snake(name) in properties,
  );
  expect(alike.map(([name]) => name)).toEqual([]);
});

describe('webhooks', () => {
  const posts = Object.entries<Json>(document.webhooks).map(([name, { post }]) => ({ name, post }));
  const schemaOf = (name: string) => {
    const { $ref } = document.webhooks[name].post.requestBody.content['application/json'].schema;
    return document.components.schemas[$ref.slice('#/components/schemas/'.length)];
  };

  test('has every kind of event, and the test call, each with its signature headers (D28)', () => {
    const sent = EVENT_KINDS.filter((kind) => kind !== 'market.suspend');
    expect(posts.map(({ name }) => name)).toEqual(expect.arrayContaining([...sent, 'test']));
    expect(posts).toHaveLength(sent.length + 1);
    for (const { post } of posts)
      expect(post.parameters.map((p: Json) => p.name)).toEqual([
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
        'X-Webhook-Signature',
        'X-PuntersEdge-Event',
      ]);
  });

  test('has the members that the contract shows (B 6), and those that every event has (D31)', () => {
    expect(schemaOf('test').required).toEqual(['event', 'test', 'sent_at', 'message']);
    const arb = schemaOf('arb.opportunity');
    expect(arb.required).toEqual(expect.arrayContaining(['sport', 'event_name', 'edge_pct', 'legs']));
    expect(document.components.schemas.ArbLeg.required).toEqual(['bookmaker', 'selection', 'odds']);
    const race = ['race_id', 'venue', 'race_number', 'category', 'country', 'start_time'];
    for (const { name } of posts.filter((one) => one.name !== 'test')) {
      const { required, properties } = schemaOf(name);
      const isOfRace = 'race_id' in properties;
      expect(required).toEqual(
        expect.arrayContaining(['event', 'id', 'occurred_at', 'sequence', ...(isOfRace ? race : [])]),
      );
      const others = ['arb.opportunity', 'arb.corrected', 'backfill.completed', ...ACCOUNT_EVENT_KINDS];
      expect(isOfRace).toBe(!others.includes(name));
      expect(properties.event.enum).toEqual([name]);
    }
  });
});

test('two schemas with one name are refused, so that one is never shown for both', () => {
  const schemas = {};
  wire(named('Twice', Type.String()), schemas);
  expect(() => wire(named('Twice', Type.String()), schemas)).not.toThrow();
  expect(() => wire(named('Twice', Type.Number()), schemas)).toThrow('two schemas are named Twice');
});

test('a map, and a choice or null, use the keywords that generators read', () => {
  expect(wire(Type.Record(Type.String(), count()), {})).toEqual({
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 0 },
  });
  expect(wire(nullable(oneOf(['a', 'b'], { description: 'Which.' })), {})).toEqual({
    description: 'Which.',
    anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }],
  });
});

describe('external rules for a document', () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const run = promisify(execFile);

  test('Redocly’s recommended rules find no error and no warning', async () => {
    const cli = require.resolve('@redocly/cli/bin/cli.js');
    const args = [cli, 'lint', 'openapi.json', '--extends=recommended', '--format=json'];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stdout } = await run(process.execPath, args, { cwd: folder, env }).catch((e) => e);
    const report = JSON.parse(stdout.slice(stdout.indexOf('{')));
    expect(report.problems).toEqual([]);
    expect(report.totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
  });

  test('Spectral’s rules for OpenAPI, except those for examples, find nothing', async () => {
    const program = join(__dirname, '../../support/clients/spectral.mjs');
    const { stdout } = await run(process.execPath, [program, await ensureTypeScript5(), file]);
    expect(JSON.parse(stdout)).toEqual([]);
  });
});

test('the YAML is made in small parts, and other work has its turn after each', async () => {
  const parts = [...yamlParts(document)];
  const whole = dump(document, { noRefs: true, lineWidth: -1 });
  expect(parts.join('')).toBe(whole);
  for (const part of parts) expect(part.length).toBeLessThan(whole.length / 20);
  let turns = 0;
  const immediate = (): unknown => setImmediate(() => ++turns < parts.length && immediate());
  immediate();
  expect(await inTurns(parts)).toBe(whole);
  expect(turns).toBeGreaterThanOrEqual(parts.length - 1);
});

test('is served, with Swagger UI beside it and nothing from other hosts', async () => {
  const api = await startApi({ reads: {} as Reads, keys: memoryKeys() });
  try {
    const served = await api.get('/openapi.json');
    expect(served.body).toEqual(JSON.parse(JSON.stringify(openApiDocument(ENDPOINTS, 'https://api.example.com'))));
    const asYaml = await api.get('/openapi.yaml');
    expect(asYaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
    // By the rules of YAML 1.1, which many readers still follow, and with another library than the one that wrote it.
    expect(parse(asYaml.text, { version: '1.1', maxAliasCount: 0 })).toEqual(served.body);
    for (const { headers } of [served, asYaml]) expect(headers.get('cache-control')).toBe('private, no-cache');
    const again = { 'If-None-Match': asYaml.headers.get('etag')! };
    expect((await api.get('/openapi.yaml', undefined, again)).status).toBe(304);
    expect((await api.get('/openapi.json', undefined, again)).status).toBe(200);
    const page = await api.get('/docs/try');
    expect(page.headers.get('content-type')).toContain('text/html');
    const addresses = [...page.text.matchAll(/(?:href|src)="([^"]+)"/g)].map((match) => match[1]!);
    expect(addresses.every((address) => address.startsWith('/docs/'))).toBe(true);
    for (const address of addresses) expect((await api.get(address)).status).toBe(200);
  } finally {
    await api.close();
  }
});
