// No arb comes from a mistake (D66): the truth is known here, and one book is wrong.
import fc from 'fast-check';
import { arbsOn } from '../../../../src/domain/events/arb-opportunity';
import { compareH2h } from '../../../../src/domain/sports/compare';
import { bestLineArb, comparePairs } from '../../../../src/domain/sports/lines/lines';
import type { PricedBook, PricedMarket } from '../../../../src/domain/sports/match';
import { LINE_MARKETS, type LineMarket, type OfferedMarket, sportOf } from '../../../../src/domain/sports/sports';
import { chancesOf } from '../../../../src/domain/sports/trust/chances';
import { runs } from '../../../support/property';
import { book, NOW_MS, priced, pricedLine, pricedMatch } from '../../../support/sports/matches';

const KEYS = ['tab', 'sportsbet', 'neds', 'unibet', 'playup', 'betr_au'];
const NRL = sportOf('nrl')!;
const two = (key: string, home: number, away: number, over = {}) => book(key, [priced('h2h', { home, away })], over);
const total = (key: string, point: number, over = 1.9, under = 1.9) =>
  book(key, [priced('totals', { home: over, away: under, homePoint: point, awayPoint: point })]);
const spread = (key: string, point: number) =>
  book(key, [priced('spreads', { home: 1.9, away: 1.9, homePoint: point, awayPoint: -point })]);
const reasons = (books: readonly PricedBook[]) => {
  const { selections, arb, refused } = compareH2h(pricedMatch(books), NRL, NOW_MS);
  const ofBooks = selections[0]!.quotes.map((one) => [one.book.bookmaker, one.because] as const);
  return { arb, refused, ...Object.fromEntries(ofBooks) };
};

test('of three books the one with its sides exchanged is suspect, and there is no arb (F2)', () => {
  expect(reasons([two('tab', 1.25, 4), two('sportsbet', 1.26, 3.9), two('neds', 4, 1.25)])).toEqual({
    arb: null,
    refused: 'sides_exchanged',
    tab: null,
    sportsbet: null,
    neds: 'sides_exchanged',
  });
});

test('two books that contradict each other are both suspect, unless one has just jumped away from the other', () => {
  const exchanged = [two('tab', 1.25, 4), two('neds', 4, 1.25)];
  expect(reasons(exchanged)).toMatchObject({ arb: null, tab: 'sides_exchanged', neds: 'sides_exchanged' });
  const before = { ...priced('h2h', { home: 1.27, away: 3.8 }), endedAtMs: NOW_MS - 1_800_000 };
  const jumped = book('neds', [{ ...priced('h2h', { home: 4, away: 1.25 }), before }]);
  expect(reasons([two('tab', 1.25, 4), jumped])).toMatchObject({ arb: null, tab: null, neds: 'sides_exchanged' });
  const misprint = book('neds', [{ ...priced('h2h', { home: 12.7, away: 1.06 }), before }]);
  expect(reasons([two('tab', 1.25, 4), misprint])).toMatchObject({ tab: null, neds: 'far_from_own_history' });
  expect(reasons([misprint])).toMatchObject({ arb: null, neds: 'far_from_own_history' });
  const settled = { ...misprint.markets[0]!, before: { ...before, endedAtMs: before.endedAtMs - 1 } };
  expect(reasons([book('neds', [settled])])).toMatchObject({ neds: null });
  // A book that the others follow was only the first to move.
  expect(reasons([misprint, two('tab', 12, 1.07), two('unibet', 1.25, 4)])).toMatchObject({
    neds: null,
    tab: null,
    unibet: 'far_from_others',
  });
});

test('with few books an arb of more than 5 % is a mistake of the leg furthest from the others; with many, 10 %', () => {
  const few = [two('tab', 2.25, 1.7), two('neds', 1.95, 1.9), two('unibet', 1.93, 2)];
  expect(reasons(few)).toMatchObject({
    arb: null,
    refused: 'implausible_profit',
    tab: 'implausible_profit',
    neds: null,
  });
  const many = [...few, two('playup', 2.05, 1.8)];
  expect(reasons(many)).toMatchObject({ arb: { profitPct: 5.88 }, tab: null });
});

const pairsOf = (books: readonly PricedBook[], market: LineMarket, sportKey = 'afl') =>
  comparePairs(pricedMatch(books, { sportKey }), market, NOW_MS);

test('a total of 16.5 beside 165.5 is not a middle, nor is a spread with its sign inverted (F2)', () => {
  const four = ['tab', 'neds', 'unibet', 'playup'].map((key) => total(key, 165.5));
  for (const usual of [four, four.slice(0, 1)]) {
    const pairs = pairsOf([...usual, total('betr_au', 16.5)], 'totals');
    expect(pairs.filter(({ arb, isMiddle }) => arb || isMiddle)).toEqual([]);
    expect(pairs.at(-1)).toMatchObject({
      refused: 'far_from_others',
      a: { point: 16.5, suspect: true, because: 'far_from_others' },
      b: { point: 165.5, suspect: usual.length === 1 },
    });
  }
  const turned = pairsOf([spread('tab', -4.5), spread('neds', -4.5), spread('unibet', 4.5)], 'spreads', 'nrl');
  expect(turned.filter(({ arb, isMiddle }) => arb || isMiddle)).toEqual([]);
  expect(turned.at(-1)).toMatchObject({ refused: 'sign_turned', a: { point: 4.5, because: 'sign_turned' } });
  // Honest lines a point apart are a middle.
  expect(pairsOf([total('tab', 165.5), total('neds', 166.5)], 'totals')).toMatchObject([
    { isMiddle: true, refused: null, confidence: { books: 2 } },
  ]);
});

test('an alternate that contradicts the book’s main line, or the same line of other books, is suspect', () => {
  const alternate = (key: string, point: number, over: number, under: number) =>
    book(key, [
      ...total(key, 165.5).markets,
      pricedLine('alternate_totals', { home: over, away: under, homePoint: point, awayPoint: point }),
    ]);
  const refusal = (books: readonly PricedBook[]) => pairsOf(books, 'totals').find(({ refused }) => refused)?.refused;
  expect(refusal([alternate('neds', 16.5, 1.9, 1.9), total('tab', 165.5, 1.88, 1.91)])).toBe('far_from_own_line');
  // Even money at 175.5: plausible beside its own line, but not beside two other books' 175.5.
  const others = ['tab', 'unibet'].map((key) => alternate(key, 175.5, 2.7, 1.45));
  expect(refusal([alternate('neds', 175.5, 1.9, 1.9), ...others])).toBe('far_from_others');
});

test('confidence is the product of its four parts, of the worst leg', () => {
  const moves = { offered: 90, moved: 9 };
  const books = [
    two('tab', 2.12, 1.75, { observedAtMs: NOW_MS - 360_000, moves }),
    two('neds', 1.8, 1.91, { observedAtMs: NOW_MS }),
    two('unibet', 1.95, 1.85),
  ];
  const { arb } = compareH2h(pricedMatch(books), NRL, NOW_MS);
  const home = books.map((one) => chancesOf(one.markets[0]!).home!);
  const distances = [Math.abs(home[0]! - (home[1]! + home[2]!) / 2), Math.abs(home[1]! - (home[0]! + home[2]!) / 2)];
  expect(arb!.confidence).toMatchObject({
    books: 3,
    legs: [
      { bookmaker: 'tab', ageSeconds: 360, movedShare: 0.1 },
      { bookmaker: 'neds', ageSeconds: 0, movedShare: 0.1 },
    ],
  });
  expect(arb!.confidence.legs.map(({ distance }) => distance)).toEqual(distances.map((one) => expect.closeTo(one, 10)));
  expect(arb!.confidence.score).toBeCloseTo(0.75 * 0.9 * (1 - Math.max(...distances) / 0.2) * 0.9, 2);
});

// A book's prices around the truth: its own opinion and margin.
const honest = fc.record({
  opinion: fc.double({ min: -0.1, max: 0.1, noNaN: true }),
  margin: fc.double({ min: 1.01, max: 1.07, noNaN: true }),
});
const logit = (p: number): number => Math.log(p / (1 - p));
const chance = (odds: number): number => 1 / (1 + Math.exp(-odds));
const hundredths = (price: number): number => Math.min(1001, Math.max(1.01, Math.floor(price * 100) / 100));
const pricesOf = (home: number, margin: number) => ({
  home: hundredths(1 / (home * margin)),
  away: hundredths(1 / ((1 - home) * margin)),
});
type Made = PricedMarket;
const truth = fc.double({ min: 0.06, max: 0.94, noNaN: true });
const world = fc.record({
  home: truth,
  books: fc.array(honest, { minLength: 2, maxLength: 5 }),
  sportKey: fc.constantFrom('nrl', 'afl', 'nba', 'soccer_epl', 'mlb'),
  ladder: fc.integer({ min: 0, max: 2 }),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/**
 * The truth for lines: a logistic function with the sport's own scale. `ladder`: the number of alternates on either
 * side.
 */
function offered({ home, sportKey, ladder }: World, { opinion, margin }: { opinion: number; margin: number }): Made[] {
  const { scale } = sportOf(sportKey)!;
  const odds = logit(home) + opinion;
  const lines = LINE_MARKETS.flatMap((market) => {
    const sign = market === 'spreads' ? 1 : -1;
    const centre = market === 'spreads' ? -odds * scale.spreads : (8 + opinion) * scale.totals;
    const main = Math.floor(centre) + 0.5;
    const step = Math.max(1, Math.round(scale[market] / 2));
    return Array.from({ length: 2 * ladder + 1 }, (_, i) => {
      const point = main + (i - ladder) * step;
      const at = chance((sign * (point - centre)) / scale[market]);
      const name: OfferedMarket = i === ladder ? market : `alternate_${market}`;
      return pricedLine(name, {
        ...pricesOf(at, margin),
        homePoint: point,
        awayPoint: market === 'spreads' ? 0 - point : point,
      });
    });
  });
  const usable = lines.filter((one) => one.home! > 1.01 && one.away! > 1.01);
  return [priced('h2h', pricesOf(chance(odds), margin)), ...usable];
}

const FAULTS: Readonly<Record<string, (one: Made) => Made>> = {
  none: (one) => one,
  exchanged: (one) => ({
    ...one,
    home: one.away,
    away: one.home,
    ...(one.market.includes('spreads') && { homePoint: one.awayPoint, awayPoint: one.homePoint }),
  }),
  'ten times': (one) => ({ ...one, home: Math.min(1001, one.home! * 10) }),
  'a tenth': (one) => ({ ...one, away: Math.max(1.01, one.away! / 10) }),
  'shifted by ten': (one) =>
    one.homePoint === null
      ? one
      : {
          ...one,
          homePoint: one.homePoint + 10,
          awayPoint: one.awayPoint! + (one.market.includes('spreads') ? -10 : 10),
        },
  'sign turned': (one) =>
    one.market.includes('spreads') ? { ...one, homePoint: one.awayPoint, awayPoint: one.homePoint } : one,
};

/**
 * Two books whose chances differ by less than ten points cannot give a larger arb: see `sound-arb.ts` and
 * `line-trust.ts`.
 */
const mostPct = (leastMargin: number): number => (1 / (leastMargin * 0.9) - 1) * 100;

test('whatever is wrong with one book, no arb returns more than the margins of books that agree allow', () => {
  const found = { sound: 0, refused: 0, faults: new Set<string>() };
  fc.assert(
    fc.property(world, fc.constantFrom(...Object.keys(FAULTS)), (made, fault) => {
      const books = made.books.map((one, i) => {
        const markets = offered(made, one);
        return book(KEYS[i]!, i === 0 ? markets.map(FAULTS[fault]!) : markets);
      });
      const match = pricedMatch(books, { sportKey: made.sportKey });
      const draw = made.sportKey === 'soccer_epl';
      const { arb, refused } = compareH2h(match, draw ? NRL : sportOf(made.sportKey)!, NOW_MS);
      // A misprint may leave a book its own margin, down to none; below that it is under-round.
      const least = fault === 'none' ? Math.min(...made.books.map(({ margin }) => margin)) - 0.02 : 1;
      const lines = LINE_MARKETS.flatMap((market) => bestLineArb(match, market, NOW_MS) ?? []);
      for (const one of [arb, ...lines.map((pair) => pair.arb)]) {
        if (one) expect(one.profitPct).toBeLessThanOrEqual(Math.min(mostPct(least), books.length < 4 ? 5 : 10));
      }
      const announced = arbsOn(match, NOW_MS);
      if (!draw) expect(announced).toHaveLength(lines.length + (arb ? 1 : 0));
      if (arb || lines.length > 0) found.sound++;
      if (refused || LINE_MARKETS.some((market) => comparePairs(match, market, NOW_MS).some((pair) => pair.refused))) {
        found.refused++;
        found.faults.add(fault);
      }
    }),
    { numRuns: runs(5000) },
  );
  // Every fault is found, and honest arbs remain.
  expect(found.sound).toBeGreaterThan(10);
  expect(found.refused).toBeGreaterThan(100);
  expect([...found.faults].filter((one) => one !== 'none').sort()).toEqual([
    'a tenth',
    'exchanged',
    'shifted by ten',
    'sign turned',
    'ten times',
  ]);
});

test('an honest world has no suspect, and a small arb in it is announced with its confidence', () => {
  let announced = 0;
  fc.assert(
    fc.property(world, (made) => {
      const books = made.books.map((one, i) =>
        book(KEYS[i]!, offered(made, { ...one, margin: 1 + (one.margin - 1) / 3 })),
      );
      const match = pricedMatch(books, { sportKey: made.sportKey === 'soccer_epl' ? 'nhl' : made.sportKey });
      const { selections } = compareH2h(match, sportOf(match.sportKey)!, NOW_MS);
      expect(selections.flatMap(({ quotes }) => quotes.filter(({ suspect }) => suspect))).toEqual([]);
      for (const { facts } of arbsOn(match, NOW_MS)) {
        announced++;
        expect(facts).toMatchObject({ edge_pct: expect.any(Number), confidence: expect.any(Number) });
        expect(facts.confidence).toBeGreaterThan(0.2);
      }
    }),
    { numRuns: runs(1500) },
  );
  expect(announced).toBeGreaterThan(15);
});
