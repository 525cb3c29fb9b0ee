// Movements read by one query, against a plain reading of the same generated captures in memory, in whole hundredths.
import { sequence, uuidOf } from '../../../../src/simulator/world/random';
import { createKeptMovements } from '../../../../src/store/reads/sports/kept-movements';
import { MOST_MOVEMENTS, readSportMovements } from '../../../../src/store/reads/sports/movements';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';
import { addMadeMatch, addMadeTicks, type MadeTick } from '../../../support/sports/made-ticks';

const BOOKS = ['betr_au', 'neds', 'sportsbet', 'tab', 'unibet'];
const MARKETS = ['h2h', 'totals'] as const;
const SIDES = ['home_price', 'draw_price', 'away_price', 'home_point', 'away_point'] as const;
const START_MS = Date.parse('2026-11-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const at = (hours: number): string => new Date(START_MS + hours * HOUR_MS).toISOString();

interface Query {
  readonly market: (typeof MARKETS)[number];
  readonly bookmakers: readonly string[];
  readonly from: string;
  readonly until: string;
  /** Hundredths. */
  readonly min: number;
}

let db: TestDatabase;
/** A process that has already answered other queries. */
let kept: ReturnType<typeof createKeptMovements>;
const draws = sequence(20261123);
/** Two start within the span of the captures; the last one is of another sport. */
const matches = [20, 150, 400, 420, 500, 430].map((hours, i) => ({
  eventId: uuidOf(7, `match ${i}`),
  sportKey: i < 5 ? 'nrl' : 'afl',
  commenceTime: at(hours),
}));
const ticks: MadeTick[] = matches.flatMap(({ eventId }) =>
  BOOKS.flatMap((bookmaker) => MARKETS.flatMap((market) => made(eventId, bookmaker, market))),
);

/**
 * Captures over 17 days in small and large steps; some are of a withdrawn market, some have a draw, some repeat the
 * current prices.
 */
function made(eventId: string, bookmaker: string, market: string): MadeTick[] {
  const cents = [190, 340, 210, -250, 250];
  const seconds = new Set<number>();
  while (seconds.size < 90) seconds.add(draws.between(0, 17 * 24 * 3600));
  return [...seconds]
    .sort((a, b) => a - b)
    .map((second): MadeTick => {
      for (let i = 0; i < 5; i++) if (draws.chance(0.4)) cents[i]! += draws.pick([-30, -5, -2, -1, 1, 2, 5, 30]);
      const isGone = draws.chance(0.06);
      const [home, draw, away, homePoint, awayPoint] = cents.map((one) => (isGone ? null : one / 100));
      const of = { eventId, bookmaker, market, capturedAt: new Date(START_MS + second * 1000).toISOString() };
      return { ...of, prices: [home!, draws.chance(0.5) ? draw! : null, away!, homePoint!, awayPoint!] };
    });
}

function plainly({ market, bookmakers, from, until, min }: Query) {
  const found = matches.flatMap((match) =>
    match.sportKey !== 'nrl' || match.commenceTime <= from
      ? []
      : bookmakers.flatMap((bookmaker) => {
          const own = ticks.filter(
            (one) => one.eventId === match.eventId && one.bookmaker === bookmaker && one.market === market,
          );
          return own.flatMap((tick, i) => {
            const before = own[i - 1];
            const { capturedAt } = tick;
            if (!before || capturedAt < from || capturedAt >= until || capturedAt >= match.commenceTime) return [];
            const steps = tick.prices.map((price, side) =>
              price === null || before.prices[side] === null
                ? 0
                : Math.abs(Math.round(price * 100) - Math.round(before.prices[side]! * 100)),
            );
            const most = Math.max(...steps);
            return most > 0 && most >= min ? [{ match, bookmaker, before, tick }] : [];
          });
        }),
  );
  const order = (one: (typeof found)[number]): string => `${one.match.eventId} ${one.bookmaker}`;
  found.sort(
    (a, b) =>
      (a.tick.capturedAt < b.tick.capturedAt ? 1 : a.tick.capturedAt > b.tick.capturedAt ? -1 : 0) ||
      (order(a) < order(b) ? -1 : 1),
  );
  const named = ({ prices }: MadeTick) => Object.fromEntries(SIDES.map((side, i) => [side, prices[i]]));
  return found.slice(0, MOST_MOVEMENTS).map(({ match, bookmaker, before, tick }) => ({
    event_id: match.eventId,
    sport_key: 'nrl',
    home_team: 'Home',
    away_team: 'Away',
    commence_time: match.commenceTime,
    bookmaker,
    market_type: market,
    from_recorded_at: before.capturedAt,
    to_recorded_at: tick.capturedAt,
    before: named(before),
    after: named(tick),
  }));
}

beforeAll(async () => {
  db = await createTestDatabase();
  for (const match of matches) await addMadeMatch(db, match);
  await addMadeTicks(db, ticks);
  kept = createKeptMovements(db.pool);
});
afterAll(() => db.drop());

const both = async (query: Query) => {
  const { min, ...of } = query;
  const asked = { ...of, sportKey: 'nrl', minDelta: min / 100 };
  const plain = plainly(query);
  expect(await readSportMovements(db.pool, asked)).toEqual(plain);
  expect(await kept(asked)).toEqual(plain);
  return plain.length;
};

test.each([0, 1, 2, 3, 30, 31, 500])('finds moves of %d hundredths or more, over any span and books', async (min) => {
  const counts: number[] = [];
  for (let i = 0; i < 8; i++) {
    const from = draws.between(0, 380);
    const span = { from: at(from), until: at(from + draws.between(1, 168)) };
    const bookmakers = BOOKS.filter(() => draws.chance(0.7));
    counts.push(await both({ ...span, bookmakers, market: draws.pick(MARKETS), min }));
  }
  if (min <= 30) expect(Math.max(...counts)).toBeGreaterThan(20);
});

test('from is inclusive and until exclusive; the price that stood before a span is that span’s own', async () => {
  const of = { bookmakers: BOOKS, market: 'h2h', min: 0 } as const;
  for (let i = 0; i < 10; i++) {
    const [one, other] = [draws.pick(ticks), draws.pick(ticks)].map(({ capturedAt }) => capturedAt).sort();
    await both({ ...of, from: one!, until: other! });
  }
});

test('the cache answers every span, later or earlier, and spans with captures after its end', async () => {
  const of = { bookmakers: BOOKS, market: 'h2h', min: 0 } as const;
  const counts: number[] = [];
  for (let i = 0; i < 40; i++) {
    const until = draws.chance(0.5) ? 1000 : draws.between(100, 400);
    counts.push(await both({ ...of, from: at(draws.between(0, until === 1000 ? 400 : 99)), until: at(until) }));
  }
  expect(Math.max(...counts)).toBe(MOST_MOVEMENTS);
  expect(Math.min(...counts)).toBeLessThan(MOST_MOVEMENTS);
});

test('only the newest movements are read if there are more than a page', async () => {
  const all = { bookmakers: BOOKS, market: 'totals', min: 0, from: at(0), until: at(1000) } as const;
  expect(await both(all)).toBe(MOST_MOVEMENTS);
});
