// The lines of a match as their page shows them. Never: a price in a row of another point, the two sides of a line in
// two rows, a price of another match or another book, a stale price without its mark, any price after the start.
import fc from 'fast-check';
import { isStaleAt, type PricedMatch } from '../../../src/domain/sports/match';
import { lineMarketOf } from '../../../src/domain/sports/sports';
import { MOST_LINES_SHOWN } from '../../../src/web/sports/match/line-views';
import { linesMain } from '../../../src/web/sports/match/lines-page';
import type { LinesView } from '../../../src/web/sports/model';
import { bookTitle } from '../../../src/web/sports/shown-prices';
import { runs } from '../../support/property';
import { anyRound } from '../../support/sports/any-round';
import { book, NOW_MS, pricedLine, pricedMatch } from '../../support/sports/matches';
import { sportWorld } from './sport-world';

const later = fc.integer({ min: 0, max: 40 * 60_000 });
const HOUR_MS = 3_600_000;

/** Of each book some spreads more, also with one side alone. */
const alternates = fc.array(
  fc.record({
    at: fc.integer({ min: -4, max: 4 }),
    home: fc.constantFrom(1.8, 1.9, 2.1, null),
    away: fc.constantFrom(1.8, 1.9, 2),
  }),
  { maxLength: 4 },
);

const anyLines: fc.Arbitrary<readonly PricedMatch[]> = fc.tuple(anyRound, alternates).map(([round, more]) =>
  round.map((match) => ({
    ...match,
    books: match.books.map((one) => {
      const main = one.markets.find(({ market }) => market === 'spreads')?.homePoint;
      const points = new Map(more.map((line) => [line.at + 0.5, line]));
      const spreads = [...points].flatMap(([point, { home, away }]) =>
        point === main ? [] : [pricedLine('alternate_spreads', { home, away, homePoint: point, awayPoint: 0 - point })],
      );
      return { ...one, markets: [...one.markets, ...spreads] };
    }),
  })),
);

/** Every price with where it stands. */
const shownOf = ({ tables }: LinesView): string[] =>
  tables.flatMap(({ market, books, rows }) =>
    rows.flatMap(({ home, away, cells }) =>
      cells.flatMap((cell, i) => [
        ...(cell?.home ? [[market, books[i], 'home', home.point, cell.home.price, cell.seen.seenMs].join(' ')] : []),
        ...(cell?.away ? [[market, books[i], 'away', away.point, cell.away.price, cell.seen.seenMs].join(' ')] : []),
      ]),
    ),
  );

const storedOf = ({ books }: PricedMatch): string[] =>
  books.flatMap(({ bookmaker, markets, observedAtMs }) =>
    markets.flatMap((one) => {
      const market = lineMarketOf(one.market);
      if (market === null) return [];
      const seen = one.sourceUpdatedAtMs ?? observedAtMs;
      const price = (side: 'home' | 'away'): string[] =>
        one[side] === null
          ? []
          : [[market, bookTitle(bookmaker), side, one[`${side}Point`], one[side], seen].join(' ')];
      return [...price('home'), ...price('away')];
    }),
  );

test('every price of a line once, at its own point and book; both sides of a line in one row', async () => {
  let rowsSeen = 0;
  await fc.assert(
    fc.asyncProperty(anyLines, later, async (round, ms) => {
      const { world, pages, upcoming } = sportWorld(round);
      world.nowMs += ms;
      for (const match of upcoming(null, true, world.nowMs)) {
        const view = (await pages.lines(match.eventId)) as LinesView;
        expect([view.eventId, shownOf(view).sort()]).toEqual([match.eventId, storedOf(match).sort()]);
        for (const { market, rows, books } of view.tables) {
          rowsSeen += rows.length;
          const points = rows.map(({ home }) => home.point!);
          expect(points).toEqual([...new Set(points)].sort((a, b) => a - b));
          for (const { home, away, cells } of rows) {
            expect(away.point).toBe(market === 'totals' ? home.point : 0 - home.point!);
            expect(cells).toHaveLength(books.length);
            expect(cells.some((cell) => cell !== null)).toBe(true);
          }
        }
      }
    }),
    { numRuns: runs(300) },
  );
  expect(rowsSeen).toBeGreaterThan(200);
});

test('the best of a side is one of its own row that no sound price beats, and is marked at its price only', async () => {
  let marked = 0;
  await fc.assert(
    fc.asyncProperty(anyLines, async (round) => {
      const { pages } = sportWorld(round);
      for (const { eventId } of round) {
        const { tables } = (await pages.lines(eventId)) as LinesView;
        for (const { rows } of tables)
          for (const row of rows)
            for (const side of ['home', 'away'] as const) {
              const cells = row.cells.flatMap((cell) => cell?.[side] ?? []);
              const { best } = row[side];
              expect(best === null).toBe(cells.length === 0);
              if (best === null) continue;
              const sound = cells.filter(({ suspect }) => suspect === null);
              expect(best.suspect === null).toBe(sound.length > 0);
              expect(best.price).toBe(Math.max(...(sound.length > 0 ? sound : cells).map(({ price }) => price)));
              for (const cell of row.cells.flatMap((one) => one?.[side] ?? []))
                if (cell.best) {
                  marked++;
                  expect(cell.price).toBe(best.price);
                }
            }
      }
    }),
    { numRuns: runs(300) },
  );
  expect(marked).toBeGreaterThan(50);
});

test('a price has the mark of stale exactly while it is, and after the start there is none', async () => {
  await fc.assert(
    fc.asyncProperty(anyLines, fc.array(fc.integer({ min: 0, max: HOUR_MS }), { maxLength: 8 }), async (round, all) => {
      const { world, pages } = sportWorld(round);
      for (const step of all) {
        world.nowMs += step;
        for (const { eventId, commenceTime } of round) {
          const view = (await pages.lines(eventId)) as LinesView;
          const hasStarted = Date.parse(commenceTime) <= world.nowMs;
          expect(view.state === 'started').toBe(hasStarted);
          if (hasStarted) expect(linesMain(view, world.nowMs).text).not.toMatch(/data-price|class="bp/);
          for (const { seen } of view.tables.flatMap(({ rows }) =>
            rows.flatMap(({ cells }) => cells.flatMap((one) => one ?? [])),
          )) {
            const isMarked = seen.staleFromMs === null ? seen.stale : world.nowMs >= seen.staleFromMs;
            expect(isMarked).toBe(isStaleAt({ observedAtMs: seen.seenMs }, world.nowMs));
          }
        }
      }
    }),
    { numRuns: runs(200) },
  );
});

test('of many lines the main ones and those that most books offer are shown, and how many are left is said; readings are shared', async () => {
  const lines = (points: readonly number[]) =>
    points.map((point) => pricedLine('alternate_totals', { home: 1.9, away: 1.9, homePoint: point, awayPoint: point }));
  const from = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);
  // The line that one book has as its main is the last that most books offer.
  const main = pricedLine('totals', { home: 1.9, away: 1.9, homePoint: 10, awayPoint: 10 });
  const all = pricedMatch([book('tab', [...lines(from(11, 39)), main]), book('neds', lines(from(40, 10)))], {
    eventId: '00000000-0000-4000-8000-000000000001',
  });
  const { world, pages } = sportWorld([all]);
  const views = await Promise.all(Array.from({ length: 30 }, () => pages.lines(all.eventId)));
  expect(world.readings).toBe(1);
  const [table] = (views[0] as LinesView).tables;
  expect([table!.rows.length, table!.left]).toEqual([MOST_LINES_SHOWN, 40 - MOST_LINES_SHOWN]);
  const points = table!.rows.map(({ home }) => home.point);
  expect(points).toContain(10);
  expect(from(40, 10).every((point) => points.includes(point))).toBe(true);
  expect(linesMain(views[0] as LinesView, NOW_MS).text).toContain('20 more are in the');
});
