// Third-party clients work: each is generated from the served document and compiles as strictly as its language allows.
// The clients of oazapfts and openapi-python-client call every operation of the real API. Without Python, its tests
// count as skipped.
import { rm } from 'node:fs/promises';
import type { Endpoint } from '../../src/api/kernel/endpoint/endpoint';
import { ENDPOINTS } from '../../src/api/operations';
import { expectConforms, expectProblemConforms } from '../support/api/conforms';
import { ORDERS, requestFor, type Seeded, SHARED_OPERATIONS } from '../support/api/operation-requests';
import { addBackfillJob, type Served, seedEverything, serve } from '../support/api/served';
import type { Called } from '../support/clients/consumer';
import { type Client, generateClient, load, typeErrors } from '../support/clients/oazapfts';
import {
  generatePythonClient,
  mypy,
  operationsOf,
  type PythonClient,
  PythonFollower,
  runOperations,
} from '../support/clients/python';
import { python } from '../support/clients/tools';
import { typeErrorsByTypeScript5 } from '../support/clients/typescript-5';
import { addRace } from '../support/races/board';
import { feedRunner } from '../support/races/builders';

let served: Served;
let client: Client;
let operations: Readonly<Record<string, Called>>;
let seeded: Seeded;
const keys = { key: '', internal: '' };

beforeAll(async () => {
  served = await serve();
  seeded = await seedEverything(served.db);
  keys.key = await served.addKey({ plan: 'enterprise' });
  keys.internal = await served.addKey({ plan: 'enterprise', role: 'internal' });
  await addBackfillJob(served.db, keys.key);
  const queries = ENDPOINTS.map((one) => [one.operationId, requestFor(one, seeded).split('?')[1] ?? '']);
  client = await generateClient(`${served.api.url}/openapi.json`, Object.fromEntries(queries));
  operations = load(client);
});
afterAll(async () => {
  await served?.stop();
  if (client) await rm(client.folder, { recursive: true });
});

const options = (key: string) => ({ baseUrl: served.api.url, headers: { 'X-API-Key': key } });
const named = [...SHARED_OPERATIONS, ...ORDERS].map((one) => [one.operationId, one] as const);
const keyOf = (auth: Endpoint['auth']) => (auth === 'key' || auth === 'internal' ? keys[auth] : '');

test('a program that uses every operation with every parameter compiles', async () => {
  expect(await typeErrors(client)).toBe('');
});

test('the client has a type for everything except sample rows and event bodies', () => {
  const vague = client.source
    .split('\n')
    .filter((line) => /\b(any|unknown|object)\b/.test(line.replace(/\/\*.*\*\/|"[^"]*"/g, '')));
  const kinds = new Set(vague.map((line) => line.trim()));
  expect([...kinds].sort()).toEqual(['[key: string]: unknown;', 'sample?: unknown[];']);
});

test.each(named)('%s returns what its type declares', async (operationId, one) => {
  const { status, data, headers } = await operations[operationId]!(options(keyOf(one.auth)));
  expect({ status, data }).toMatchObject({ status: 200 });
  expectConforms(operationId, data);
  const declared = Object.keys(client.document.paths[one.path]![one.method]!.responses[200]!.headers!);
  const sent = [...headers.keys()].filter((name) => /^(x-(request|horizon|data)-|etag$)/.test(name));
  expect(declared.map((name) => name.toLowerCase())).toEqual(expect.arrayContaining(sent));
});

test.each(named)('%s refuses with a problem that the client reads', async (_, one) => {
  const surprising: typeof fetch = (url, init) =>
    fetch(`${url}${String(url).includes('?') ? '&' : '?'}surprise=1`, init);
  const refused = await operations[one.operationId]!({ ...options(keyOf(one.auth)), fetch: surprising });
  expect(refused).toMatchObject({ status: 422, data: { code: 'validation', errors: [{ parameter: 'surprise' }] } });
  expectProblemConforms(refused.data);
  if (one.auth === 'none') return;
  expect(await operations[one.operationId]!(options('mistyped'))).toMatchObject({
    status: 401,
    data: { code: 'unauthorized' },
  });
});

test('lists travel as one comma-joined value, and names and numbers stay unchanged', async () => {
  const sent: string[] = [];
  const listening: typeof fetch = (url, init) => {
    sent.push(String(url).slice(served.api.url.length));
    return fetch(url, init);
  };
  const { nextToGo } = require(`${client.folder}/client.ts`);
  const query = { bookmakers: ['tab', 'ladbrokes_au'], categories: ['horse', 'harness'], numRaces: 3 };
  const { status, data } = await nextToGo(query, { ...options(keys.key), fetch: listening });
  expect(sent).toEqual(['/v1/racing/next-to-go?num_races=3&categories=horse,harness&bookmakers=tab,ladbrokes_au']);
  expect([status, data[0].runners[0].bookmakers.map((one: { key: string }) => one.key)]).toEqual([
    200,
    ['ladbrokes_au', 'tab'],
  ]);
});

test('the tag of a response is sent back by its name, and a 304 has no body', async () => {
  const { racingVenues } = require(`${client.folder}/client.ts`);
  const first = await racingVenues({}, options(keys.key));
  const again = await racingVenues({ ifNoneMatch: first.headers.get('etag') }, options(keys.key));
  expect([again.status, again.data]).toEqual([304, '']);
});

test('openapi-typescript: a program that uses every operation compiles with TypeScript 5', async () => {
  expect(await typeErrorsByTypeScript5(`${served.api.url}/openapi.json`)).toBe('');
});

const withPython = python === null ? describe.skip : describe;
const why = python === null ? ' (skipped: there is no Python 3.11 or newer with venv)' : '';
withPython(`openapi-python-client${why}`, () => {
  let made: PythonClient;
  beforeAll(async () => {
    made = await generatePythonClient(`${served.api.url}/openapi.json`);
  });
  afterAll(() => made && rm(made.folder, { recursive: true }));

  test('has every operation, and skips nothing with a warning', async () => {
    expect((await operationsOf(made)).sort()).toEqual(ENDPOINTS.map((one) => one.operationId).sort());
    expect(made.output).toMatch(/^Generating \S+$/);
  });

  test('mypy --strict finds nothing in it or in customers’ programs', async () => {
    expect(await mypy(made)).toBe('');
  });

  test('calls every operation and reads its response', async () => {
    const bodies = Object.values(client.document.paths).flatMap((methods) => Object.values(methods));
    const bodyOf = (operationId: string) =>
      bodies.find((one) => one.operationId === operationId)!.requestBody!.content['application/json']!.example;
    const given = { url: served.api.url, ...keys, race_id: seeded.next, match: seeded.match };
    const done = await runOperations(made, { ...given, clv: bodyOf('race_clv'), ingest: bodyOf('ingest_prices') });
    const refused = Object.entries(done.answers).filter(
      ([, answer]) => !/^200 (?!Problem|nothing|NoneType)/.test(answer),
    );
    expect(refused).toEqual([]);
    expect([...Object.keys(done.answers), 'racing_changes'].sort()).toEqual(
      named.map(([operationId]) => operationId).sort(),
    );
    expect(done.used).toEqual({
      normalisation: 'power',
      firming: ['Plain Sailing', 'Gold Trip (FR)'],
      connectors: expect.arrayContaining(['ladbrokes_au', 'tab']),
      stake_left_out: [1],
    });
  });

  test('follows the changes by the instants that it writes itself', async () => {
    const follower = new PythonFollower(made, served.api.url, keys.key);
    try {
      const first = await follower.poll();
      expect(first).toMatchObject({ 'Flemington 1, Plain Sailing, tab': 2.9 });
      const runners = [feedRunner(1, { name: 'Newcomer', win: 3.1 })];
      await addRace(served.db.pool, { raceNumber: 9, startTime: '2026-11-21T03:40:00.000Z' }, { tab: { runners } });
      expect(await follower.poll()).toEqual({ ...first, 'Flemington 9, Newcomer, tab': 3.1 });
    } finally {
      follower.stop();
    }
  });
});
