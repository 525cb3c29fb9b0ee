// A push announces exactly the arbs that a customer's read of all matches would show at its instant (D31), whichever
// matches it reads for that.
import fc from 'fast-check';
import { arbsOn } from '../../../src/domain/events/arb-opportunity';
import { sportOf } from '../../../src/domain/sports/sports';
import { createStores } from '../../../src/store/create-stores';
import { readMatches } from '../../../src/store/reads/sports/matches';
import type { PushedEvent } from '../../../src/store/sports/pushed-event';
import { runs } from '../../support/property';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const FIRST_MS = Date.parse('2026-11-21T00:00:00Z');
const at = (minutes: number): string => new Date(FIRST_MS + minutes * 60_000).toISOString();
const BOOKS = ['tab', 'sportsbet', 'ladbrokes_au'];
const SIDES = ['Otago', 'Taranaki', 'Waikato', 'Wellington'] as const;

/** About even, so that a tiny difference decides whether two books make an arb; sometimes exactly 100 %. */
const price = fc.constantFrom(1.9, 1.95, 1.99, 2, 2.01, 2.02, 2.05, null);
const point = fc.constantFrom(-2.5, -1.5, 1.5, 2.5);
const market = fc.record({
  home: price,
  draw: fc.constantFrom(null, 3.3, 21),
  away: price,
  point,
  total: fc.constantFrom(40.5, 41.5),
});
const pushed = fc.record({
  book: fc.constantFrom(...BOOKS),
  /** By match; null: not listed. */
  matches: fc.tuple(fc.option(fc.tuple(market, market, market)), fc.option(fc.tuple(market, market, market))),
});

type Pushed = typeof pushed extends fc.Arbitrary<infer T> ? T : never;

const eventsOf = ({ matches }: Pushed, sportKey: string, start: number): PushedEvent[] =>
  matches.flatMap((listed, i) => {
    if (listed === null) return [];
    const [h2h, line, other] = listed;
    const sided = (of: typeof h2h, homePoint: number, awayPoint: number) => ({
      home: of.home,
      draw: null,
      away: of.away,
      homePoint,
      awayPoint,
    });
    const all = [
      {
        market: 'h2h' as const,
        prices: { home: h2h.home, draw: h2h.draw, away: h2h.away, homePoint: null, awayPoint: null },
      },
      { market: 'spreads' as const, prices: sided(line, line.point, -line.point) },
      { market: 'alternate_spreads' as const, prices: sided(h2h, h2h.point + 4, -h2h.point - 4) },
      { market: 'totals' as const, prices: sided(other, other.total, other.total) },
    ];
    const markets = all.filter(({ prices }) => prices.home !== null || prices.away !== null);
    return [
      {
        sport: sportOf(sportKey)!,
        sourceId: null,
        homeTeam: SIDES[2 * i]!,
        awayTeam: SIDES[2 * i + 1]!,
        competition: null,
        commenceTime: at(start),
        markets,
      },
    ];
  });

test('a push announces the arbs of all matches, and only those', async () => {
  const { sportIngest } = createStores(db.pool);
  let minute = 0;
  let arbs = 0;
  const property = fc.asyncProperty(
    fc.constantFrom('nrl', 'soccer_epl'),
    fc.array(pushed, { minLength: 2, maxLength: 8 }),
    async (sportKey, list) => {
      await db.pool.query(
        'TRUNCATE sport_events, sport_event_books, sport_quotes, sport_lines, sport_pushes, sport_decisions, event_keys CASCADE',
      );
      const expected = new Set<string>();
      const start = minute + 600;
      for (const one of list) {
        minute += 5;
        const observedAt = at(minute);
        await sportIngest.push(
          { bookmakerKey: one.book, observedAt, events: eventsOf(one, sportKey, start) },
          observedAt,
        );
        const matches = await readMatches(db.pool, { sportKey: null, after: observedAt, alternates: true });
        for (const match of matches) for (const { key } of arbsOn(match, Date.parse(observedAt))) expected.add(key);
        const { rows } = await db.pool.query(`SELECT key FROM event_keys WHERE key LIKE 'arb.opportunity %'`);
        expect(new Set(rows.map(({ key }) => key))).toEqual(expected);
      }
      arbs += expected.size;
    },
  );
  await fc.assert(property, { numRuns: runs(60) });
  expect(arbs).toBeGreaterThan(0);
});
