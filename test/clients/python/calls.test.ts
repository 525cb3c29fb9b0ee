// Calls of the Python client to the real service, with faults between them. Never: a call that is charged or made
// twice, a key in a URL, in an error, in a log or at another address, a wait without a bound.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
import { Agent, installForPackage } from '../../support/clients/racing/agent';
import { PATIENT_MS } from '../../support/patient';
import { feedRunner, raceSnapshot } from '../../support/races/builders';

const installed = installForPackage();
const why = installed.lacks ? ` (skipped: ${installed.lacks})` : '';

(installed.lacks ? describe.skip : describe)(`calls of the Python client${why}`, () => {
  let served: Served;
  let line: FaultyHttp;
  let agent: Agent;
  let key: string;
  let raceId: string;
  let redis: ReturnType<typeof createRedis>;
  const keys: string[] = [];

  beforeAll(async () => {
    redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
    served = await serve(({ pool, url }) => ({
      charger: createCharger(createStores(pool).credits),
      keyLimit: createKeyLimit(redis, url),
    }));
    ({ next: raceId } = await seedEverything(served.db));
    line = await faultyHttp(served.api.url);
    agent = new Agent(installed.python!, line.url);
  });
  afterAll(async () => {
    await agent?.stop();
    await line?.close();
    await served?.stop();
    redis?.disconnect();
  });
  beforeEach(async () => {
    key = await served.addKey({ plan: 'platform' });
    keys.push(key);
    line.plan();
    await agent.run('clock = Clock(); client = client_of(key, clock=clock)', { key });
  });

  const failureOf = (call: string, given: Record<string, unknown> = {}) =>
    agent.run(`failure_of(lambda: ${call})`, given);

  async function used(): Promise<number> {
    const { rows } = await served.db.pool.query(
      `SELECT COALESCE(sum(credits), 0)::int AS used FROM credit_ledger JOIN api_keys USING (account_id)
        WHERE key_hash = $1 AND kind <> 'return'`,
      [hashApiKey(key)],
    );
    return rows[0].used;
  }

  const keysSent = (): (string | string[] | undefined)[] => line.seen.map(({ headers }) => headers['idempotency-key']);
  const waits = () => agent.run('clock.waits');

  test('calls are methods of their groups, and report what is left', async () => {
    expect(await agent.run('[client.credits, client.rate_limit]')).toEqual([null, null]);
    const races = await agent.run('client.racing.next_to_go(num_races=2, categories=["horse", "harness"])');
    expectConforms('next_to_go', races);
    expect(line.seen[0]!.url).toBe('/v1/racing/next-to-go?num_races=2&categories=horse%2Charness');
    expect(await agent.run('client.credits')).toEqual({
      cost: 2,
      used: 2,
      limit: expect.any(Number),
      remaining: expect.any(Number),
      is_approaching_limit: false,
      upgrade_plan: null,
    });
    expect(await agent.run('client.rate_limit')).toMatchObject({ limit: expect.any(Number) });
    const [sport] = await agent.run('client.sports.get_sport_odds(sport_key="nrl")');
    expect(sport.home_team).toEqual(expect.any(String));
    expect((await failureOf('client.racing.next_to_go(races=2)')).kinds[0]).toBe('TypeError');
    expect((await failureOf('client.sports.get_sport_odds(sport_key="..")')).message).toContain('sport_key is missing');
    await agent.run('from datetime import date, datetime, timedelta, timezone');
    const there = 'datetime(2026, 11, 21, 13, 50, tzinfo=timezone(timedelta(hours=11)))';
    // It is too old for the service.
    expect((await failureOf(`client.racing.changes(since=${there})`)).status).toBe(422);
    await agent.run('client.racing.next_to_go(date=date(2026, 11, 21), include_unresolved=True)');
    expect(line.seen.slice(-2).map(({ url }) => url.split('?')[1])).toEqual([
      'since=2026-11-21T02%3A50%3A00Z',
      'date=2026-11-21&include_unresolved=true',
    ]);
    const local = await failureOf('client.racing.changes(since=datetime(2026, 11, 21))');
    expect(local.message).toContain('without a time zone');
    expect(await agent.run('client.request("get", "/v1/sports")')).toEqual(expect.any(Array));
    expect((await failureOf('client.request("get", "@example.com/")')).kinds[0]).toBe('ValueError');
  });

  describe('a priced call whose answer is lost', () => {
    test('is sent again under its key, and charged once', async () => {
      line.plan('cut after', 'cut inside');
      expect(await agent.run('len(client.racing.next_to_go())')).toBeGreaterThan(0);
      expect([keysSent().length, new Set(keysSent()).size, await used()]).toEqual([3, 1, 2]);
      expect(await waits()).toEqual([0.375, 0.75]);
      await agent.run('client.racing.next_to_go()');
      expect(new Set(keysSent()).size).toBe(2);
    });

    test('is not sent a fourth time, nor so late that it would be charged again', async () => {
      line.plan(...Array<'cut after'>(9).fill('cut after'));
      const failure = await failureOf('client_of(key, max_retries=9).racing.next_to_go()');
      expect(failure.kinds).toEqual(expect.arrayContaining(['OddsConnectionError', 'OddsError', 'ConnectionError']));
      expect([line.seen.length, await used()]).toEqual([3, 2]);
      line.plan('cut after', { status: 429, headers: { 'Retry-After': '50' } });
      const late = await failureOf('client_of(key, max_wait_seconds=60).racing.next_to_go()');
      expect(late.kinds[0]).toBe('RateLimitError');
      expect([line.seen.length, await used()]).toEqual([2, 4]);
    });

    test('is not sent again if it is a stream of rows, whose key the service ignores', async () => {
      const csv = 'client.text(client.racing_archive.closing_lines, format="csv")';
      line.plan('cut after');
      expect((await failureOf(csv)).kinds[0]).toBe('OddsConnectionError');
      line.plan({ status: 503 });
      expect(await agent.run(csv)).toMatch(/^race_id,/);
      expect(line.seen.length).toBe(2);
    });
  });

  test('a write is sent once, unless it has a key under which it is made once', async () => {
    for (const fault of ['cut after', { status: 503 }] as const) {
      line.plan(fault);
      await failureOf('client.racing.clv(body=body)', { body: raceClv.body!.examples[0] });
      expect(line.seen.map(({ method }) => method)).toEqual(['POST']);
    }
    line.plan('cut after');
    const body = { name: 'Home', allowed_origins: ['https://www.example.com'], link_templates: {} };
    await agent.run('client.widgets.create_widget(body=body)', { body });
    expect([line.seen.length, new Set(keysSent()).size]).toEqual([2, 1]);
    expect((await agent.run('client.widgets.list_widgets()')).widgets).toHaveLength(1);
    line.plan('cut after');
    await failureOf('client.request("GET", "/v1/racing/next-to-go")');
    expect(line.seen.length).toBe(1);
  });

  test('a refusal is repeated when the service says so, and no later than the bound', async () => {
    line.plan({ status: 429, headers: { 'Retry-After': '7' } }, { status: 503 });
    await agent.run('client.racing.venues()');
    expect([line.seen.length, await waits()]).toEqual([3, [7, 0.75]]);
    line.plan({ status: 429, headers: { 'Retry-After': '3600' } });
    expect(await failureOf('client.racing.venues()')).toMatchObject({
      status: 429,
      retry_after_seconds: 3600,
      code: null,
    });
    expect(line.seen.length).toBe(1);
    line.plan(...Array<{ status: number }>(3).fill({ status: 502 }));
    expect((await failureOf('client.racing.venues()')).kinds[0]).toBe('UnavailableError');
    expect(line.seen.length).toBe(3);
  });

  test('errors are of the class of their status and have what the problem has', async () => {
    const invalid = await failureOf('client.racing.next_to_go(num_races=0)');
    expect(invalid).toMatchObject({
      kinds: expect.arrayContaining(['InvalidRequestError', 'ApiError', 'OddsError']),
      status: 422,
      code: 'validation',
      errors: [{ parameter: 'num_races' }],
      request_id: expect.stringMatching(/^[0-9a-f-]{32,36}$/),
    });
    expect((await failureOf('client_of("po_mistyped").racing.venues()')).kinds[0]).toBe('AuthenticationError');
    const poor = await served.addKey({ plan: 'free' });
    const forbidden = await failureOf('client_of(poor).racing.intelligence_scan()', { poor });
    expect(forbidden).toMatchObject({ code: 'plan_required', required_plan: 'plus', detail: expect.any(String) });
    expect(forbidden.kinds[0]).toBe('ForbiddenError');
    // As a process of a pool returns it.
    const copied = 'import pickle; pickle.loads(pickle.dumps(ApiError({"status": 409, "code": "stale"}))).code';
    expect(await agent.run(copied)).toBe('stale');
  });

  test('a silent service is a timeout', async () => {
    line.plan('stall');
    const failure = await failureOf('client_of(key, max_retries=0).racing.venues(timeout=0.05)');
    expect(failure.kinds).toEqual(expect.arrayContaining(['OddsTimeoutError', 'OddsConnectionError', 'TimeoutError']));
  });

  test('pages follow one another to the last; a file comes in parts, and one that breaks off raises', async () => {
    line.plan('cut after');
    const all = await agent.run(`
pages = list(client.pages(client.racing_archive.closing_lines, limit=2, closing_only=False))
[[len(page["rows"]) for page in pages], pages[0]["total_rows"], client.credits.cost]`);
    const [rows, total, cost] = all as [number[], number, number];
    expect([rows.length > 1, rows.reduce((sum, one) => sum + one, 0)]).toEqual([true, total]);
    expect(await used()).toBe(rows.length * cost);
    const csv = 'client.racing_archive.closing_lines, format="csv", closing_only=False';
    expect(await agent.run(`b"".join(client.download(${csv})).decode() == client.text(${csv})`)).toBe(true);
    line.plan('cut inside');
    expect((await failureOf(`list(client.download(${csv}))`)).kinds[0]).toBe('OddsConnectionError');
    expect((await failureOf('client.pages(client.racing.next_to_go)')).kinds[0]).toBe('TypeError');
    expect((await failureOf('client.poll(client.racing.clv, 5, body={})')).kinds[0]).toBe('TypeError');
    expect((await failureOf('client.pages(print)')).kinds[0]).toBe('TypeError');
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
    await agent.run(`
polled = client_of(key, clock=clock, max_retries=0).poll(client.racing.next_to_go, 20, num_races=1, bookmakers=["tab"])
price = lambda: next(polled)[0]["runners"][0]["bookmakers"][0]["win_price"]`);
    expect([await agent.run('price()'), await used()]).toEqual([6, 2]);
    // An answer without a change, two failures, and then a change.
    line.plan({ status: 304 }, { status: 503 }, 'cut before');
    await agent.run(`
import threading
changed, forever = threading.Event(), threading.Event()
clock.at_wait = lambda count: {4: changed, 5: forever}[count].wait() if count > 3 else None
asked = Following(polled)`);
    await until(async () => (await agent.run('len(clock.waits)')) === 4);
    expect(await agent.run('len(asked.batches)')).toBe(0);
    await poll(9.5, '2026-11-21T03:00:01.000Z');
    await agent.run('changed.set()');
    await until(async () => (await agent.run('len(asked.batches)')) === 1);
    expect(await agent.run('asked.batches[0][0]["runners"][0]["bookmakers"][0]["win_price"]')).toBe(9.5);
    expect(line.seen.every(({ headers }) => headers['if-none-match'])).toBe(true);
    expect(await used()).toBe(4);
    line.plan(...Array<'cut before'>(99).fill('cut before'));
    const given = 'client_of(key, clock=given_up, max_retries=0).poll(client.racing.next_to_go, 20)';
    await agent.run('given_up = Clock()');
    expect((await failureOf(`next(${given})`)).kinds[0]).toBe('OddsConnectionError');
    expect(await agent.run('given_up.now')).toBeLessThanOrEqual(300);
    expect(line.seen.length).toBeLessThan(20);
  });

  async function until(is: () => Promise<boolean>): Promise<void> {
    const late = AbortSignal.timeout(PATIENT_MS);
    while (!(await is())) {
      late.throwIfAborted();
      await new Promise((done) => setTimeout(done, 10));
    }
  }

  test('the key is in no error, no print, no log and no URL, and follows no redirect', async () => {
    const reached: unknown[] = [];
    const other = createServer(({ headers }, response) => {
      reached.push(headers);
      response.end('{}');
    });
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    line.plan({ status: 307, headers: { Location: `${address}/v1/racing/venues` } });
    expect((await failureOf('client.racing.venues()')).message).toContain('redirect');
    await new Promise((done) => other.close(done));
    expect(reached).toEqual([]);
    const nowhere = await failureOf('client_of(key, base_url=address, max_retries=0).racing.venues()', { address });
    expect(nowhere.kinds[0]).toBe('OddsConnectionError');
    for (const mistyped of [`${key}\nX-Other: 1`, `${key}é`])
      expect((await failureOf('client_of(mistyped)', { mistyped })).kinds[0]).toBe('ValueError');
    const found = await agent.run(
      `
print(client, vars(client), client._settings, file=printed)
text = printed.getvalue()
[len(text) > 1000, "InvalidRequestError" in text, "send_request_headers" in text, [one for one in keys if one[:-4] in text]]`,
      { keys },
    );
    expect(found).toEqual([true, true, true, []]);
    expect(line.seen.length).toBeGreaterThan(0);
    expect(line.seen.filter(({ url }) => url.includes(key))).toEqual([]);
  });
});
