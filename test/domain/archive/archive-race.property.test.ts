// The archive of any race: the invariants of its rows, and that withheld books change nothing that customers read
// (D42).
import fc from 'fast-check';
import { archiveRace } from '../../../src/domain/archive/archive-race';
import type { StoredRace, StoredSeries } from '../../../src/domain/archive/stored-race';
import { visibleToCustomers } from '../../../src/domain/bookmakers';
import { runs } from '../../support/property';

const START = '2026-11-21T03:00:00.000Z';
const startMs = Date.parse(START);
const ahead = (seconds: number): number => startMs - seconds * 1000;
const LEGS = { place: null, top2: null, top3: null, top4: null };
const NAMES = ['alpha', 'beta', 'gamma', 'delta'];

const change = fc.tuple(
  fc.integer({ min: -200, max: 3600 }),
  fc.oneof(fc.integer({ min: 11, max: 300 }), fc.constantFrom('gone' as const, 'back' as const)),
);
const series = (books: readonly string[]): fc.Arbitrary<StoredSeries> =>
  fc
    .record({
      bookmaker: fc.constantFrom(...books),
      number: fc.integer({ min: 1, max: NAMES.length }),
      first: fc.tuple(fc.integer({ min: 3000, max: 3650 }), fc.integer({ min: 11, max: 300 })),
      later: fc.uniqueArray(change, { maxLength: 5, selector: ([seconds]) => seconds }),
      seen: fc.integer({ min: -300, max: 60 }),
      current: fc.boolean(),
    })
    .map(({ bookmaker, number, first, later, seen, current }) => {
      const after = later.filter(([seconds]) => seconds < first[0]).sort(([a], [b]) => b - a);
      const changes = [first, ...after].map(([seconds, what]) => ({
        atMs: ahead(seconds),
        what: typeof what === 'number' ? what / 10 : what,
        seenBeforeMs: ahead(seconds + 8),
      }));
      const legs = changes.filter(({ what }) => typeof what === 'number').map(() => LEGS);
      const runnerKey = NAMES[number - 1]!;
      return {
        bookmaker,
        number,
        runnerKey,
        current,
        changes,
        legs,
        seenMs: ahead(seen),
        polledMs: ahead(seen),
        placeShown: null,
      };
    });
const distinct = (one: StoredSeries): string => `${one.bookmaker} ${one.number} ${one.current}`;
const seriesOf = (books: readonly string[], maxLength: number) =>
  fc.uniqueArray(series(books), { maxLength, selector: distinct });

const race = fc
  .record({
    series: seriesOf(['tab', 'neds', 'sportsbet', 'unibet', 'realbookie'], 24),
    closedAfter: fc.option(fc.integer({ min: -90, max: 120 })),
    scratched: fc.subarray([1, 2, 3]),
    abandoned: fc.boolean(),
  })
  .map(
    ({ series: all, closedAfter, scratched, abandoned }): StoredRace => ({
      raceId: 'r',
      category: 'horse',
      startTime: START,
      abandoned,
      result: null,
      series: all,
      gaps: [],
      marketClosedAt: closedAfter === null ? null : new Date(ahead(-closedAfter)).toISOString(),
      card: NAMES.map((name, i) => ({
        number: i + 1,
        name,
        runnerKey: name,
        runnerRef: null,
        emergency: null,
        scratchedAt: null,
        scratched: scratched.includes(i + 1),
      })),
    }),
  );

test('rows are of the race’s runners, seconds never grow, and every consensus sums to 1', () => {
  fc.assert(
    fc.property(race, (one) => {
      const { runners, of, lines, close, open, summaries, outcome } = archiveRace(one);
      expect(of).toHaveLength(one.series.length);
      expect(runners.map(({ runner }) => runner)).toEqual(runners.map((_, i) => i + 1));
      for (const line of lines) {
        expect(line.closeSecsToJump).toBeLessThanOrEqual(line.ageSeconds);
        expect(line.ageSeconds).toBeLessThanOrEqual(line.openSecsToJump);
        expect(line.foundBy === 'none').toBe(!line.isClosingLine);
        expect(line.of.number).toBeGreaterThan(0);
      }
      const keys = lines.map(({ bookmaker, of: { runner } }) => `${bookmaker} ${runner}`);
      expect(new Set(keys).size).toBe(keys.length);
      for (const { probabilities } of [close, open]) {
        const sum = [...probabilities.values()].reduce((all, p) => all + p, 0);
        if (probabilities.size > 0) expect(sum).toBeCloseTo(1, 9);
      }
      expect(outcome === 'closed').toBe(lines.some(({ isClosingLine }) => isClosingLine));
      if (one.abandoned) expect([lines.length, summaries.length]).toEqual([0, 0]);
      for (const { of: runner, ticks } of summaries) {
        expect(one.card[runner.number - 1]!.scratched).toBe(false);
        expect(ticks).toBeGreaterThan(0);
      }
    }),
    { numRuns: runs(300) },
  );
});

test('withheld books change no line, consensus, summary or outcome of the others', () => {
  fc.assert(
    fc.property(race, seriesOf(['betfair_ex_au', 'pinnacle'], 8), (one, withheld) => {
      const shown = ({ lines, close, open, summaries, outcome }: ReturnType<typeof archiveRace>) => ({
        lines: lines
          .filter(({ bookmaker }) => visibleToCustomers(bookmaker))
          .map(({ of: { number }, ...line }) => ({ ...line, number })),
        summaries: summaries.map(({ of: { number }, ...summary }) => ({ ...summary, number })),
        close,
        open,
        outcome,
      });
      expect(shown(archiveRace({ ...one, series: [...one.series, ...withheld] }))).toEqual(shown(archiveRace(one)));
    }),
    { numRuns: runs(300) },
  );
});

const HOUR = 3600;

/** The race as if no poll had come after the jump. */
function withoutLate(one: StoredRace, jumpMs: number): StoredRace {
  const series = one.series.flatMap((each): StoredSeries[] => {
    const kept = each.changes.filter(({ atMs }) => atMs <= jumpMs);
    const dropped = each.changes[kept.length];
    const captures = kept.filter(({ what }) => typeof what === 'number').length;
    if (captures === 0) return [];
    // The price that stood then was last seen by the poll before the omitted change.
    return [
      { ...each, changes: kept, legs: each.legs.slice(0, captures), seenMs: dropped?.seenBeforeMs ?? each.seenMs },
    ];
  });
  return { ...one, series };
}

/** What customers read of it, by number, because the runners of the card are renumbered if series are missing. */
const figuresOf = ({ lines, close, open, summaries }: ReturnType<typeof archiveRace>) => ({
  lines: lines.map(({ of: { number }, ...line }) => ({ ...line, number })),
  summaries: summaries.map(({ of: { number }, ...summary }) => ({ ...summary, number })),
  close,
  open,
});

test('prices captured after the jump count in no line, consensus or summary (D63)', () => {
  const late = fc.tuple(fc.integer({ min: 1, max: 6 * HOUR }), fc.integer({ min: 11, max: 300 }));
  const lateOf = fc.array(fc.array(late, { maxLength: 3 }), { minLength: 24, maxLength: 24 });
  fc.assert(
    fc.property(race, lateOf, (one, given) => {
      const { jumpMs } = archiveRace(one);
      const series = one.series.map((each, i): StoredSeries => {
        const lastMs = Math.max(jumpMs, each.changes.at(-1)!.atMs);
        const more = given[i]!.toSorted(([a], [b]) => a - b).map(([seconds, price], n) => ({
          atMs: lastMs + seconds * 1000 + n,
          what: price / 10,
          seenBeforeMs: lastMs,
        }));
        return { ...each, changes: [...each.changes, ...more], legs: [...each.legs, ...more.map(() => LEGS)] };
      });
      const polledLate = { ...one, series };
      expect(figuresOf(archiveRace(polledLate))).toEqual(figuresOf(archiveRace(withoutLate(polledLate, jumpMs))));
    }),
    { numRuns: runs(500) },
  );
});

test('a race found hours after its start has no close, whatever its books show and whenever they close (D63)', () => {
  const book = (bookmaker: string, seconds: number): StoredSeries => ({
    bookmaker,
    number: 1,
    runnerKey: NAMES[0]!,
    current: true,
    placeShown: null,
    changes: [{ atMs: ahead(-seconds), what: 2.5, seenBeforeMs: Number.NaN }],
    legs: [LEGS],
    seenMs: ahead(-seconds),
    polledMs: ahead(-seconds),
  });
  const found = (closedAfter: number | null): StoredRace => ({
    raceId: 'r',
    category: 'horse',
    startTime: START,
    abandoned: false,
    result: null,
    series: [book('tab', 6 * HOUR), book('neds', 6 * HOUR + 20)],
    gaps: [],
    marketClosedAt: closedAfter === null ? null : new Date(ahead(-closedAfter)).toISOString(),
    card: [],
  });
  for (const closedAfter of [null, 40, 6 * HOUR + 60])
    expect(archiveRace(found(closedAfter))).toMatchObject({ outcome: 'prices_after_jump', lines: [], summaries: [] });
});

test('after a start was put back, the open has the price, place price and consensus from the beginning of the final hour', () => {
  const quoted = (bookmaker: string, number: number, prices: readonly number[]): StoredSeries => ({
    bookmaker,
    number,
    runnerKey: NAMES[number - 1]!,
    current: true,
    placeShown: null,
    changes: prices.map((what, i) => ({ atMs: ahead(4800 - 900 * i), what, seenBeforeMs: Number.NaN })),
    legs: prices.map((price) => ({ ...LEGS, place: price / 2 })),
    seenMs: ahead(0),
    polledMs: ahead(0),
  });
  const card = [1, 2].map((number) => ({
    number,
    name: NAMES[number - 1]!,
    runnerKey: NAMES[number - 1]!,
    runnerRef: null,
    emergency: null,
    scratched: false,
    scratchedAt: null,
  }));
  const { lines, open } = archiveRace({
    raceId: 'r',
    category: 'horse',
    startTime: START,
    marketClosedAt: null,
    abandoned: false,
    result: null,
    card,
    gaps: [],
    series: ['tab', 'neds'].flatMap((book) => [quoted(book, 1, [2, 4]), quoted(book, 2, [2, 4 / 3])]),
  });
  for (const line of lines) {
    expect(line).toMatchObject({ openSecsToJump: 3900, openIsBaseline: true, points: 2 });
    expect([line.openPrice, line.openLegs.place]).toEqual(line.of.number === 1 ? [4, 2] : [4 / 3, 2 / 3]);
  }
  expect([lines.length, open.books]).toEqual([4, 2]);
  expect(open.probabilities.get(1)).toBeCloseTo(0.25, 9);
});
