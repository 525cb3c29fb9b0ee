// Rounds of the feed of sports against a metered source over real HTTP and the real database: what is polled, what it
// costs, and whose prices count.
import fc from 'fast-check';
import { pollSports } from '../../../src/activities/sports/poll-sports';
import { creditMonthOf } from '../../../src/domain/sports/feed-plan';
import { sportOf } from '../../../src/domain/sports/sports';
import { createTheOddsApi, THE_ODDS_API } from '../../../src/feeds/the-odds-api/fetch';
import { createStores } from '../../../src/store/create-stores';
import { createReads } from '../../../src/store/reads/reads';
import type { PushedEvent } from '../../../src/store/sports/pushed-event';
import { type BookServer, json, startBookServer } from '../../feeds/support/book-server';
import { PATIENT_MS } from '../../support/patient';
import { runs } from '../../support/property';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

const START = Date.parse('2026-11-21T03:00:00.000Z');
const MINUTE = 60_000;
const iso = (ms: number): string => new Date(ms).toISOString();
let server: BookServer;
let db: TestDatabase;
beforeAll(async () => {
  [server, db] = await Promise.all([startBookServer(), createTestDatabase()]);
});
afterAll(async () => {
  await server?.close();
  await db?.drop();
});

interface Fixture {
  readonly id: string;
  readonly home: string;
  readonly away: string;
  startMs: number;
  /** By book: the home side's price and, for totals, the line. */
  books: Record<string, { readonly home: number; readonly total?: number; readonly stampMs?: number }>;
}

/**
 * An account at the source: its fixtures by its own keys of sports, what it charged, and how it answers requests for
 * prices.
 */
function account(fixtures: Record<string, Fixture[]>) {
  const state = {
    used: 0,
    remaining: 100_000,
    charged: [] as { atMs: number; sport: string }[],
    fault: null as null | 'status' | 'hang' | 'starts',
  };
  const world = { nowMs: START };
  server.answer((request, response) => {
    const [, , , sport = '', what] = request.url!.split('?')[0]!.split('/');
    const list = fixtures[sport] ?? [];
    const isPaid = what === 'odds';
    if (isPaid && state.fault === 'hang') return;
    if (what === 'events' && state.fault === 'starts') return json({ message: 'no' }, {}, 500)(request, response);
    if (isPaid && state.fault === 'status') return json({ message: 'no' }, {}, 500)(request, response);
    if (isPaid && state.remaining < 3)
      return json({ message: 'no', error_code: 'OUT' }, headers(0), 401)(request, response);
    const cost = isPaid && list.length > 0 ? 3 : 0;
    state.used += cost;
    state.remaining -= cost;
    if (isPaid) state.charged.push({ atMs: world.nowMs, sport });
    const body =
      sport === ''
        ? Object.keys(fixtures).map((key) => ({ key, active: true }))
        : list.map((one) => eventOf(sport, one));
    return json(body, headers(cost))(request, response);
  });
  const headers = (last: number) => ({
    'x-requests-used': `${state.used}`,
    'x-requests-remaining': `${state.remaining}`,
    'x-requests-last': `${last}`,
  });
  return { state, world };
}

function eventOf(sport: string, { id, home, away, startMs, books }: Fixture) {
  return {
    id,
    sport_key: sport,
    sport_title: sport.includes('afl') ? 'AFL' : 'NRL',
    commence_time: iso(startMs),
    home_team: home,
    away_team: away,
    bookmakers: Object.entries(books).map(([key, { home: price, total, stampMs }]) => ({
      key,
      title: key,
      markets: [
        {
          key: 'h2h',
          last_update: iso(stampMs ?? START),
          outcomes: [
            { name: home, price },
            { name: away, price: 2 },
          ],
        },
        ...(total
          ? [{ key: 'totals', outcomes: ['Over', 'Under'].map((name) => ({ name, price: 1.9, point: total })) }]
          : []),
      ],
    })),
  };
}

async function lab(fixtures: Record<string, Fixture[]>, monthlyCredits = 100_000, timeoutMs = PATIENT_MS) {
  for (const table of [
    'feed_sports',
    'feed_credits',
    'sport_push_sports',
    'sport_pushes',
    'sport_quotes',
    'sport_event_books',
  ])
    await db.pool.query(`DELETE FROM ${table}`);
  await db.pool.query('DELETE FROM sport_ticks');
  await db.pool.query('DELETE FROM sport_events');
  const { state, world } = account(fixtures);
  const stores = createStores(db.pool);
  const settings = { key: 'mine' };
  const endpoint = { baseUrl: server.url, contact: 'c', partner: 'p', timeoutMs, settings };
  const feed = createTheOddsApi(endpoint, () => world.nowMs);
  const deps = {
    stores,
    now: () => world.nowMs,
    clock: { anchorMs: 0, speed: 1 },
    sportsFeed: { feed, monthlyCredits },
  };
  const spent = async (month = creditMonthOf(world.nowMs)) =>
    (await stores.feedLevels.credits(THE_ODDS_API, month))?.spent ?? 0;
  const priced = async (after = world.nowMs) => {
    const matches = await createReads(db.pool).matches({ sportKey: null, after: iso(after) });
    return matches.flatMap(({ homeTeam, books }) =>
      books.flatMap(({ bookmaker, markets }) =>
        markets.map(({ market, home }) => `${homeTeam} ${bookmaker} ${market} ${home}`),
      ),
    );
  };
  return { deps, state, world, stores, spent, priced, round: () => pollSports(deps) };
}

const swans = (over: Partial<Fixture> = {}): Fixture => ({
  id: 'e1',
  home: 'Sydney Swans',
  away: 'Carlton Blues',
  startMs: START + 5 * MINUTE,
  books: { tab: { home: 1.9, total: 165.5 }, neds: { home: 1.95 } },
  ...over,
});
const broncos = (over: Partial<Fixture> = {}): Fixture =>
  swans({ id: 'e2', home: 'Brisbane Broncos', away: 'Melbourne Storm', books: { tab: { home: 1.8 } }, ...over });

test('the nearest start comes first, the waits follow it, and an early round costs nothing', async () => {
  const { state, world, spent, round } = await lab({
    aussierules_afl: [swans({ startMs: START + 40 * MINUTE })],
    rugbyleague_nrl: [broncos({ startMs: START + 20 * MINUTE })],
    aussierules_aflw: [],
  });
  expect(await round()).toEqual({ waitMs: 2 * MINUTE });
  expect(state.charged.map(({ sport }) => sport)).toEqual(['rugbyleague_nrl', 'aussierules_afl']);
  expect(await round()).toEqual({ waitMs: 2 * MINUTE });
  expect(await spent()).toBe(6);
  for (let atMs = START; atMs < START + 20 * MINUTE; ) {
    const { waitMs } = await round();
    atMs += waitMs!;
    world.nowMs = atMs;
  }
  const nrl = state.charged
    .filter(({ sport }) => sport === 'rugbyleague_nrl')
    .map(({ atMs }) => (atMs - START) / MINUTE);
  expect(nrl).toEqual([0, 2, 4, 6, 8, ...Array.from({ length: 20 }, (_, i) => 10 + i / 2)]);
  // After its start this match is no longer polled; the other one still is.
  world.nowMs = START + 21 * MINUTE;
  await round();
  expect(state.charged.at(-1)!.sport).toBe('aussierules_afl');
});

test('an account with few credits spends them on the nearest start, and without a key or a feed nothing is polled', async () => {
  const sports = { aussierules_afl: [swans({ startMs: START + 600 * MINUTE })], rugbyleague_nrl: [broncos()] };
  const { state, round, deps } = await lab(sports);
  state.remaining = 4;
  await round();
  expect(state.charged.map(({ sport }) => sport)).toEqual(['rugbyleague_nrl']);
  const counted = await db.pool.query(
    "SELECT reason FROM connector_counts WHERE connector = 'the_odds_api' AND kind = 'refused'",
  );
  expect(counted.rows).toContainEqual({ reason: 'over_credits' });
  expect(await pollSports({ ...deps, sportsFeed: null })).toEqual({ waitMs: null });
});

test('a month never costs more than its budget: over restarts, steps of the clock, and calls that fail', async () => {
  const step = fc.record({
    minutes: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: -3000, max: 3000 })),
    fault: fc.constantFrom(null, null, 'status' as const),
    // The process ends after taking credits and before the reply.
    isCut: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 60 }),
      fc.array(step, { minLength: 4, maxLength: 10 }),
      async (budget, steps) => {
        const near = Array.from({ length: 3 }, (_, i) => swans({ id: `n${i}` }));
        const { state, world, round, stores, spent } = await lab(
          { aussierules_afl: near, rugbyleague_nrl: [broncos()] },
          budget,
        );
        world.nowMs = Date.parse('2026-11-29T23:00:00.000Z');
        for (const { minutes, fault, isCut } of steps) {
          world.nowMs += minutes * MINUTE;
          for (const one of near) one.startMs = world.nowMs + 5 * MINUTE;
          state.fault = fault;
          if (isCut)
            await stores.feedLevels.take(
              { source: THE_ODDS_API, month: creditMonthOf(world.nowMs), credits: 3 },
              budget,
            );
          await round();
          const month = creditMonthOf(world.nowMs);
          const charged = state.charged.filter(({ atMs }) => creditMonthOf(atMs) === month).length * 3;
          expect(charged).toBeLessThanOrEqual(await spent(month));
          expect(await spent(month)).toBeLessThanOrEqual(budget);
        }
      },
    ),
    { numRuns: runs(30) },
  );
});

test('a hanging host is tried with free lists before it may cost anything again', async () => {
  const { state, world, round, spent } = await lab(
    { aussierules_afl: [swans({ startMs: START + 5 * MINUTE })] },
    100_000,
    200,
  );
  state.fault = 'hang';
  await round();
  expect(await spent()).toBe(3);
  const before = server.requests.length;
  world.nowMs += MINUTE;
  state.fault = null;
  await round();
  expect(server.requests.slice(before).map(({ url }) => url!.split('?')[0])).toEqual([
    '/v4/sports',
    '/v4/sports/aussierules_afl/odds',
  ]);
});

// A service that started on a busy machine did not poll the feed for a quarter of an hour.
test('unreadable starts are read again within half a minute', async () => {
  const { state, world, round } = await lab({ aussierules_afl: [swans({ startMs: START + 5 * MINUTE })] });
  state.fault = 'starts';
  expect(await round()).toEqual({ waitMs: MINUTE / 2 });
  world.nowMs += MINUTE / 2;
  state.fault = null;
  await round();
  expect(state.charged).toHaveLength(1);
});

test('a price missing from a reply is withdrawn for that match only, and never after the match has started', async () => {
  const [one, two] = [swans({ startMs: START + 50 * MINUTE }), broncos({ startMs: START + 50 * MINUTE })];
  const sports = { aussierules_afl: [one], rugbyleague_nrl: [two] };
  const { world, round, priced } = await lab(sports);
  await round();
  const all = ['Brisbane Broncos tab h2h 1.8', 'Sydney Swans neds h2h 1.95', 'Sydney Swans tab h2h 1.9'];
  const [nrl, neds, tab] = all as [string, string, string];
  const total = 'Sydney Swans tab totals 1.9';
  expect((await priced()).sort()).toEqual([...all, total].sort());
  const next = async (minutes = 2) => {
    world.nowMs += minutes * MINUTE;
    await round();
    return (await priced()).sort();
  };
  one.books = { tab: { home: 1.9 }, neds: { home: 1.95 } };
  expect(await next()).toEqual([nrl, neds, tab]);
  one.books = { tab: { home: 1.9 } };
  expect(await next()).toEqual([nrl, tab]);
  sports.aussierules_afl = [];
  expect(await next()).toEqual([nrl]);
  // Lists of starts are read every quarter of an hour.
  sports.aussierules_afl = [one];
  expect(await next(15)).toEqual([nrl, tab]);
  const closing = async () =>
    (await db.pool.query("SELECT home_price FROM sport_quotes WHERE bookmaker_key = 'tab' ORDER BY 1")).rows;
  const before = await closing();
  world.nowMs = START + 51 * MINUTE;
  sports.rugbyleague_nrl = [
    broncos({ id: 'e9', startMs: START + 60 * MINUTE, home: 'Penrith Panthers', away: 'Dolphins' }),
  ];
  await round();
  const { rows } = await db.pool.query(
    "SELECT b.taken_back_at FROM sport_event_books b JOIN sport_events e USING (event_id) WHERE e.home_team = 'Brisbane Broncos'",
  );
  expect(rows).toEqual([{ taken_back_at: null }]);
  expect(await closing()).toEqual(expect.arrayContaining(before));
});

test('a book’s own push wins for half an hour; neither withdraws the other’s prices', async () => {
  const one = swans({ startMs: START + 600 * MINUTE });
  const { world, round, priced, stores } = await lab({ aussierules_afl: [one] });
  const pushed = (home: number, homeTeam = 'Sydney Swans'): PushedEvent => ({
    sport: sportOf('afl')!,
    sourceId: 'own-1',
    homeTeam,
    awayTeam: 'Carlton Blues',
    competition: 'AFL',
    commenceTime: iso(one.startMs),
    markets: [{ market: 'h2h', prices: { home, draw: null, away: 2, homePoint: null, awayPoint: null } }],
  });
  const push = (events: readonly PushedEvent[]) =>
    stores.sportIngest.push({ bookmakerKey: 'tab', observedAt: iso(world.nowMs), events }, iso(world.nowMs));
  await push([pushed(2.1)]);
  await round();
  expect((await priced()).sort()).toEqual(['Sydney Swans neds h2h 1.95', 'Sydney Swans tab h2h 2.1']);
  // The book offers nothing more: its rows are removed, and the feed's do not come yet.
  world.nowMs += 15 * MINUTE;
  await push([]);
  await round();
  expect(await priced()).toEqual(['Sydney Swans neds h2h 1.95']);
  // Half an hour after the book's last push of the sport, the feed is its source.
  world.nowMs += 15 * MINUTE;
  await round();
  const fed = ['Sydney Swans neds h2h 1.95', 'Sydney Swans tab h2h 1.9', 'Sydney Swans tab totals 1.9'];
  expect((await priced()).sort()).toEqual(fed);
  // A push of another sport withdraws nothing of the feed's.
  world.nowMs += MINUTE;
  await push([
    { ...pushed(1.7), sport: sportOf('nrl')!, competition: 'NRL', homeTeam: 'Dolphins', awayTeam: 'Penrith Panthers' },
  ]);
  expect((await priced()).sort()).toEqual(['Dolphins tab h2h 1.7', ...fed]);
  // The book pushes the match again: it is still one match, by its sides and its competition.
  world.nowMs += MINUTE;
  await push([pushed(2.2)]);
  expect((await priced()).sort()).toEqual(['Sydney Swans neds h2h 1.95', 'Sydney Swans tab h2h 2.2']);
});

// A book's push may be in flight for long, while the feed's prices arrive.
test('older prices never replace newer ones, and a feed price that a pushing book no longer lists ages', async () => {
  const step = fc.record({
    isPush: fc.boolean(),
    minutes: fc.integer({ min: 0, max: 40 }),
    late: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 })),
    lists: fc.boolean(),
  });
  const observed = async (): Promise<ReadonlyMap<string, string>> => {
    const { rows } = await db.pool.query<{ key: string; at: string }>(
      `SELECT concat_ws(' ', event_id, bookmaker_key) AS key, observed_at AS at FROM sport_event_books
       UNION ALL SELECT concat_ws(' ', event_id, bookmaker_key, market), observed_at FROM sport_quotes`,
    );
    return new Map(rows.map(({ key, at }) => [key, at]));
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 6 }), async (steps) => {
      const one = swans({ startMs: START + 900 * MINUTE });
      const { world, round, stores } = await lab({ aussierules_afl: [one] });
      let before = await observed();
      for (const { isPush, minutes, late, lists } of steps) {
        world.nowMs += minutes * MINUTE;
        const observedAt = iso(world.nowMs - late * MINUTE);
        const event = {
          sport: sportOf('afl')!,
          sourceId: 'own-1',
          homeTeam: one.home,
          awayTeam: one.away,
          competition: 'AFL',
          commenceTime: iso(one.startMs),
          markets: [{ market: 'h2h', prices: { home: 2.1, draw: null, away: 2, homePoint: null, awayPoint: null } }],
        } as const;
        const events: readonly PushedEvent[] = lists ? [event] : [];
        if (isPush) await stores.sportIngest.push({ bookmakerKey: 'tab', observedAt, events }, iso(world.nowMs));
        else await round();
        const after = await observed();
        for (const [key, at] of after) expect(Date.parse(at)).toBeGreaterThanOrEqual(Date.parse(before.get(key) ?? at));
        // Only the source that lists a match refreshes its prices.
        if (isPush && !lists) expect(after).toEqual(before);
        before = after;
      }
    }),
    { numRuns: runs(30) },
  );
});
