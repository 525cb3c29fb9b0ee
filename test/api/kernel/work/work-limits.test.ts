// Limits of processor time over HTTP (security F4, F7): free work never takes more of the thread than its share, and
// paid work is always answered.
import { Type } from '@sinclair/typebox';
import { type Endpoint, endpoint, flat } from '../../../../src/api/kernel/endpoint/endpoint';
import type { Meter } from '../../../../src/api/kernel/endpoint/meter';
import type { OpenedPlay } from '../../../../src/api/kernel/http/response/reply';
import type { JudgeLarge } from '../../../../src/api/kernel/input/large/large-bodies';
import { createWorkLimits } from '../../../../src/api/kernel/work/work-limits';
import { createWorkMeter, type WorkMeter } from '../../../../src/api/kernel/work/work-meter';
import { AppError } from '../../../../src/errors';
import type { Reads } from '../../../../src/store/reads/reads';
import { memoryKeys, startApi, type TestApi } from '../../../support/api/api';

const keys = memoryKeys();
const [key, other] = [keys.add(), keys.add()];
const meter: Meter = {
  uncharged: (_, setHeader) => setHeader('X-Credits-Cost', '0'),
  balance: async () => {},
  admit: async () => {},
  joins: async () => false,
  precheck: () => {},
  async charge({ credits, setHeader }) {
    setHeader('X-Credits-Cost', String(credits));
    return undefined;
  },
};
const about = { method: 'get', tag: 'Health', summary: 's', description: 'd', cost: flat(1) } as const;
const ok = { description: 'ok', schema: Type.Object({ ms: Type.Integer() }), example: { ms: 1 } };
const query = { ms: Type.Integer({ default: 1 }), fails: Type.Boolean({ default: false }) };
/** Only the work of handlers moves it. */
let workedMs = 0;
let wallMs = 0;
const handler = async ({ query: { ms, fails } }: { query: { ms: number; fails: boolean } }) => {
  workedMs += ms;
  if (fails) throw new AppError('not_found', 'There is none.');
  return { body: { ms } };
};
/** So many values that another thread judges it. */
const LISTS = Type.Object({ list: Type.Array(Type.Integer(), { maxItems: 6000 }) });
const ENDPOINTS: Endpoint<unknown>[] = [
  endpoint()({ ...about, path: '/v1/work', operationId: 'work', auth: 'key', query, ok, handler }),
  endpoint()({ ...about, path: '/v1/light', operationId: 'light', auth: 'key', query, ok, handler }),
  endpoint()({
    ...about,
    method: 'post',
    path: '/v1/lists',
    operationId: 'lists',
    auth: 'key',
    query,
    body: LISTS,
    ok,
    handler,
  }),
  endpoint()({
    ...about,
    path: '/v1/play',
    operationId: 'play',
    auth: 'key',
    sendsEvents: true,
    cost: { text: 'of each race', credits: () => 0 },
    query,
    ok,
    // Free if it fails to have races.
    handler: async ({ query: { ms, fails } }: { query: { ms: number; fails: boolean } }) => ({
      format: 'ndjson' as const,
      play: () => ({
        ...{ earlier: null, filters: '', fromMs: null, leastCredits: 5 },
        async open(): Promise<OpenedPlay> {
          workedMs += ms;
          return { bill: fails ? {} : { race: 5 }, beginId: () => 'begin', async *events() {} };
        },
      }),
    }),
  }),
  endpoint()({ ...about, path: '/v1/open', operationId: 'open', auth: 'none', cost: flat(0), query, ok, handler }),
];

const warned: { facts: object; message: string }[] = [];
let workMeter: WorkMeter;
let api: TestApi;
beforeAll(async () => {
  workMeter = createWorkMeter(() => workedMs);
  const log = { warn: (facts: object, message: string) => void warned.push({ facts, message }) };
  const work = createWorkLimits(workMeter, log, { keyless: 100, pusher: 100, free: 100 }, () => wallMs);
  const judgeLarge: JudgeLarge = async (_, { spend }) => {
    spend(160);
    throw new AppError('validation', 'It is not in order.');
  };
  api = await startApi({
    reads: {} as Reads,
    keys,
    meter,
    endpoints: ENDPOINTS,
    work,
    judgeLarge,
    responsesCachedMs: 0,
  });
});
afterAll(async () => {
  await api.close();
  workMeter.close();
});
beforeEach(() => {
  // Everything spent has leaked, and every caller is served again.
  wallMs += 600_000;
});

const statusOf = async (path: string, by?: string, headers = {}): Promise<number> =>
  (await api.get(path, by, headers)).status;

test('work on another thread counts like work on this one', async () => {
  const body = JSON.stringify({ list: Array.from({ length: 6000 }, () => 1) });
  const sent = await api.send('POST', '/v1/lists', { key, body, headers: { 'Content-Type': 'application/json' } });
  expect(sent.status).toBe(422);
  expect((await api.send('HEAD', '/v1/light', { key })).status).toBe(429);
});

test('a charged call is answered, whatever the account got for free before', async () => {
  for (let i = 0; i < 4; i++) expect(await statusOf('/v1/work?ms=40&fails=true', key)).toBe(404);
  const refused = await api.send('HEAD', '/v1/work', { key });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '37']);
  expect(await statusOf('/v1/work', key, { 'If-None-Match': '"x"' })).toBe(429);
  for (let i = 0; i < 9; i++) expect(await statusOf('/v1/work?ms=90', key)).toBe(200);
  expect((await api.send('HEAD', '/v1/work', { key: other })).status).toBe(200);
  wallMs += 37_000;
  expect((await api.send('HEAD', '/v1/work', { key })).status).toBe(200);
});

test('a 304 counts as free work, a 200 does not', async () => {
  const first = await api.get('/v1/work?ms=60', key);
  const again = () => statusOf('/v1/work?ms=60', key, { 'If-None-Match': first.headers.get('etag')! });
  expect([await again(), await again(), await again()]).toEqual([304, 304, 429]);
});

test('a replay that costs nothing counts as free work, a charged one does not', async () => {
  for (let i = 0; i < 3; i++) expect(await statusOf('/v1/play?ms=60', key)).toBe(200);
  const again = () => statusOf('/v1/play?ms=60&fails=true', key);
  expect([await again(), await again(), await again()]).toEqual([200, 200, 429]);
});

test('an address without a key waits once it has used its share', async () => {
  expect([await statusOf('/v1/open?ms=60'), await statusOf('/v1/open?ms=60'), await statusOf('/v1/open?ms=1')]).toEqual(
    [200, 200, 429],
  );
  expect(await statusOf('/v1/nowhere')).toBe(429);
  expect(await statusOf('/v1/work', key)).toBe(200);
  wallMs += 60_000;
  expect(await statusOf('/v1/open')).toBe(200);
});

test('a request that blocks the thread is named; one that blocks it for seconds is refused for a minute, for its caller and route only', async () => {
  warned.length = 0;
  expect(await statusOf('/v1/work?ms=250', key)).toBe(200);
  expect(warned).toMatchObject([
    { facts: { route: '/v1/work', ms: 250, bodyBytes: 0 }, message: 'a request took the thread of the API' },
  ]);
  expect(await statusOf('/v1/work?ms=2500', key)).toBe(200);
  const shed = await api.get('/v1/work', key);
  expect([shed.status, shed.body.code, shed.headers.get('retry-after')]).toEqual([503, 'unavailable', '60']);
  expect([await statusOf('/v1/light', key), await statusOf('/v1/work', other)]).toEqual([200, 200]);
  wallMs += 60_000;
  expect(await statusOf('/v1/work', key)).toBe(200);
});
