// Calls of the TypeScript client to the real service, with faults between them. Never: a call that is charged or made
// twice, a key in a URL, in an error or at another address, a wait without a bound.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import {
  type ApiError,
  AuthenticationError,
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  OddsClient,
  type OddsClientOptions,
  RateLimitError,
  TimeoutError,
  UnavailableError,
} from '../../../clients/typescript/src/index.ts';
import { createCharger } from '../../../src/api/kernel/charging/charger';
import { raceClv } from '../../../src/api/operations/clv/race-clv';
import { createStores } from '../../../src/store/create-stores';
import { hashApiKey } from '../../../src/store/keys/keys';
import { createQuoteStore } from '../../../src/store/polls/quotes';
import { createKeyLimit } from '../../../src/store/redis/key-limit';
import { createRedis } from '../../../src/store/redis/redis';
import { expectConforms } from '../../support/api/conforms';
import { type Served, seedEverything, serve } from '../../support/api/served';
import { type FaultyHttp, faultyHttp } from '../../support/clients/http-faults';
import { PATIENT_MS } from '../../support/patient';
import { feedRunner, raceSnapshot } from '../../support/races/builders';

let served: Served;
let line: FaultyHttp;
let key: string;
let raceId: string;
let redis: ReturnType<typeof createRedis>;
let client: OddsClient;
const errors: unknown[] = [];
const keys: string[] = [];

beforeAll(async () => {
  redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
  served = await serve(({ pool, url }) => ({
    charger: createCharger(createStores(pool).credits),
    keyLimit: createKeyLimit(redis, url),
  }));
  ({ next: raceId } = await seedEverything(served.db));
  line = await faultyHttp(served.api.url);
});
afterAll(async () => {
  await line?.close();
  await served?.stop();
  redis?.disconnect();
});
beforeEach(async () => {
  key = await served.addKey({ plan: 'platform' });
  keys.push(key);
  clock.now = 0;
  clock.waits = [];
  line.plan();
  client = clientOf();
});

/** Waits take no time, and are added to the client’s clock. */
const clock = { now: 0, waits: [] as number[] };

const clientOf = (over: OddsClientOptions = {}): OddsClient =>
  new OddsClient({
    apiKey: key,
    baseUrl: line.url,
    now: () => clock.now,
    random: () => 0.5,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      clock.now += ms;
      clock.waits.push(ms);
    },
    ...over,
  });

const failureOf = async (call: Promise<unknown>): Promise<ApiError & ConnectionError> => {
  const error = await call.then(
    () => Promise.reject(new Error('it succeeded')),
    (reason: ApiError & ConnectionError) => reason,
  );
  errors.push(error);
  return error;
};

async function used(): Promise<number> {
  const { rows } = await served.db.pool.query(
    `SELECT COALESCE(sum(credits), 0)::int AS used FROM credit_ledger JOIN api_keys USING (account_id)
      WHERE key_hash = $1 AND kind <> 'return'`,
    [hashApiKey(key)],
  );
  return rows[0].used;
}

const keysSent = (): (string | string[] | undefined)[] => line.seen.map(({ headers }) => headers['idempotency-key']);

test('calls have types by path and by group, and report what is left', async () => {
  expect([client.credits, client.rateLimit]).toEqual([null, null]);
  const byPath = await client.get('/v1/racing/next-to-go', {
    query: { num_races: 2, categories: ['horse', 'harness'] },
  });
  expectConforms('next_to_go', byPath);
  expect(await client.racing.nextToGo({ query: { num_races: 2, categories: ['horse', 'harness'] } })).toEqual(byPath);
  expect(line.seen[0]!.url).toBe('/v1/racing/next-to-go?num_races=2&categories=horse%2Charness');
  expect(client.credits).toEqual({
    cost: 2,
    used: 4,
    limit: expect.any(Number),
    remaining: client.credits!.limit - 4,
    isApproachingLimit: false,
    upgradePlan: null,
  });
  expect(client.rateLimit).toMatchObject({ limit: expect.any(Number), remaining: expect.any(Number) });
  const [sport] = await client.sports.getSportOdds({ path: { sport_key: 'nrl' } });
  expect(sport!.home_team).toEqual(expect.any(String));
  // @ts-expect-error: no such parameter
  await failureOf(client.racing.nextToGo({ query: { races: 2 } }));
  // @ts-expect-error: no such path
  await failureOf(client.get('/v1/racing/nothing'));
  // @ts-expect-error: the path parameter is missing
  expect((await failureOf(client.sports.getSportOdds())).message).toContain('sport_key is missing');
});

describe('a priced call whose answer is lost', () => {
  test('is sent again under its key, and charged once', async () => {
    line.plan('cut after', 'cut inside');
    const { races } = { races: await client.racing.nextToGo() };
    expect(races.length).toBeGreaterThan(0);
    expect([keysSent().length, new Set(keysSent()).size, await used()]).toEqual([3, 1, 2]);
    expect(clock.waits).toEqual([375, 750]);
    await client.racing.nextToGo();
    expect(new Set(keysSent()).size).toBe(2);
  });

  test('is not sent a fourth time, nor so late that it would be charged again', async () => {
    line.plan(...Array<'cut after'>(9).fill('cut after'));
    const patient = clientOf({ maxRetries: 9 });
    expect(await failureOf(patient.racing.nextToGo())).toBeInstanceOf(ConnectionError);
    expect([line.seen.length, await used()]).toEqual([3, 2]);
    line.plan('cut after', { status: 429, headers: { 'Retry-After': '50' } });
    expect(await failureOf(clientOf({ maxWaitSeconds: 60 }).racing.nextToGo())).toBeInstanceOf(RateLimitError);
    expect([line.seen.length, await used()]).toEqual([2, 4]);
  });

  test('is not sent again if it is a stream of rows, whose key the service ignores', async () => {
    const query = { format: 'csv' } as const;
    line.plan('cut after');
    expect(await failureOf(client.text('/v1/racing/closing-lines', { query }))).toBeInstanceOf(ConnectionError);
    line.plan({ status: 503 });
    expect(await client.text('/v1/racing/closing-lines', { query })).toMatch(/^race_id,/);
    expect(line.seen.length).toBe(2);
  });
});

test('what changes something is sent once, unless it has a key under which it is made once', async () => {
  for (const fault of ['cut after', { status: 503 }] as const) {
    line.plan(fault);
    await failureOf(client.racing.clv({ body: raceClv.body!.examples[0] }));
    expect(line.seen.map(({ method }) => method)).toEqual(['POST']);
  }
  line.plan('cut after');
  const body = { name: 'Home', allowed_origins: ['https://www.example.com'], link_templates: {} };
  const widget = await client.widgets.createWidget({ body });
  expect(line.seen.length).toBe(2);
  expect((await client.widgets.listWidgets()).widgets.map(({ id }) => id)).toEqual([widget.id]);
});

test('a refusal is repeated when the service says so, and no later than the bound', async () => {
  line.plan({ status: 429, headers: { 'Retry-After': '7' } }, { status: 503 });
  await client.racing.venues();
  expect([line.seen.length, clock.waits]).toEqual([3, [7000, 750]]);
  line.plan({ status: 429, headers: { 'Retry-After': '3600' } });
  expect(await failureOf(client.racing.venues())).toMatchObject({ status: 429, retryAfterSeconds: 3600, code: null });
  expect(line.seen.length).toBe(1);
  line.plan(...Array<{ status: number }>(3).fill({ status: 502 }));
  expect(await failureOf(client.racing.venues())).toBeInstanceOf(UnavailableError);
  expect(line.seen.length).toBe(3);
});

test('errors are of the class of their status and have what the problem has', async () => {
  const invalid = await failureOf(client.racing.nextToGo({ query: { num_races: 0 } }));
  expect(invalid).toBeInstanceOf(InvalidRequestError);
  expect(invalid).toMatchObject({
    name: 'InvalidRequestError',
    status: 422,
    code: 'validation',
    errors: [{ parameter: 'num_races' }],
    requestId: expect.stringMatching(/^[0-9a-f-]{32,36}$/),
  });
  expect(await failureOf(clientOf({ apiKey: 'po_mistyped' }).racing.venues())).toBeInstanceOf(AuthenticationError);
  const poor = clientOf({ apiKey: await served.addKey({ plan: 'free' }) });
  const forbidden = await failureOf(poor.racing.intelligenceScan());
  expect(forbidden).toBeInstanceOf(ForbiddenError);
  expect(forbidden).toMatchObject({ code: 'plan_required', requiredPlan: 'plus', detail: expect.any(String) });
});

test('a silent service is a timeout, and a signal ends a call and its waits', async () => {
  line.plan('stall');
  expect(await failureOf(clientOf({ timeoutMs: 50, maxRetries: 0 }).racing.venues())).toBeInstanceOf(TimeoutError);
  line.plan('stall');
  const leaving = new AbortController();
  const left = client.racing.venues({ signal: leaving.signal });
  leaving.abort(new Error('closed by its user'));
  await expect(left).rejects.toThrow('closed by its user');
  line.plan({ status: 503, headers: { 'Retry-After': '20' } });
  const waiting = new OddsClient({ apiKey: key, baseUrl: line.url }).racing.venues({
    signal: AbortSignal.timeout(100),
  });
  await expect(waiting).rejects.toThrow('timeout');
});

test('pages follow one another to the last; a file comes in parts, and one that breaks off throws', async () => {
  const path = '/v1/racing/closing-lines';
  const pages: number[] = [];
  let total = 0;
  line.plan('cut after');
  for await (const page of client.pages(path, { query: { limit: 2, closing_only: false } })) {
    pages.push(page.rows.length);
    total = page.total_rows;
  }
  expect([pages.length > 1, pages.reduce((sum, one) => sum + one, 0)]).toEqual([true, total]);
  expect(await used()).toBe(pages.length * client.credits!.cost);
  const csv = { query: { format: 'csv', closing_only: false } } as const;
  const parts: Uint8Array[] = [];
  for await (const part of client.download(path, csv)) parts.push(part);
  expect(Buffer.concat(parts).toString()).toBe(await client.text(path, csv));
  line.plan('cut inside');
  const broken = (async () => {
    for await (const _ of client.download(path, csv));
  })();
  expect(await failureOf(broken)).toBeInstanceOf(ConnectionError);
});

const poll = (win: number, at: string): Promise<unknown> =>
  createQuoteStore(served.db.pool).savePoll({
    raceId,
    bookmakerKey: 'tab',
    fence: { epoch: 1, attempt: 1 },
    observedAt: at,
    bookAt: null,
    snapshot: raceSnapshot({ runners: [feedRunner(1, { name: 'Gold Trip (FR)', win })] }),
    marketStateSource: false,
    startSource: false,
  });

test('polling yields what has changed, costs nothing else, and outlasts failures up to its bound', async () => {
  let rounds = 0;
  const polling = clientOf({
    maxRetries: 0,
    sleep: async (ms) => {
      clock.now += ms;
      rounds += 1;
      if (rounds === 2) line.plan({ status: 503 }, 'cut before');
      if (rounds === 4) await poll(9.5, '2026-11-21T03:00:01.000Z');
    },
  });
  const prices: (number | null | undefined)[] = [];
  const options = { query: { num_races: 1, bookmakers: ['tab'] }, everySeconds: 20 } as const;
  for await (const [race] of polling.poll('/v1/racing/next-to-go', options)) {
    prices.push(race!.runners[0]!.bookmakers[0]!.win_price);
    if (prices.length === 2) break;
  }
  expect(prices).toEqual([6, 9.5]);
  expect(line.seen.every(({ headers }) => headers['if-none-match'])).toBe(true);
  expect([rounds, await used()]).toEqual([4, 4]);
  line.plan(...Array<'cut before'>(99).fill('cut before'));
  const begun = clock.now;
  expect(await failureOf(polling.poll('/v1/racing/next-to-go', options).next())).toBeInstanceOf(ConnectionError);
  expect(clock.now - begun).toBeLessThanOrEqual(300_000);
  expect(line.seen.length).toBeLessThan(20);
});

test('the key is in no error, in no print and no URL, and follows no redirect', async () => {
  const reached: unknown[] = [];
  const other = createServer(({ headers }, response) => {
    reached.push(headers);
    response.end('{}');
  });
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  line.plan({ status: 307, headers: { Location: `${address}/v1/racing/venues` } });
  expect((await failureOf(client.racing.venues())).message).toContain('redirect');
  await new Promise((done) => other.close(done));
  expect(reached).toEqual([]);
  const nowhere = clientOf({ baseUrl: address, maxRetries: 0 });
  expect(await failureOf(nowhere.racing.venues())).toBeInstanceOf(ConnectionError);
  for (const apiKey of [`${key}\nX-Other: 1`, `${key}é`])
    errors.push(await failureOf((async () => clientOf({ apiKey }))()));
  expect(errors.length).toBeGreaterThan(10);
  const printed = inspect([...errors, client], { depth: 10, showHidden: true });
  expect(printed).toContain('InvalidRequestError');
  expect(keys.filter((one) => printed.includes(one.slice(0, -4)))).toEqual([]);
  expect(line.seen.length).toBeGreaterThan(0);
  expect(line.seen.filter(({ url }) => url.includes(key))).toEqual([]);
});
