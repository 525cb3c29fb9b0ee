// A match may list thousands of lines. Each that is left out counts for its own reason, 40 of a market are kept, and
// the reading may pause after each: other calls wait for one line, never for a match.
import fc from 'fast-check';
import { type ListedMarket, type OfferedPrices, readMarkets } from '../../../src/domain/sports/lines/read-lines';
import { type BookSelection, readMarket } from '../../../src/domain/sports/read-market';
import { runs } from '../../support/property';

const NAMES = { sportKey: 'nrl', home: 'Brisbane Broncos', away: 'Melbourne Storm' };
const MOST = 40;

type Line = readonly BookSelection[];

const line: fc.Arbitrary<Line> = fc
  .record({
    point: fc.integer({ min: -60, max: 60 }),
    price: fc.constantFrom(1.9, 2.1, 1, 1002, null),
    home: fc.constantFrom('Brisbane Broncos', 'Broncos', 'Brisbane', 'Parramatta Eels'),
    sides: fc.constantFrom(1, 2, 2, 2),
  })
  .map(({ point, price, home, sides }) =>
    [
      { name: home, price, point },
      { name: 'Storm', price: 1.9, point: -point },
    ].slice(0, sides),
  );

interface Answer {
  readonly kept: readonly (readonly [market: string, point: number | null, home: number | null])[];
  readonly dropped: Readonly<Record<string, number>>;
}

function counting() {
  const dropped: Record<string, number> = {};
  const drop = (reason: string): void => {
    dropped[reason] = (dropped[reason] ?? 0) + 1;
  };
  return { dropped, drop };
}

/** Every line is read on its own, as if its match had no other. */
function oneByOne(lines: readonly Line[]): Answer {
  const { dropped, drop } = counting();
  const kept = new Map<number, Answer['kept'][number]>();
  for (const [at, selections] of lines.entries()) {
    const market = at === 0 ? 'spreads' : 'alternate_spreads';
    const { prices, dropped: reasons } = readMarket('spreads', selections, { ...NAMES });
    for (const reason of reasons) drop(reason.replace('spreads', market));
    if (prices === null || (prices.home ?? prices.away) === null) continue;
    const [, , home] = kept.get(prices.homePoint!) ?? [];
    if (home !== undefined) {
      if (home !== prices.home) drop(`${market}_repeated`);
    } else if (kept.size >= MOST) drop(`${market}_too_many`);
    else kept.set(prices.homePoint!, [market, prices.homePoint, prices.home]);
  }
  return { kept: [...kept.values()], dropped };
}

function inSteps(listed: readonly ListedMarket[]): Answer & { readonly steps: number } {
  const { dropped, drop } = counting();
  const reading = readMarkets(listed, NAMES, drop);
  for (let steps = 0; ; steps++) {
    const { done, value } = reading.next();
    if (!done) continue;
    const offered: readonly OfferedPrices[] = value;
    return { kept: offered.map(({ market, prices }) => [market, prices.homePoint, prices.home]), dropped, steps };
  }
}

const MAIN: Line = [
  { name: 'Broncos', price: 1.95, point: 0.5 },
  { name: 'Storm', price: 1.9, point: -0.5 },
];

test('lines beyond those that are kept answer as each would alone, with a pause after every one', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 30, maxLength: 150 }), (alternates) => {
      const lines = [MAIN, ...alternates];
      const answer = inSteps(lines.map((selections) => ({ market: 'spreads', selections })));
      expect(answer).toEqual({ ...oneByOne(lines), steps: alternates.length });
    }),
    { numRuns: runs(50) },
  );
});
