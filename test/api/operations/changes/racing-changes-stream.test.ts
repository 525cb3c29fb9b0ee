// The stream of changes at two API processes over one database and one Redis: what it sends, what it costs, and when it
// ends.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { createCharger } from '../../../../src/api/kernel/charging/charger';
import { connectionOf, eventId, idScope } from '../../../../src/api/kernel/stream/event-id';
import { type BoardFeed, createBoardFeed } from '../../../../src/api/operations/changes/board-feed';
import { createChangesStream } from '../../../../src/api/operations/changes/changes-stream';
import { REAL_TIME } from '../../../../src/domain/time/clock';
import { createStores } from '../../../../src/store/create-stores';
import { followKeyChanges, type KeyChanges } from '../../../../src/store/keys/key-changes';
import { hashApiKey } from '../../../../src/store/keys/keys';
import type { Listener } from '../../../../src/store/pg/listener';
import { createQuoteStore } from '../../../../src/store/polls/quotes';
import { createReads } from '../../../../src/store/reads/reads';
import { createRedis } from '../../../../src/store/redis/redis';
import { createStreamLeases } from '../../../../src/store/redis/stream-leases';
import { keyRow, NOW, newKey, startApi, type TestApi } from '../../../support/api/api';
import { expectConforms, expectProblemConforms } from '../../../support/api/conforms';
import type { GivenApi } from '../../../support/api/given-api';
import { BETSLIP, EXCHANGE_PRICES, seedEverything } from '../../../support/api/served';
import { named, openStream, type StreamClient, type StreamEvent } from '../../../support/api/stream-client';
import { PATIENT_MS } from '../../../support/patient';
import { addRace } from '../../../support/races/board';
import { feedRunner, raceSnapshot } from '../../../support/races/builders';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';
import { poolAs } from '../../../support/servers/roles';

const HERE = '/v1/racing/changes/stream';

let db: TestDatabase;
let pool: Pool;
let keyChanges: KeyChanges & Listener;
let redis: Redis;
let apis: [TestApi, TestApi];
let raceId: string;
const clients: StreamClient[] = [];

const start = (over: Partial<GivenApi> = {}): Promise<TestApi> => {
  const { keys, credits, usage } = createStores(pool);
  return startApi({
    reads: createReads(pool),
    keys,
    usage,
    keyChanges,
    charger: createCharger(credits),
    streamLeases: createStreamLeases(redis, db.url),
    betslipTemplates: BETSLIP,
    streamBounds: { renewMs: 50 },
    ...over,
  });
};

beforeAll(async () => {
  db = await createTestDatabase();
  pool = poolAs(db, 'racing_api', 20);
  keyChanges = followKeyChanges(db.url);
  redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
  await seedEverything(db);
  ({ raceId } = await addRace(
    db.pool,
    { venue: 'Streamfield', startTime: '2026-11-21T04:00:00.000Z' },
    {
      tab: { runners: [feedRunner(1, { win: 3 }), feedRunner(2, { win: 5 })] },
      betfair_ex_au: { runners: [feedRunner(1, { win: 777.5 })] },
    },
  ));
  apis = [await start(), await start()];
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((one) => one.close()));
});
afterAll(async () => {
  for (const api of apis) await api.close();
  await keyChanges.close();
  redis.disconnect();
  await pool.end();
  await db.drop();
});

async function addKey(plan = 'standard'): Promise<string> {
  const key = newKey();
  await createStores(db.pool).keys.insert(hashApiKey(key), keyRow(key, { plan }));
  return key;
}

async function open(key: string, over: Parameters<typeof openStream>[2] = {}, api = apis[0]): Promise<StreamClient> {
  const client = await openStream(api.url, key, over);
  clients.push(client);
  return client;
}

let polls = 0;
/** A poll of the race; runner 1 has the price. */
const poll = (win: number, book = 'tab') =>
  createQuoteStore(db.pool).savePoll({
    raceId,
    bookmakerKey: book,
    fence: { epoch: 1, attempt: 1 },
    observedAt: new Date(Date.parse('2026-11-21T03:00:00.000Z') + polls++ * 1000).toISOString(),
    bookAt: null,
    snapshot: raceSnapshot({ runners: [feedRunner(1, { win }), feedRunner(2, { win: 5 })] }),
    marketStateSource: false,
    startSource: false,
  });

interface Row {
  readonly win_price: number;
}
const rowsIn = ({ data }: { data: { races?: { race_id: string; changed_runners: Row[] }[] } }): Row[] =>
  (data.races ?? []).filter((race) => race.race_id === raceId).flatMap((race) => race.changed_runners ?? []);
const hasPrice = (win: number) => (event: Parameters<typeof rowsIn>[0]) =>
  rowsIn(event).some((row) => row.win_price === win);

async function used(key: string): Promise<number> {
  const { rows } = await db.pool.query(
    `SELECT COALESCE(sum(CASE kind WHEN 'return' THEN -credits ELSE credits END), 0)::int AS used
       FROM credit_ledger l JOIN api_keys k USING (account_id) WHERE k.key_hash = $1 AND subject = $2`,
    [hashApiKey(key), HERE],
  );
  return rows[0].used;
}

async function until(is: () => Promise<boolean>): Promise<void> {
  const late = AbortSignal.timeout(PATIENT_MS);
  while (!(await is())) {
    late.throwIfAborted();
    await new Promise((done) => setTimeout(done, 5));
  }
}

test('it begins with what next-to-go reports, race by race, and goes on with what changes', async () => {
  const key = await addKey('plus');
  const before = (await apis[0].get('/v1/racing/next-to-go?num_races=200&hours_ahead=168', key)).body;
  const stream = await open(key);
  const end = await stream.until(named('state'));
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  expect(stream.headers.get('cache-control')).toBe('no-store, no-transform');
  expect(stream.headers.get('x-credits-cost')).toBe('2');
  const races = stream.events.slice(0, -1);
  expect(races.map(({ data }) => data)).toEqual(before);
  expect(races.every(({ event, id }) => event === 'race' && id === undefined)).toBe(true);
  expect(end).toEqual({
    event: 'state',
    id: expect.stringMatching(/^\S+Z 168-betslip-[0-9a-f]{8}-[0-9a-f]{8} [0-9a-f-]{36}$/),
    data: { server_time: end.data.server_time, race_count: before.length, horizon_hours: 168 },
  });
  // What an exchange reports later is not even noticed.
  await poll(888.5, 'betfair_ex_au');
  await poll(3.25);
  const moved = await stream.until(hasPrice(3.25));
  expect(moved.id! > end.id!).toBe(true);
  expect(rowsIn(moved)).toMatchObject([{ number: 1, bookmaker_key: 'tab', win_price: 3.25, tote_win: null }]);
  expect(rowsIn(moved)[0]).toHaveProperty('betslip_win_url');
  const text = JSON.stringify(stream.events);
  for (const price of EXCHANGE_PRICES) expect(text).not.toContain(String(price));
  for (const event of stream.events) expectConforms('racing_changes_stream', event);
});

test('filters are those of changes, and equal streams share what they do not filter', async () => {
  const key = await addKey('business');
  const horses = await open(key, { search: '?category=horse' });
  const dogs = await open(key, { search: '?categories=greyhound' });
  const abroad = await open(key, { search: '?country=NZ' });
  for (const stream of [horses, dogs, abroad]) await stream.until(named('state'));
  expect([horses, dogs, abroad].map(({ events }) => events.length > 1)).toEqual([true, false, false]);
  await poll(3.5);
  await horses.until(hasPrice(3.5));
  expect([dogs, abroad].map(({ events }) => events.length)).toEqual([1, 1]);
  const refused = await apis[0].get(`${HERE}?category=dogs`, key);
  expect([refused.status, refused.body.code]).toEqual([422, 'validation']);
});

test('the state ends at the horizon of the plan, and a race that comes within it is sent whole', async () => {
  const key = await addKey();
  const startTime = new Date(apis[0].now + 48 * 3_600_000 + 30_000).toISOString();
  const listed = { venue: 'Horizon', meetingDate: '2026-11-23', startTime };
  const { raceId: later } = await addRace(db.pool, listed, { tab: { runners: [feedRunner(1, { win: 7 })] } });
  const isLater = ({ event, data }: StreamEvent): boolean => event === 'race' && data.race_id === later;
  const stream = await open(key);
  await stream.until(named('state'));
  expect(stream.events.some(isLater)).toBe(false);
  apis[0].now += 60_000;
  const { data } = await stream.until(isLater);
  expect(data.runners[0].bookmakers[0].win_price).toBe(7);
});

test('Last-Event-ID fills the gap at another process; what cannot be filled begins again with reset', async () => {
  const key = await addKey('platform');
  // What was written less than two seconds before an id is sent again: by then the tests before are older.
  await db.pool.query('SELECT pg_sleep(2.1)');
  const first = await open(key);
  await first.until(named('state'));
  await first.close();
  await poll(3.75);
  const { lastEventId } = first;
  const second = await open(key, { lastEventId }, apis[1]);
  const end = await second.until(named('state'));
  const races = second.events.filter(named('race'));
  expect(races.map(({ data }) => data.race_id)).toContain(raceId);
  // Not the state: most races did not change.
  expect(races.length).toBeLessThan(end.data.race_count);
  expect(end.id! >= lastEventId.split(' ')[0]!).toBe(true);
  const at = (ms: number): string =>
    [new Date(Date.now() + ms).toISOString(), ...lastEventId.split(' ').slice(1)].join(' ');
  // An instant alone says nothing of what its client has.
  const bare = lastEventId.split(' ')[0]!;
  const wrong = [
    ['too_old', at(-31 * 60_000)],
    ['in_the_future', at(120_000)],
    ['unreadable', 'x'],
    ['unreadable', bare],
  ] as const;
  for (const [reason, id] of wrong) {
    const stream = await open(key, { lastEventId: id });
    await stream.until(named('state'));
    expect(stream.events.map(({ event }) => event).join(' ')).toMatch(/^reset (race )+state/);
    expect(stream.events[0]!.data).toEqual({ reason });
  }
});

test('an id is good for its own filters and betslip links alone: others begin again', async () => {
  const key = await addKey('platform');
  const links = await start({ betslipTemplates: { ...BETSLIP, tab: 'https://elsewhere.example/{race_id}' } });
  const first = await open(key, { search: '?category=horse&country=NZ,AU' });
  await first.until(named('state'));
  await first.close();
  const { lastEventId } = first;
  const returned = async (search: string, api = apis[1]) => {
    const stream = await open(key, { search, lastEventId }, api);
    const { data } = await stream.until(named('state'));
    const reset = stream.events.find(named('reset'));
    // What it had is discarded: it gets all of the new state.
    if (reset) expect(stream.events.filter(named('race')).length).toBe(data.race_count);
    return reset?.data.reason ?? 'goes on';
  };
  try {
    expect(await returned('?categories=horse&country=AU,NZ')).toBe('goes on');
    for (const search of ['', '?category=horse', '?category=greyhound&country=NZ,AU', '?category=horse&country=AU'])
      expect(await returned(search)).toBe('other_filters');
    expect(await returned('?category=horse&country=NZ,AU&include_unresolved=true')).toBe('other_filters');
    expect(await returned('?category=horse&country=NZ,AU', links)).toBe('other_rights');
  } finally {
    await Promise.all(clients.splice(0).map((one) => one.close()));
    await links.close();
  }
});

test('a race that leaves the view is gone, with its reason, and an unknown one has no row', async () => {
  const key = await addKey('business');
  const write = (sql: string, id: string) => db.pool.query(`UPDATE races SET ${sql} WHERE race_id = $1`, [id]);
  const books = { tab: { runners: [feedRunner(1, { win: 3 })] } };
  const why = {
    jumped: 'jumped_at = now()',
    abandoned: `status = 'abandoned'`,
    left: `start_time = start_time + interval '30 days'`,
    hidden: 'country = NULL',
  };
  const ids = new Map<string, string>();
  for (const reason of Object.keys(why)) {
    const listed = { venue: `Gone ${reason}`, startTime: '2026-11-21T04:00:00.000Z' };
    ids.set(reason, (await addRace(db.pool, listed, books)).raceId);
  }
  const live = await open(key);
  await live.until(named('state'));
  const { lastEventId } = live;
  for (const [reason, sql] of Object.entries(why)) await write(sql, ids.get(reason)!);
  const isGone = (race: string) => (event: StreamEvent) => event.event === 'gone' && event.data.race_id === race;
  for (const [reason, id] of ids) expect((await live.until(isGone(id))).data).toEqual({ race_id: id, reason });
  const later = await open(key, { lastEventId }, apis[1]);
  await later.until(named('state'));
  for (const [reason, id] of ids) expect(later.events.find(isGone(id))?.data).toEqual({ race_id: id, reason });
});

test('a reconnection takes the place and the paid minute of its own half-open connection, once, and of no other key', async () => {
  const key = await addKey();
  const half = await open(key);
  await half.until(named('state'));
  expect(await used(key)).toBe(2);
  const { lastEventId } = half;
  const second = await open(key, { lastEventId }, apis[1]);
  await second.until(named('state'));
  expect(second.headers.get('x-credits-cost')).toBe('0');
  const { data } = await half.until(named('error'));
  expectProblemConforms(data);
  expect([data.status, data.reason]).toEqual([409, 'replaced']);
  await half.ended;
  // An id takes a place once: the two would end each other in turns.
  expect((await open(key, { lastEventId })).status).toBe(429);
  // The break came before the gap was filled: the place is known by the first id of the second connection.
  const third = await open(key, { lastEventId: second.lastEventId });
  await third.until(named('state'));
  expect((await second.until(named('error'))).data.reason).toBe('replaced');
  expect(await used(key)).toBe(2);
  const stranger = await addKey();
  const theirs = await open(stranger, { lastEventId: third.lastEventId });
  await theirs.until(named('state'));
  expect([await used(stranger), third.events.some(named('error'))]).toEqual([2, false]);
  // The minute goes on where it was: the next is charged when it is over.
  apis[0].now += 60_000;
  await until(async () => (await used(key)) === 4);
});

test('each started minute is charged ahead, once; HEAD is free; without credits the stream ends with the problem', async () => {
  const key = await addKey();
  const head = await apis[0].send('HEAD', HERE, { key });
  expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
    200,
    '',
    'text/event-stream; charset=utf-8',
  ]);
  expect(await used(key)).toBe(0);
  const stream = await open(key);
  await stream.until(named('state'));
  expect(await used(key)).toBe(2);
  apis[0].now += 59_999;
  await poll(4);
  await stream.until(hasPrice(4));
  expect(await used(key)).toBe(2);
  // Noticed late, and the next minute is not later for that.
  apis[0].now += 901;
  await until(async () => (await used(key)) >= 4);
  apis[0].now += 59_100;
  await until(async () => (await used(key)) >= 6);
  expect(await used(key)).toBe(6);
  await db.pool.query(
    'UPDATE credit_balances SET used = 75000 WHERE account_id = (SELECT account_id FROM api_keys WHERE key_hash = $1)',
    [hashApiKey(key)],
  );
  apis[0].now += 60_000;
  const { data } = await stream.until(named('error'));
  expectProblemConforms(data);
  expect([data.status, data.code]).toEqual([402, 'payment_required']);
  await stream.ended;
  expect(await used(key)).toBe(6);
});

test('an account has as many streams as its plan allows, over all processes; without Redis nothing is counted', async () => {
  const standard = await addKey();
  const free = await addKey('free');
  const gated = await apis[0].get(HERE, free);
  expect([gated.status, gated.body.code, gated.body.required_plan]).toEqual([403, 'plan_required', 'standard']);
  const stream = await open(standard);
  await stream.until(named('state'));
  const refused = await apis[1].get(HERE, standard);
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 'rate_limit', '15']);
  expect(await used(standard)).toBe(2);
  await stream.close();
  let next: StreamClient;
  do next = await open(standard, {}, apis[1]);
  while (next.status === 429);
  await next.until(named('state'));
  const away = createRedis('redis://127.0.0.1:1', 250);
  const uncounted = await start({ streamLeases: createStreamLeases(away, db.url) });
  try {
    expect((await open(standard, {}, uncounted)).status).toBe(200);
  } finally {
    away.disconnect();
    await uncounted.close();
  }
});

test('a key that is revoked, one whose plan is lowered and one that loses its scope end their streams; a raised one goes on with a new state', async () => {
  const revoked = await addKey();
  const lowered = await addKey();
  const raised = await addKey();
  const narrowed = await addKey();
  await db.pool.query('UPDATE api_keys SET is_primary = false WHERE key_hash = $1', [hashApiKey(narrowed)]);
  const streams = [await open(revoked), await open(lowered), await open(raised), await open(narrowed)];
  for (const stream of streams) await stream.until(named('state'));
  await db.pool.query('UPDATE api_keys SET revoked_at = now() WHERE key_hash = $1', [hashApiKey(revoked)]);
  for (const [key, plan] of [
    [lowered, 'hobby'],
    [raised, 'plus'],
  ] as const)
    await db.pool.query(
      'UPDATE accounts SET plan = $2 WHERE account_id = (SELECT account_id FROM api_keys WHERE key_hash = $1)',
      [hashApiKey(key), plan],
    );
  await db.pool.query(`UPDATE api_keys SET scopes = '{archive}' WHERE key_hash = $1`, [hashApiKey(narrowed)]);
  const codes: string[] = [];
  for (const stream of streams) {
    codes.push((await stream.until(named('error'))).data.code);
    await stream.ended;
  }
  expect(codes).toEqual(['unauthorized', 'plan_required', 'unavailable', 'scope_required']);
  const { lastEventId } = streams[2]!;
  const wider = await open(raised, { lastEventId });
  expect((await wider.until(named('state'))).data.horizon_hours).toBe(168);
  expect(wider.events[0]).toEqual({ event: 'reset', data: { reason: 'other_rights' } });
});

test('a follower that fails harms no other; a clock of the database that went back ends all, and a database that was away none', async () => {
  const log = { error: () => {} };
  const reads = createReads(pool);
  let place: (() => ReturnType<typeof reads.boardPlace>) | null = null;
  const boardPlace = () => (place ?? reads.boardPlace)();
  const now = () => Date.parse(NOW);
  const feed = createBoardFeed({ reads: { ...reads, boardPlace }, clock: REAL_TIME, log, now, pauseMs: 5 });
  const selection = { includeUnresolved: true, betslip: false, horizonHours: 48 };
  const read = (): never => {
    throw new Error('a follower fails');
  };
  const failing = { read, lost: jest.fn() };
  await feed.follow(selection, failing);
  const texts: string[] = [];
  const sink = { event: (bytes: Buffer) => void texts.push(bytes.toString()), lost: jest.fn() };
  const stream = createChangesStream(feed);
  const { leave } = await stream.open(selection, { lastEventId: null, connection: randomUUID() }, sink);
  const has = (what: string) => async () => texts.some((text) => text.includes(what));
  await poll(6.5);
  await until(has(':6.5,'));
  expect(failing.lost).toHaveBeenCalledTimes(1);
  let attempts = 0;
  place = async () => {
    attempts++;
    throw new Error('the database is away');
  };
  await poll(7.5);
  await until(async () => attempts > 2);
  await expect(stream.open(selection, { lastEventId: null, connection: randomUUID() }, sink)).rejects.toThrow(
    'is away',
  );
  place = null;
  await until(has(':7.5,'));
  expect(sink.lost).not.toHaveBeenCalled();
  const idIn = (text: string): string | undefined => /^id: (.*)$/m.exec(text)?.[1];
  const before = texts.map(idIn).findLast((id) => id !== undefined)!;
  place = async () => ({ nowMs: Date.now() - 600_000, settledMs: Date.now() - 600_000 });
  await until(async () => sink.lost.mock.calls.length === 1);
  leave();
  // Writes after the step have marks of before it: a client that got the last event begins again, and so does one that
  // broke before.
  expect(connectionOf(idIn(texts.at(-1)!)!)).toBe(connectionOf(before));
  const resets = async (lastEventId: string) => {
    const again = await stream.open(selection, { lastEventId, connection: randomUUID() }, sink);
    again.leave();
    const [, reset] = again.opening.map(String);
    return /^event: reset\ndata: \{"reason":"(.*)"\}/.exec(reset!)?.[1];
  };
  expect([await resets(idIn(texts.at(-1)!)!), await resets(before)]).toEqual(['too_old', 'in_the_future']);
  place = null;
  // Also when the clock has come to that instant again.
  expect([await resets(idIn(texts.at(-1)!)!), await resets(before)]).toEqual(['too_old', 'clock_set_back']);
});

test('however little of the first events comes, a client that returns gets all of the state', async () => {
  const now = () => Date.parse(NOW);
  const reads = createReads(pool);
  const feed = createBoardFeed({ reads, clock: REAL_TIME, log: { error: () => {} }, now, pauseMs: 5 });
  const selection = { includeUnresolved: true, betslip: false, horizonHours: 48 };
  const stream = createChangesStream(feed);
  const leaves: (() => void)[] = [];
  const begin = async (lastEventId: string | null) => {
    const connection = randomUUID();
    const sink = { event: () => {}, lost: () => {} };
    const { opening, leave } = await stream.open(selection, { lastEventId, connection }, sink);
    leaves.push(leave);
    return { connection, texts: opening.map(String) };
  };
  const ahead = eventId(Date.now() + 60_000, idScope(selection, {}), randomUUID());
  for (const lastEventId of [null, 'x', ahead]) {
    const { connection, texts } = await begin(lastEventId);
    const ids = texts.map((text) => /^id: (.*)$/m.exec(text)?.[1]);
    expect(ids.slice(1, -1).every((id) => id === undefined)).toBe(true);
    expect(connectionOf(ids[0]!)).toBe(connection);
    const again = (await begin(ids[0]!)).texts;
    expect(again.slice(1, 3).map((text) => /^event: (.*)$/m.exec(text)![1])).toEqual(['reset', 'race']);
    expect(again.length).toBeGreaterThan(texts.length - 1);
  }
  for (const leave of leaves) leave();
});

test('a stream that is closed is collected, and an open one keeps no reading of before', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const now = () => Date.parse(NOW);
  const feed = createBoardFeed({
    reads: createReads(pool),
    clock: REAL_TIME,
    log: { error: () => {} },
    now,
    pauseMs: 5,
  });
  const readings: WeakRef<object>[] = [];
  const follow: BoardFeed['follow'] = async (...of) => {
    const place = await feed.follow(...of);
    readings.push(new WeakRef(place.reading));
    return place;
  };
  const stream = createChangesStream({ ...feed, follow });
  const selection = { includeUnresolved: true, betslip: false, horizonHours: 48 };
  const begin = async () => {
    const sink = { event: () => {}, lost: () => {} };
    const { leave, heartbeat } = await stream.open(selection, { lastEventId: null, connection: randomUUID() }, sink);
    return { leave, heartbeat, sink: new WeakRef(sink) };
  };
  const closed = async () => {
    const { leave, sink } = await begin();
    leave();
    return sink;
  };
  const { leave, heartbeat, sink } = await begin();
  const left = await closed();
  await until(async () => {
    collect();
    return left.deref() === undefined && readings.every((reading) => reading.deref() === undefined);
  });
  expect([sink.deref() === undefined, heartbeat().toString()]).toEqual([false, expect.stringMatching(/^: /)]);
  leave();
});

test('a process that stops ends its streams at once, and gives the minute back', async () => {
  const key = await addKey();
  const stopping = new AbortController();
  const api = await start({ stopping: stopping.signal, streamBounds: { heartbeatMs: 20 } });
  try {
    const stream = await open(key, {}, api);
    const { id } = await stream.until(named('state'));
    await until(async () => stream.comments.length > 1);
    expect(stream.lastEventId >= id!).toBe(true);
    stopping.abort();
    await stream.ended;
    expect(stream.events.some(named('error'))).toBe(false);
    await until(async () => (await used(key)) === 0);
    expect((await api.get(HERE, key)).status).toBe(503);
  } finally {
    await api.close();
  }
});

test('a minute whose state the service cuts off is given back; one whose client leaves before the state is complete is not', async () => {
  const reads = createReads(pool);
  // More than the buffers between a process and a client that reads nothing.
  const board: typeof reads.board = async (query) => {
    const [race] = await reads.board(query);
    return Array.from({ length: 12 }, () => ({ ...race!, race_id: randomUUID(), venue: 'x'.repeat(2 * 1024 * 1024) }));
  };
  const now = () => Date.parse(NOW);
  const feed = createBoardFeed({ reads: { ...reads, board }, clock: REAL_TIME, log: { error: () => {} }, now });
  const open = new Set<() => void>();
  const boardFeed: BoardFeed = {
    ...feed,
    follow: async (selection, follower) => {
      const following = await feed.follow(selection, follower);
      open.add(follower.lost);
      return {
        ...following,
        leave: () => {
          open.delete(follower.lost);
          following.leave();
        },
      };
    },
  };
  const api = await start({ boardFeed, streamBounds: { lingerMs: PATIENT_MS } });
  const left = await addKey();
  const cut = await addKey();
  const begin = async (key: string) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.write(`GET ${HERE} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`);
    await once(socket, 'readable');
    expect(await used(key)).toBe(2);
    return socket;
  };
  try {
    (await begin(left)).destroy();
    await until(async () => open.size === 0);
    const socket = await begin(cut);
    for (const lost of open) lost();
    await until(async () => (await used(cut)) === 0);
    expect(await used(left)).toBe(2);
    const bytes: Buffer[] = await socket.toArray();
    const text = Buffer.concat(bytes).toString();
    expect([text.includes('event: race'), text.includes('event: state'), text.includes('event: error')]).toEqual([
      true,
      false,
      true,
    ]);
  } finally {
    await api.close();
  }
});
