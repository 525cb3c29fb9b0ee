// The stream of changes at two API processes over one database and one Redis: what it sends, and to whom it sends
// everything again.
import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { connectionOf, eventId, idScope } from '../../../../src/api/kernel/stream/event-id';
import { type BoardFeed, createBoardFeed } from '../../../../src/api/operations/changes/board-feed';
import { createChangesStream } from '../../../../src/api/operations/changes/changes-stream';
import { REAL_TIME } from '../../../../src/domain/time/clock';
import { createQuoteStore } from '../../../../src/store/polls/quotes';
import { createReads } from '../../../../src/store/reads/reads';
import { createNoticeSender, followNotices, withNotices } from '../../../../src/store/redis/board-notices';
import { createRedis } from '../../../../src/store/redis/redis';
import { NOW } from '../../../support/api/api';
import { expectConforms } from '../../../support/api/conforms';
import { BETSLIP, EXCHANGE_PRICES } from '../../../support/api/served';
import { named, type StreamEvent } from '../../../support/api/stream-client';
import { PATIENT_MS } from '../../../support/patient';
import { addRace } from '../../../support/races/board';
import { feedRunner } from '../../../support/races/builders';
import { changesStreams, HERE, until } from './changes-streams';

const lab = changesStreams();
const { clients, start, addKey, open, poll, rowsIn, hasPrice } = lab;

test('it begins with the races of next-to-go and continues with their changes', async () => {
  const key = await addKey('plus');
  const before = (await lab.apis[0].get('/v1/racing/next-to-go?num_races=200&hours_ahead=168', key)).body;
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
  // Later reports of an exchange are not even noticed.
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

test('filters are those of changes, and equal streams share the unfiltered data', async () => {
  const key = await addKey('business');
  const horses = await open(key, { search: '?category=horse' });
  const dogs = await open(key, { search: '?categories=greyhound' });
  const abroad = await open(key, { search: '?country=NZ' });
  for (const stream of [horses, dogs, abroad]) await stream.until(named('state'));
  expect([horses, dogs, abroad].map(({ events }) => events.length > 1)).toEqual([true, false, false]);
  await poll(3.5);
  await horses.until(hasPrice(3.5));
  expect([dogs, abroad].map(({ events }) => events.length)).toEqual([1, 1]);
  const refused = await lab.apis[0].get(`${HERE}?category=dogs`, key);
  expect([refused.status, refused.body.code]).toEqual([422, 'validation']);
});

test('the state ends at the plan’s horizon, and a race that enters it is sent whole', async () => {
  const key = await addKey();
  const startTime = new Date(lab.apis[0].now + 48 * 3_600_000 + 30_000).toISOString();
  const listed = { venue: 'Horizon', meetingDate: '2026-11-23', startTime };
  const { raceId: later } = await addRace(lab.db.pool, listed, { tab: { runners: [feedRunner(1, { win: 7 })] } });
  const isLater = ({ event, data }: StreamEvent): boolean => event === 'race' && data.race_id === later;
  const stream = await open(key);
  await stream.until(named('state'));
  expect(stream.events.some(isLater)).toBe(false);
  lab.apis[0].now += 60_000;
  const { data } = await stream.until(isLater);
  expect(data.runners[0].bookmakers[0].win_price).toBe(7);
});

test('Last-Event-ID fills the gap at another process; a gap that cannot be filled starts over with reset', async () => {
  const key = await addKey('platform');
  // Writes less than two seconds before an id are sent again: by then the tests before are older.
  await lab.db.pool.query('SELECT pg_sleep(2.1)');
  const first = await open(key);
  await first.until(named('state'));
  await first.close();
  await poll(3.75);
  const { lastEventId } = first;
  const second = await open(key, { lastEventId }, lab.apis[1]);
  const end = await second.until(named('state'));
  const races = second.events.filter(named('race'));
  expect(races.map(({ data }) => data.race_id)).toContain(lab.raceId);
  // Not the state: most races did not change.
  expect(races.length).toBeLessThan(end.data.race_count);
  expect(end.id! >= lastEventId.split(' ')[0]!).toBe(true);
  const at = (ms: number): string =>
    [new Date(Date.now() + ms).toISOString(), ...lastEventId.split(' ').slice(1)].join(' ');
  // An instant alone shows nothing about its client's data.
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

test('an id works only with its own filters and betslip links; other streams start over', async () => {
  const key = await addKey('platform');
  const links = await start({ betslipTemplates: { ...BETSLIP, tab: 'https://elsewhere.example/{race_id}' } });
  const first = await open(key, { search: '?category=horse&country=NZ,AU' });
  await first.until(named('state'));
  await first.close();
  const { lastEventId } = first;
  const returned = async (search: string, api = lab.apis[1]) => {
    const stream = await open(key, { search, lastEventId }, api);
    const { data } = await stream.until(named('state'));
    const reset = stream.events.find(named('reset'));
    // Its data is discarded: it gets all of the new state.
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
  const write = (sql: string, id: string) => lab.db.pool.query(`UPDATE races SET ${sql} WHERE race_id = $1`, [id]);
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
    ids.set(reason, (await addRace(lab.db.pool, listed, books)).raceId);
  }
  const live = await open(key);
  await live.until(named('state'));
  const { lastEventId } = live;
  for (const [reason, sql] of Object.entries(why)) await write(sql, ids.get(reason)!);
  const isGone = (race: string) => (event: StreamEvent) => event.event === 'gone' && event.data.race_id === race;
  for (const [reason, id] of ids) expect((await live.until(isGone(id))).data).toEqual({ race_id: id, reason });
  const later = await open(key, { lastEventId }, lab.apis[1]);
  await later.until(named('state'));
  for (const [reason, id] of ids) expect(later.events.find(isGone(id))?.data).toEqual({ race_id: id, reason });
});

test('a failing follower ends no other stream, nor does a database outage; a database clock that is set back ends all streams', async () => {
  const log = { error: () => {} };
  const reads = createReads(lab.pool);
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
  // Writes after the step have marks from before it: a client that got the last event starts over, and so does one that
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

test('a price that a poller reports as written is sent before the board is read again, with an id that continues elsewhere', async () => {
  const url = lab.db.url;
  const heard = createRedis(process.env.REDIS_URL!, PATIENT_MS);
  const scope = { databaseDirectUrl: url, clock: REAL_TIME };
  const notices = followNotices(heard, scope);
  const now = () => Date.parse(NOW);
  const never = 3_600_000;
  const reads = createReads(lab.pool);
  const feed = createBoardFeed({ reads, clock: REAL_TIME, log: { error: () => {} }, now, notices, pauseMs: never });
  const selection = { includeUnresolved: true, betslip: true, horizonHours: 168 };
  const texts: string[] = [];
  const sink = { event: (bytes: Buffer) => void texts.push(bytes.toString()), lost: () => {} };
  const stream = createChangesStream(feed);
  try {
    await until(async () => (await lab.redis.publish(`board-written:${new URL(url).pathname.slice(1)}:0:1`, 'x')) > 0);
    const { opening, leave } = await stream.open(selection, { lastEventId: null, connection: randomUUID() }, sink);
    const quotes = withNotices(createQuoteStore(lab.db.pool), createNoticeSender(lab.redis, scope));
    await poll(9.25, 'tab', quotes);
    await until(async () => texts.length > 0);
    expect(texts.join()).toContain('"win_price":9.25,');
    // The place of the state: other races may have been written since.
    const idIn = (text: string): string => /^id: (.*)$/m.exec(text)![1]!;
    expect(idIn(texts[0]!)).toBe(idIn(String(opening.at(-1))));
    leave();
    const start = { lastEventId: idIn(texts[0]!), connection: randomUUID() };
    const again = await createChangesStream(createBoardFeed({ reads, clock: REAL_TIME, log: console, now })).open(
      selection,
      start,
      sink,
    );
    again.leave();
    const sentAgain = again.opening.map(String).filter((text) => text.startsWith('event: race'));
    expect(sentAgain.join()).toContain('"win_price":9.25,');
  } finally {
    heard.disconnect();
  }
});

test('a client that reconnects after part of the first events gets the whole state', async () => {
  const now = () => Date.parse(NOW);
  const reads = createReads(lab.pool);
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

test('a closed stream is garbage-collected, and an open one keeps no earlier reading', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const now = () => Date.parse(NOW);
  const feed = createBoardFeed({
    reads: createReads(lab.pool),
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
  expect([sink.deref() === undefined, heartbeat().bytes.toString()]).toEqual([false, expect.stringMatching(/^: /)]);
  leave();
});
