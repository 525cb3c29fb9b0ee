// An independent finder of arbs: compares every combination of prices, in exact fractions, with what the operations
// show, over random days with alternates, stale prices and mistakes.
import fc from 'fast-check';
import { compareH2h } from '../../../src/domain/sports/compare';
import { comparePairs, MOST_PAIRS } from '../../../src/domain/sports/lines/lines';
import type { PricedBook, PricedMarket } from '../../../src/domain/sports/match';
import { LINE_MARKETS, type LineMarket, sportOf } from '../../../src/domain/sports/sports';
import { runs } from '../../support/property';
import { book, NOW_MS, priced, pricedLine, pricedMatch } from '../../support/sports/matches';

const KEYS = ['tab', 'sportsbet', 'neds', 'unibet', 'playup'];
const SPORT = sportOf('nba')!;

interface Price {
  readonly key: string;
  readonly cents: number;
  readonly isFresh: boolean;
  readonly quote: PricedMarket;
}

/** The profit in percent, in whole hundredths, rounded down: 100 / (100/a + 100/b) - 1 for prices in hundredths. */
function profit(a: number, b: number): number {
  const [x, y] = [BigInt(a), BigInt(b)];
  return Number((x * y * 10_000n) / ((x + y) * 100n)) - 10_000;
}
const cents = (price: number): number => Math.round(price * 100);
const homeOf = ({ home, away }: PricedMarket): number => away! / (home! + away!);
const farther = (p: number, q: number): boolean => {
  const [low, high] = p < q ? [p, q] : [q, p];
  return high - low >= 0.1 - 1e-9 || (high - low >= 0.02 - 1e-9 && high / (1 - high) >= (3 - 1e-9) * (low / (1 - low)));
};
const limit = (books: number): number => (books < 4 ? 500 : 1000);
const isUnder = ({ home, away }: PricedMarket): boolean =>
  cents(home!) * cents(away!) > 100 * (cents(home!) + cents(away!));

const price = fc.integer({ min: 165, max: 240 }).map((hundredths) => hundredths / 100);
const sides = fc.tuple(price, price).filter(([a, b]) => 1 / a + 1 / b > 0.985 && 1 / a + 1 / b < 1.12);
const mistake = fc.constantFrom('none', 'none', 'none', 'exchanged', 'ten times', 'shifted');
const oneBook = fc.record({
  h2h: sides,
  main: fc.tuple(fc.integer({ min: 3, max: 6 }), sides),
  others: fc.array(fc.tuple(fc.integer({ min: 1, max: 8 }), sides), { maxLength: 3 }),
  mistake,
  isFresh: fc.boolean().chain((one) => (one ? fc.constant(true) : fc.boolean())),
});

function made(
  books: readonly (typeof oneBook extends fc.Arbitrary<infer T> ? T : never)[],
  market: LineMarket,
): PricedBook[] {
  return books.map(({ h2h, main, others, mistake, isFresh }, i) => {
    const turn = ([a, b]: readonly [number, number]): [number, number] =>
      mistake === 'exchanged' ? [b, a] : mistake === 'ten times' ? [a * 10, b] : [a, b];
    const line = (name: Parameters<typeof pricedLine>[0], steps: number, [home, away]: readonly [number, number]) => {
      const point = steps + 0.5 + (mistake === 'shifted' ? 10 : 0);
      return pricedLine(name, { home, away, homePoint: point, awayPoint: market === 'totals' ? point : -point });
    };
    const [home, away] = turn(h2h);
    const points = new Map(others.filter(([steps]) => steps !== main[0]));
    const lines = [...points].map(([steps, prices]) => line(`alternate_${market}`, steps, prices));
    const markets = [priced('h2h', { home, away }), line(market, main[0], turn(main[1])), ...lines];
    return book(KEYS[i]!, markets, { observedAtMs: NOW_MS - (isFresh ? 60_000 : 1_900_000) });
  });
}

const pricesOf = (books: readonly PricedBook[], wanted: readonly string[]): Price[] =>
  books.flatMap(({ bookmaker, observedAtMs, markets }) =>
    markets.flatMap((quote) =>
      wanted.includes(quote.market)
        ? [{ key: bookmaker, cents: cents(quote.home!), isFresh: NOW_MS - observedAtMs < 1_800_000, quote }]
        : [],
    ),
  );

/** Whether more fresh books contradict it than agree. */
const isOutvoted = (one: Price, all: readonly Price[], isAgainst: (a: Price, b: Price) => boolean): boolean => {
  const voters = all.filter((other) => other.isFresh && other.key !== one.key && !isUnder(other.quote));
  const against = voters.filter((other) => isAgainst(one, other)).length;
  return against > voters.length - against;
};

test('head to head: an arb is the best of all combinations of two books without an objection', () => {
  let arbs = 0;
  fc.assert(
    fc.property(fc.array(oneBook, { minLength: 2, maxLength: 5 }), (world) => {
      const books = made(world, 'totals');
      const all = pricesOf(books, ['h2h']);
      const { arb, selections } = compareH2h(pricedMatch(books, { sportKey: 'nba' }), SPORT, NOW_MS);
      const shown = new Map(selections[0]!.quotes.map((one) => [one.book.bookmaker, one.because]));
      const expected = all.filter(
        (one) => isUnder(one.quote) || isOutvoted(one, all, (a, b) => farther(homeOf(a.quote), homeOf(b.quote))),
      );
      const flagged = [...shown].flatMap(([key, because]) =>
        because && because !== 'implausible_profit' ? [key] : [],
      );
      expect(flagged.sort()).toEqual(expected.map(({ key }) => key).sort());
      const usable = all.filter(({ key, isFresh }) => isFresh && shown.get(key) === null);
      const most = Math.max(0, ...usable.flatMap((a) => usable.map((b) => profit(a.cents, cents(b.quote.away!)))));
      expect(arb === null ? 0 : Math.round(arb.profitPct * 100)).toBe(most);
      if (arb) arbs++;
      expect(most).toBeLessThanOrEqual(limit(usable.length));
    }),
    { numRuns: runs(3000) },
  );
  expect(arbs).toBeGreaterThan(30);
});

test.each(LINE_MARKETS)(
  '%s: the arbs are those of all pairs of two books without an objection, alternates included',
  (market) => {
    const scale = SPORT.scale[market];
    const sign = market === 'spreads' ? 1 : -1;
    let arbs = 0;
    /** The price of Over or home at the line of another price, by the same chance. */
    const at = ({ quote }: Price, point: number): number => {
      const p = homeOf(quote);
      return 1 / (1 + ((1 - p) / p) * Math.exp((-sign * (point - quote.homePoint!)) / scale));
    };
    const isAgainst = (a: Price, b: Price): boolean => {
      const [p, q] = [a.quote.homePoint!, b.quote.homePoint!];
      if (p === q) return farther(homeOf(a.quote), homeOf(b.quote));
      return Math.max(Math.abs(at(a, q) - homeOf(b.quote)), Math.abs(at(b, p) - homeOf(a.quote))) >= 0.1;
    };
    fc.assert(
      fc.property(fc.array(oneBook, { minLength: 2, maxLength: 5 }), (world) => {
        const books = made(world, market);
        const mains = pricesOf(books, [market]);
        const wrong = new Set<PricedMarket>();
        for (const one of mains) if (isUnder(one.quote) || isOutvoted(one, mains, isAgainst)) wrong.add(one.quote);
        const others = pricesOf(books, [`alternate_${market}`]);
        for (const one of others) {
          const own = mains.find(({ key }) => key === one.key)!;
          const isBent = Math.abs(at(own, one.quote.homePoint!) - homeOf(one.quote)) >= 0.25;
          if (wrong.has(own.quote) || isBent || isUnder(one.quote)) wrong.add(one.quote);
        }
        const sound = [...mains, ...others].filter(({ quote }) => !wrong.has(quote));
        for (const one of others.filter(({ quote }) => !wrong.has(quote))) {
          const same = sound.filter(({ quote }) => quote.homePoint === one.quote.homePoint);
          if (isOutvoted(one, same, isAgainst)) wrong.add(one.quote);
        }
        const usable = [...mains, ...others].filter(({ quote, isFresh }) => isFresh && !wrong.has(quote));
        const covers = (a: Price, b: Price): boolean => sign * (a.quote.homePoint! - b.quote.homePoint!) >= 0;
        const best = new Map<string, readonly [Price, Price]>();
        for (const a of usable)
          for (const b of usable) {
            if (a.key === b.key || !covers(a, b)) continue;
            const points = `${a.quote.homePoint} ${b.quote.homePoint}`;
            const known = best.get(points);
            const cost = 1 / a.quote.home! + 1 / b.quote.away!;
            if (!known || cost < 1 / known[0].quote.home! + 1 / known[1].quote.away!) best.set(points, [a, b]);
          }
        const expected = [...best.values()].flatMap(([a, b]) => {
          const most = profit(cents(a.quote.home!), cents(b.quote.away!));
          const isTold =
            !farther(at(a, b.quote.homePoint!), homeOf(b.quote)) &&
            most <= limit(new Set(usable.map(({ key }) => key)).size);
          return most >= 1 && isTold ? [most / 100] : [];
        });
        const pairs = comparePairs(pricedMatch(books, { sportKey: 'nba' }), market, NOW_MS);
        const found = pairs.flatMap(({ arb }) => (arb ? [arb.profitPct] : []));
        const byProfit = expected.sort((a, b) => b - a);
        expect(found).toEqual(byProfit.slice(0, found.length));
        expect(found.length).toBeGreaterThanOrEqual(Math.min(byProfit.length, MOST_PAIRS - 3));
        arbs += found.length;
        for (const { a, b, isMiddle, arb } of pairs)
          if (isMiddle || arb) expect([a.suspect, b.suspect]).toEqual([false, false]);
      }),
      { numRuns: runs(3000) },
    );
    expect(arbs).toBeGreaterThan(30);
  },
);
