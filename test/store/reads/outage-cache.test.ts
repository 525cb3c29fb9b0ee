// While the database is unavailable, only the last answer to the same query is served, and not forever. The database is
// a real one behind a TCP proxy that can be cut.
import { connect, createServer, type Server, type Socket } from 'node:net';
import { CUSTOMERS } from '../../../src/api/kernel/endpoint/visibility';
import { createBetslipBoard } from '../../../src/api/operations/betslip/betslip-links';
import { createBestOddsBoard } from '../../../src/api/operations/prices/best-odds-board';
import { nextToGo } from '../../../src/api/operations/prices/next-to-go';
import { createSportsBoard } from '../../../src/api/operations/sports/sports-board';
import { createMoverSource } from '../../../src/api/pages/mover-source';
import { createPool } from '../../../src/store/pg/pool';
import { withOutageCache } from '../../../src/store/reads/outage-cache';
import { createReads, type Reads } from '../../../src/store/reads/reads';
import { createSharedAnswers } from '../../../src/store/redis/shared-answers';
import { createMoverPages } from '../../../src/web/movers/movers';
import { moverFilter, moversMain } from '../../../src/web/movers/page';
import { feedField } from '../../support/races/builders';
import { storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

const NOW = Date.parse('2026-11-21T04:00:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();
const window = (nowMs: number, hours = 24) => ({
  at: iso(nowMs),
  from: iso(nowMs - 70 * 60_000),
  until: iso(nowMs + hours * 3_600_000),
  includeUnresolved: false,
});

let db: TestDatabase;
let proxy: Server;
let cut: () => void;
let pool: ReturnType<typeof createPool>;
let reads: Reads;
let wallMs = 0;

beforeEach(async () => {
  db = await createTestDatabase();
  const target = new URL(db.url);
  const serverPort = Number(target.port);
  const sockets = new Set<Socket>();
  proxy = createServer((near) => {
    const far = connect(serverPort, '127.0.0.1');
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  cut = () => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  };
  target.port = String((proxy.address() as { port: number }).port);
  pool = createPool(String(target), 2);
  wallMs = 0;
  reads = withOutageCache(createReads(pool), () => wallMs);
});
afterEach(async () => {
  cut();
  await pool.end();
  await db.drop();
});

test('the same query a minute later gets the last answer, without races that have since ended', async () => {
  const { raceId: early } = await storeRace(db, { startTime: iso(NOW - 9 * 60_000), raceNumber: 1 });
  const { raceId: later } = await storeRace(db, { startTime: iso(NOW + 30 * 60_000), raceNumber: 2 });
  const ids = async (nowMs: number) => (await reads.events(window(nowMs))).map((race) => race.race_id);
  expect(await ids(NOW)).toEqual([early, later]);
  cut();
  expect(await ids(NOW)).toEqual([early, later]);
  expect(await ids(NOW + 2 * 60_000)).toEqual([later]);
});

test('another query is unavailable, with the time to retry after', async () => {
  await reads.events(window(NOW));
  cut();
  await expect(reads.events(window(NOW, 48))).rejects.toMatchObject({
    code: 'unavailable',
    extensions: { retry_after_seconds: 5 },
  });
});

test('the last answer is served for a quarter of an hour', async () => {
  await reads.events(window(NOW));
  cut();
  wallMs = 15 * 60_000;
  await expect(reads.events(window(NOW))).rejects.toMatchObject({ code: 'unavailable' });
});

test('answers from rows of before count the age of these rows, not of the answer (A 2.4 rule 5)', async () => {
  const race = await storeRace(db, { startTime: iso(NOW + 30 * 60_000) });
  await race.poll(31 * 60, { runners: feedField(3, 5) });
  const MINUTES = 60_000;
  const shared = () => createSharedAnswers(null, 'outage');
  const agesAt = async (nowMs: number) => {
    const [first] = await boardOf(nowMs);
    const best = await createBestOddsBoard(reads, createBetslipBoard(reads, {}), shared()).racesFor(
      { key: 'all', betslip: false, board: { ...window(nowMs), bookmakers: ['ladbrokes_au'], limit: 1 } },
      nowMs,
    );
    const { matches, ...sports } = await createSportsBoard(reads, shared()).upcoming('nrl', nowMs);
    const [bestRace] = JSON.parse(best.bytes.toString());
    return {
      next: [first.cached, first.cache_age_seconds],
      best: [bestRace.cached, bestRace.cache_age_seconds, best.forOneOnly],
      sports: [sports.cacheAgeSeconds, nowMs - sports.readAtMs],
    };
  };
  const boardOf = async (nowMs: number) => {
    const query = {
      ...window(nowMs),
      hours_ahead: 24,
      num_races: 1,
      bookmakers: ['ladbrokes_au'],
      include_unresolved: false,
    };
    const rights = { betslip: false, horizonHours: 24 };
    const request = { query, rights, audience: CUSTOMERS, nowMs, services: { reads, betslip: undefined } };
    const { bytes } = (await nextToGo.handler(request as never)) as { bytes: Buffer };
    return JSON.parse(bytes.toString());
  };
  const fresh = { next: [false, 0], best: [false, 0, true], sports: [null, 0] };
  expect(await agesAt(NOW)).toEqual(fresh);
  wallMs += 4 * MINUTES;
  expect(await agesAt(NOW + 4 * MINUTES)).toEqual(fresh);
  cut();
  wallMs += 7 * MINUTES;
  expect(await agesAt(NOW + 11 * MINUTES)).toEqual({
    next: [true, 420],
    best: [true, 420, false],
    sports: [420, 7 * MINUTES],
  });
});

test('the page of movers has the time of its prices, and with stale prices alone says nothing of moves', async () => {
  const MINUTE = 60_000;
  const shownAt = async (nowMs: number) => {
    const { text } = moversMain(
      await createMoverPages({ source: createMoverSource(reads), now: () => nowMs }).read(),
      moverFilter({}),
      nowMs,
    );
    return [/as of <time datetime="([^"]+)"/.exec(text)![1], /<p class="empty">([^<]+)/.exec(text)?.[1]];
  };
  const none = 'No price has moved so far.';
  const old = 'Prices are not current, so no move is known.';
  expect(await shownAt(NOW)).toEqual([iso(NOW), none]);
  const race = await storeRace(db, { startTime: iso(NOW + 40 * MINUTE) });
  await race.poll(40 * 60, { runners: feedField(3, 5) });
  expect(await shownAt(NOW)).toEqual([iso(NOW), none]);
  // No collector runs.
  expect(await shownAt(NOW + 14 * MINUTE)).toEqual([iso(NOW + 14 * MINUTE), old]);
  await race.poll(26 * 60, { runners: feedField(3, 5) });
  expect(await shownAt(NOW + 14 * MINUTE)).toEqual([iso(NOW + 14 * MINUTE), none]);
  cut();
  wallMs += 5000;
  expect(await shownAt(NOW + 14 * MINUTE + 5000)).toEqual([iso(NOW + 14 * MINUTE), none]);
  wallMs += 10 * MINUTE;
  expect(await shownAt(NOW + 24 * MINUTE + 5000)).toEqual([iso(NOW + 14 * MINUTE), old]);
});

test('an internal defect is not hidden behind an old answer', async () => {
  await reads.venues(iso(NOW));
  await expect(reads.venues('not an instant')).rejects.toMatchObject({ code: '22007' });
});

test('an answer for a few matches of a sport, or with alternates, does not stand in for the whole sport', async () => {
  const query = { sportKey: 'nrl', after: iso(NOW) };
  const asked = [
    { ...query, eventIds: ['8d5d9a3e-0000-4000-8000-000000000001'] },
    { ...query, alternates: true },
  ];
  for (const one of asked) expect(await reads.matches(one)).toEqual([]);
  cut();
  for (const one of asked) expect(await reads.matches(one)).toEqual([]);
  await expect(reads.matches(query)).rejects.toMatchObject({ code: 'unavailable' });
});
