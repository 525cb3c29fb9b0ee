// Best prices, arbs and middles across the books of a match.
import fc from 'fast-check';
import { compareH2h, spreadOf } from '../../../src/domain/sports/compare';
import { comparePairs } from '../../../src/domain/sports/lines/lines';
import { onlyWanted } from '../../../src/domain/sports/match';
import { bookQuality, isUnderRound, overallQuality } from '../../../src/domain/sports/quality';
import { sportOf } from '../../../src/domain/sports/sports';
import { book, NOW_MS, priced, pricedMatch } from '../../support/sports/matches';

const NRL = sportOf('nrl')!;
const EPL = sportOf('soccer_epl')!;
const STALE = { observedAtMs: NOW_MS - 1_801_000 };
const two = (key: string, home: number | null, away: number | null, over = {}) =>
  book(key, [priced('h2h', { home, away })], over);
const three = (key: string, home: number, draw: number, away: number) =>
  book(key, [priced('h2h', { home, draw, away })]);
const compare = (books: ReturnType<typeof book>[], sport = NRL) => compareH2h(pricedMatch(books), sport, NOW_MS);

test('the best price of each selection, the newer of equal ones; an arb names its legs', () => {
  const found = compare([
    two('tab', 2.1, 1.8),
    two('neds', 2.1, 1.9, { observedAtMs: NOW_MS }),
    two('unibet', 1.75, 2.05),
  ]);
  expect(
    found.selections.map(({ name, quotes }) => [name, ...quotes.map((one) => [one.book.bookmaker, one.price])]),
  ).toEqual([
    ['Brisbane Broncos', ['neds', 2.1], ['tab', 2.1], ['unibet', 1.75]],
    ['Melbourne Storm', ['unibet', 2.05], ['neds', 1.9], ['tab', 1.8]],
  ]);
  expect(found.arb).toMatchObject({
    profitPct: 3.73,
    legs: [
      { name: 'Brisbane Broncos', bookmaker: 'neds', price: 2.1 },
      { name: 'Melbourne Storm', bookmaker: 'unibet', price: 2.05 },
    ],
  });
  expect(spreadOf(found.selections[0]!)).toEqual({ worst: 1.75, average: 1.98, spread: 0.35, overlayPct: 5.88 });
});

test.each<[string, ReturnType<typeof compare>]>([
  ['a stale price', compare([two('tab', 2.5, 1.4), two('neds', 1.4, 2.5, STALE)])],
  ['a book that sells below 100 %', compare([two('tab', 2.5, 2.5), two('neds', 1.6, 2.2)])],
  ['one side alone', compare([two('tab', 2.5, null), two('neds', 2.6, null)])],
  ['two of three outcomes', compare([three('tab', 3, 3.2, 2.2), two('neds', 2.9, 2.9)], EPL)],
  ['no draw at any book of a sport that has one', compare([two('tab', 2.5, 1.4), two('neds', 1.4, 2.5)], EPL)],
  ['a draw at one book of a sport without', compare([three('tab', 2.5, 26, 1.5), two('neds', 1.6, 2.2)])],
])('%s makes no arb', (_, { arb }) => {
  expect(arb).toBeNull();
});

test('a price several times that of three other books is shown last, is never best and makes no arb', () => {
  const others = [two('tab', 1.9, 1.9), two('neds', 1.92, 1.88), two('unibet', 1.88, 1.92)];
  const best = (books: ReturnType<typeof book>[]) =>
    compare(books).selections.map(({ quotes: [first] }) => [first!.book.bookmaker, first!.price]);
  const wrong = two('playup', 19, 1.01);
  const { selections, arb } = compare([...others, wrong]);
  expect(arb).toBeNull();
  const [{ quotes }] = selections as [(typeof selections)[number]];
  expect(quotes.map((one) => [one.book.bookmaker, one.suspect])).toEqual([
    ['neds', false],
    ['tab', false],
    ['unibet', false],
    ['playup', true],
  ]);
  expect(spreadOf(selections[0]!)).toEqual({ worst: 1.88, average: 1.9, spread: 0.04, overlayPct: 1.05 });
  expect(best([...others, wrong])).toEqual([
    ['neds', 1.92],
    ['unibet', 1.92],
  ]);
  // Its other price is in doubt too.
  expect(spreadOf(selections[1]!)).toMatchObject({ worst: 1.88, average: 1.9 });
  // Two other books are also proof; with only one it is unclear which of the two is wrong, and stale ones prove
  // nothing.
  expect(best([...others.slice(1), wrong])[0]).toEqual(['neds', 1.92]);
  const doubted = compare([two('tab', 1.9, 1.9, STALE), others[1]!, wrong]).selections[0]!;
  expect(doubted.quotes.map((one) => [one.book.bookmaker, one.because])).toEqual([
    ['tab', null],
    ['playup', 'far_from_others'],
    ['neds', 'far_from_others'],
  ]);
});

test.each([
  ['sides exchanged', 1.5, 2.5, true],
  ['ten points apart', 2, 2.5, true],
  ['nearly', 2, 2.49, false],
  ['at the end of the scale', 1.01, 1.03, false],
  ['a long shot', 34, 101, false],
  ['a long shot with a digit too many', 34, 340, true],
])('%s: beside three books at %d, %d is suspect: %s', (_, usual, price, suspect) => {
  const books = [...['tab', 'neds', 'unibet'].map((key) => two(key, usual, null)), two('playup', price, null)];
  const [{ quotes }] = compare(books).selections as [ReturnType<typeof compare>['selections'][number]];
  expect(quotes.filter((one) => one.suspect).map((one) => one.price)).toEqual(suspect ? [price] : []);
});

test('a book that sells below 100 % has the best price only if no other has one; exactly 100 % is not below', () => {
  const found = compare([two('tab', 2.5, 2.5), two('neds', 1.6, 2.2)]);
  expect(found.selections.map(({ quotes: [best] }) => best!.price)).toEqual([1.6, 2.2]);
  expect(compare([two('tab', 2.5, 2.5)]).selections.map(({ quotes: [best] }) => best!.price)).toEqual([2.5, 2.5]);
  for (const [home, away] of [
    [1.04, 26],
    [1.08, 13.5],
    [2, 2],
  ])
    expect(isUnderRound(priced('h2h', { home: home!, away: away! }))).toBe(false);
  expect(isUnderRound(priced('h2h', { home: 1.04, away: 26.000001 }))).toBe(true);
});

test('three outcomes at three books are an arb; in a sport without the draw, books that all list it are still compared', () => {
  const books = [three('tab', 3, 3.5, 2.4), three('neds', 2.85, 3.75, 2.4), three('unibet', 2.8, 3.5, 2.6)];
  expect(compare(books, EPL).arb).toMatchObject({ profitPct: 1.56 });
  expect(compare(books).selections.map(({ name }) => name)).toEqual(['Brisbane Broncos', 'Melbourne Storm', 'Draw']);
});

const line = (key: string, point: number, home: number, away: number, over = {}) =>
  book(key, [priced('spreads', { home, away, homePoint: point, awayPoint: -point })], over);
const total = (key: string, point: number, home: number, away: number) =>
  book(key, [priced('totals', { home, away, homePoint: point, awayPoint: point })]);
const pairs = (books: ReturnType<typeof book>[], market: 'spreads' | 'totals' = 'spreads') =>
  comparePairs(pricedMatch(books), market, NOW_MS).map(({ a, b, isMiddle, arb }) => [
    a.point,
    a.book.bookmaker,
    b.point,
    b.book.bookmaker,
    isMiddle,
    arb?.profitPct ?? 0,
  ]);

test('a pair without a gap is an arb by its prices and a middle by its points', () => {
  const tab = line('tab', -2.5, 2.02, 1.8);
  const neds = line('neds', -3.5, 1.8, 2.02);
  expect(pairs([tab, neds])).toEqual([[-2.5, 'tab', 3.5, 'neds', true, 1]]);
  expect(pairs([line('tab', -2.5, 2.1, 1.7), line('neds', -2.5, 1.8, 2.02)])).toEqual([
    [-2.5, 'tab', 2.5, 'neds', false, 2.96],
  ]);
  expect(pairs([total('tab', 40.5, 1.9, 1.9), total('neds', 42.5, 1.9, 1.9)], 'totals')).toEqual([
    [40.5, 'tab', 42.5, 'neds', true, 0],
  ]);
  // -3 and +3.5: a margin of 3 wins one leg and refunds the other.
  expect(pairs([line('tab', -3, 2.1, 1.7), line('neds', -3.5, 1.8, 2.02)])).toEqual([
    [-3, 'tab', 3.5, 'neds', false, 2.96],
  ]);
});

test('a gap between the points, or a stale price, makes neither; the best pair is still shown', () => {
  const gap = [line('tab', -4.5, 2, 1.82), line('neds', -2.5, 1.82, 2)];
  expect(pairs(gap)).toEqual([[-2.5, 'neds', 4.5, 'tab', true, 0]]);
  expect(pairs([line('tab', -2.5, 2.1, 1.7), line('neds', -2.5, 1.8, 2.02, STALE)])).toEqual([
    [-2.5, 'tab', 2.5, 'neds', false, 0],
  ]);
  expect(pairs([])).toEqual([]);
  // Both sides at the same book are not a comparison.
  expect(pairs([line('tab', -2.5, 1.9, 1.9)])).toEqual([]);
  expect(pairs([line('tab', -2.5, 2, 1.9), line('neds', -2.5, 1.8, 1.85)])).toEqual([
    [-2.5, 'tab', 2.5, 'neds', false, 0],
  ]);
});

test('a suspect price of a line is in no pair while another fits', () => {
  const usual = ['neds', 'tab', 'unibet'].map((key) => line(key, -2.5, 1.9, 1.9));
  expect(pairs([line('playup', -2.5, 19, 1.01), ...usual])).toEqual([
    [-2.5, 'neds', 2.5, 'tab', false, 0],
    [-2.5, 'playup', 2.5, 'neds', false, 0],
  ]);
});

test('whatever the margin, an arb on lines loses nothing', () => {
  const price = fc.integer({ min: 180, max: 215 }).map((hundredths) => hundredths / 100);
  const anyLine = fc
    .tuple(fc.integer({ min: -4, max: 4 }), price, price)
    .filter(([, home, away]) => 1 / home + 1 / away >= 1);
  let arbs = 0;
  fc.assert(
    fc.property(fc.array(anyLine, { minLength: 2, maxLength: 5 }), (lines) => {
      const books = lines.map(([halves, home, away], i) => line(`book${i}`, halves / 2, home, away));
      for (const { a, b, arb, isMiddle, refused } of comparePairs(pricedMatch(books), 'spreads', NOW_MS)) {
        const [stakeA, stakeB] = arb ? arb.stakes : [50, 50];
        const back = (margin: number, point: number, stake: number, one: number): number =>
          margin + point > 0 ? stake * one : margin + point === 0 ? stake : 0;
        const won = Array.from({ length: 41 }, (_, i) => i - 20).map((margin) => ({
          paid: back(margin, a.point, stakeA!, a.price) + back(-margin, b.point, stakeB!, b.price),
          both: margin + a.point > 0 && -margin + b.point > 0,
        }));
        if (refused) expect([arb, isMiddle]).toEqual([null, false]);
        else expect(won.some(({ both }) => both)).toBe(isMiddle);
        expect(won.every(({ paid }) => paid > 0)).toBe(true);
        if (!arb) continue;
        arbs++;
        for (const { paid } of won) expect(paid).toBeGreaterThan(100 - 1e-9);
      }
    }),
    { numRuns: 500 },
  );
  expect(arbs).toBeGreaterThan(100);
});

test('prices that a request leaves out are not compared', () => {
  const match = pricedMatch([two('tab', 2, 1.8), two('neds', 2.1, 1.7, STALE), line('unibet', 1.5, 2, 1.8)]);
  const wanted = {
    bookmakers: ['tab', 'neds', 'unibet'],
    markets: ['h2h'] as const,
    maxAgeSeconds: 1800,
    nowMs: NOW_MS,
  };
  expect(onlyWanted(match, wanted)!.books.map(({ bookmaker }) => bookmaker)).toEqual(['tab']);
  expect(onlyWanted(match, { ...wanted, bookmakers: ['unibet'] })).toBeNull();
});

test('quality: 50 off for stale, 25 for every other issue', () => {
  const odd = book('tab', [priced('h2h', { home: 2.5, away: 1.6, draw: 9 }), priced('totals', { home: 2 })], STALE);
  const found = bookQuality(odd, NRL, NOW_MS);
  expect(found.markets).toMatchObject([
    { score: 25, status: 'stale', issues: ['stale', 'other_outcomes'], ageSeconds: 1801 },
    { score: 25, status: 'stale', issues: ['stale', 'incomplete'] },
  ]);
  expect(found.book).toMatchObject({ score: 0, issues: ['stale', 'incomplete', 'other_outcomes'] });
  const short = bookQuality(two('neds', 2.5, 2.5), NRL, NOW_MS).book;
  expect(short).toMatchObject({ score: 75, status: 'warn', issues: ['under_round'] });
  const good = bookQuality(two('neds', 1.9, 1.9), NRL, NOW_MS).book;
  expect([overallQuality([good]), overallQuality([good, short])]).toEqual([
    { score: 100, status: 'ok' },
    { score: 88, status: 'warn' },
  ]);
});
