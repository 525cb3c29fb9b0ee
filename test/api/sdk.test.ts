// Others' clients work: one is generated from the document that is served, compiles as strictly as TypeScript can, and calls every
// operation of the real API.
import { rm } from 'node:fs/promises';
import { ENDPOINTS } from '../../src/api/endpoints';
import { type Client, generateClient, load, typeErrors } from '../support/api/client';
import { expectConforms, expectProblemConforms } from '../support/api/conforms';
import type { Called } from '../support/api/consumer';
import { requestFor, type Seeded } from '../support/api/operation-requests';
import { type Served, seedEverything, serve } from '../support/api/served';

let served: Served;
let client: Client;
let operations: Readonly<Record<string, Called>>;
const keys = { key: '', internal: '' };

beforeAll(async () => {
  served = await serve();
  const seeded: Seeded = await seedEverything(served.db);
  keys.key = await served.addKey({ plan: 'enterprise' });
  keys.internal = await served.addKey({ plan: 'enterprise', role: 'internal' });
  const queries = ENDPOINTS.map((one) => [one.operationId, requestFor(one, seeded).split('?')[1] ?? '']);
  client = await generateClient(`${served.api.url}/openapi.json`, Object.fromEntries(queries));
  operations = load(client);
});
afterAll(async () => {
  await served?.stop();
  if (client) await rm(client.folder, { recursive: true });
});

const options = (key: string) => ({ baseUrl: served.api.url, headers: { 'X-API-Key': key } });
const named = ENDPOINTS.map((one) => [one.operationId, one] as const);
const keyOf = (auth: 'key' | 'internal' | 'none') => (auth === 'none' ? '' : keys[auth]);

test('the program that uses every operation with every parameter compiles', async () => {
  expect(await typeErrors(client)).toBe('');
});

test('the client has a type for everything but the rows of a sample', () => {
  const vague = client.source
    .split('\n')
    .filter((line) => /\b(any|unknown|object)\b/.test(line.replace(/\/\*.*\*\/|"[^"]*"/g, '')));
  expect(vague.map((line) => line.trim())).toEqual(['sample?: unknown[];']);
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

test('lists travel as one comma-joined value, names and numbers as they are called', async () => {
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

test('the tag of an answer is sent back by its name, and 304 comes without a body', async () => {
  const { racingVenues } = require(`${client.folder}/client.ts`);
  const first = await racingVenues({}, options(keys.key));
  const again = await racingVenues({ ifNoneMatch: first.headers.get('etag') }, options(keys.key));
  expect([again.status, again.data]).toEqual([304, '']);
});
