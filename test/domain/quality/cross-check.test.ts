// The continuous cross-check: no finding on a simulated day of all books, and a finding for each fault of a mapper, in
// any world.
import fc from 'fast-check';
import { type BookLevel, isFar, nextLevel } from '../../../src/domain/quality/book-level';
import { type CheckedRace, crossCheck } from '../../../src/domain/quality/cross-check';
import type { ServedBook } from '../../../src/domain/quality/findings';
import * as profiles from '../../../src/simulator/books/profiles';
import { viewOf } from '../../../src/simulator/books/view';
import { createWorld, racesOf } from '../../../src/simulator/world/world';
import { runs } from '../../support/property';

const BOOKS = Object.values(profiles).filter(({ key }) => key !== 'betfair_ex_au');
const NONE: ReadonlyMap<string, BookLevel> = new Map();
const DAY = '2026-11-21';

/** The races of a day before their jump, with the prices that each book shows at that instant. */
function boardAt(seed: string, nowMs: number): readonly CheckedRace[] {
  const world = createWorld({ seed });
  const coming = racesOf(world, DAY).filter((race) => race.story.advertised[0]!.startMs > nowMs + 300_000);
  return coming.map((race) => {
    const views = BOOKS.map((book) => ({ book, view: viewOf(race, book, nowMs) }));
    const out = new Set(views.flatMap(({ view }) => [...view.out.keys()]));
    const inIt = race.runners
      .map((runner, i) => ({ runner, i }))
      .filter(({ runner }) => !runner.vacant && !out.has(runner.number));
    const pricesOf = (list: readonly number[]) =>
      new Map(inIt.flatMap(({ runner, i }): [number, number][] => (list[i]! > 1 ? [[runner.number, list[i]!]] : [])));
    const books = views
      .filter(({ view }) => view.takesBets)
      .map(({ book, view }): ServedBook => {
        const prices = { win: pricesOf(view.win), place: pricesOf(view.place) };
        return { bookmakerKey: book.key, prices, ageSeconds: 5, stale: false };
      });
    return { running: inIt.map(({ runner }) => runner.number), books };
  });
}

type Priced = ServedBook['prices'];
const FAULTS: Readonly<Record<string, (prices: Priced) => Priced>> = {
  'a tenth of a price': ({ win, ...rest }) => ({
    ...rest,
    win: new Map([...win!].map(([number, price]) => [number, price / 10] as const).filter(([, price]) => price > 1)),
  }),
  'place read as win': ({ place, ...rest }) => ({ ...rest, place: place!, win: place! }),
  'win and place exchanged': ({ win, place, ...rest }) => ({ ...rest, win: place!, place: win! }),
  'a fraction read as a decimal': ({ win, ...rest }) => ({
    ...rest,
    win: new Map([...win!].map(([number, price]) => [number, price - 1] as const).filter(([, price]) => price > 1)),
  }),
};

test('a day of every book has no finding, and each fault of one book is found at that book only', () => {
  const hour = fc.integer({ min: 20, max: 34 });
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 4 }), hour, fc.constantFrom(...BOOKS), (seed, hours, { key }) => {
      const races = boardAt(seed, Date.parse('2026-11-20T00:00:00Z') + hours * 3_600_000);
      const clean = crossCheck(races, NONE);
      expect(clean.findings).toEqual([]);
      if (races.filter(({ books }) => books.some((one) => one.bookmakerKey === key)).length < 6) return;
      for (const [name, fault] of Object.entries(FAULTS)) {
        const wrong = races.map(({ running, books }) => ({
          running,
          books: books.map((one) => (one.bookmakerKey === key ? { ...one, prices: fault(one.prices) } : one)),
        }));
        const found = crossCheck(wrong, NONE);
        expect([name, [...new Set(found.findings.map((one) => one.bookmakerKey))]]).toEqual([name, [key]]);
        // A price far from the others moves no level.
        if (found.findings.some(({ delta }) => delta !== null)) expect(found.levels.has(key)).toBe(false);
      }
    }),
    { numRuns: runs(10, 5) },
  );
});

test('stale prices are ignored, and a sentence states what is wrong', () => {
  const races = boardAt('a', Date.parse('2026-11-21T01:00:00Z'));
  const wrong = (stale: boolean) =>
    races.map(({ running, books }) => ({
      running,
      books: books.map((one) =>
        one.bookmakerKey === 'tab' ? { ...one, stale, prices: FAULTS['place read as win']!(one.prices) } : one,
      ),
    }));
  expect(crossCheck(wrong(true), NONE).findings).toEqual([]);
  const messages = crossCheck(wrong(false), NONE).findings.map(({ message }) => message);
  expect(messages).toEqual([
    expect.stringMatching(/^Of \d+ runners with a place price above 1.5, \d+ have a win price that is not above it\.$/),
    expect.stringMatching(
      /^The win prices of \d+ of \d+ races add up to a book that is not sold, \d+ % in the median\.$/,
    ),
    expect.stringMatching(/^The median win price is \d+ % away from the consensus of the other bookmakers\.$/),
  ]);
});

test('a level follows slowly, is far only relative to its own history, and a fault never becomes normal', () => {
  const usual = fc.double({ min: 0, max: 0.08, noNaN: true });
  fc.assert(
    fc.property(fc.array(usual, { minLength: 12, maxLength: 60 }), (readings) => {
      let level: BookLevel | null = null;
      for (const distance of readings) {
        expect(isFar(distance, level)).toBe(false);
        level = nextLevel(distance, level);
      }
      expect(level!.distance).toBeGreaterThanOrEqual(0);
      expect(level!.distance).toBeLessThanOrEqual(0.08);
      for (const distance of [0.7, Math.log(10)]) expect(isFar(distance, level)).toBe(true);
    }),
    { numRuns: runs(300) },
  );
  const steady = Array.from({ length: 20 }, () => 0.03).reduce<BookLevel | null>(
    (level, d) => nextLevel(d, level),
    null,
  );
  expect([isFar(0.1, steady), isFar(0.2, steady), isFar(0.2, null), isFar(0.2, { ...steady!, readings: 11 })]).toEqual([
    false,
    true,
    false,
    false,
  ]);
});
