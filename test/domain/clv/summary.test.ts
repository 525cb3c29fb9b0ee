// The summary of a list of bets, and the things on which it must never depend.
import fc from 'fast-check';
import { type ScoredBet, summaryOf } from '../../../src/domain/clv/summary';

const bet = (over: Partial<ScoredBet> = {}): ScoredBet => ({
  clvPct: null,
  result: null,
  stake: 1,
  pnl: null,
  ...over,
});

test('averages are over bets with the figure; a refund was never at risk', () => {
  const bets = [
    bet({ clvPct: 10, result: 'won', stake: 10, pnl: 40 }),
    bet({ clvPct: -4, result: 'lost', stake: 20, pnl: -20 }),
    bet({ clvPct: 0 }),
    bet({ result: 'refunded', stake: 100, pnl: 0 }),
    bet(),
  ];
  expect(summaryOf(bets)).toEqual({
    bets: 5,
    scored: 3,
    settled: 3,
    averageClvPct: 2,
    medianClvPct: 0,
    beatClose: 1,
    beatClosePct: 100 / 3,
    won: 1,
    lost: 1,
    refunded: 1,
    winPct: 50,
    staked: 30,
    pnl: 20,
    roiPct: 200 / 3,
    flatRoiPct: 150,
  });
});

test('without a figure there is no average, and unknown is never 0 (D3)', () => {
  const nothing = { averageClvPct: null, medianClvPct: null, beatClosePct: null, winPct: null };
  const money = { staked: null, pnl: null, roiPct: null, flatRoiPct: null };
  for (const bets of [[], [bet()], [bet({ result: 'refunded', pnl: 0 })]])
    expect(summaryOf(bets)).toMatchObject({ bets: bets.length, scored: 0, beatClose: 0, ...nothing, ...money });
});

describe('for any bets', () => {
  const money = fc.integer({ min: 1, max: 100_000 }).map((cents) => cents / 100);
  const any: fc.Arbitrary<ScoredBet> = fc
    .record({
      clvPct: fc.option(fc.integer({ min: -9000, max: 90_000 }).map((pct) => pct / 100)),
      result: fc.constantFrom('won' as const, 'lost' as const, 'refunded' as const, null),
      stake: money,
      won: money,
    })
    .map(({ won, ...one }) => {
      const pnl = { won, lost: -one.stake, refunded: 0 };
      return { ...one, pnl: one.result === null ? null : pnl[one.result] };
    });

  test('their order does not matter', () => {
    const shuffled = fc
      .array(any, { maxLength: 30 })
      .chain((bets) => fc.tuple(fc.constant(bets), fc.shuffledSubarray(bets, { minLength: bets.length })));
    fc.assert(fc.property(shuffled, ([bets, other]) => expect(summaryOf(other)).toEqual(summaryOf(bets))));
  });

  test('counts add up, and a bet without figures changes only the number of bets', () => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), (bets) => {
        const all = summaryOf(bets);
        expect(all.won + all.lost + all.refunded).toBe(all.settled);
        expect(all.beatClose).toBeLessThanOrEqual(all.scored);
        expect(all.scored).toBe(bets.filter(({ clvPct }) => clvPct !== null).length);
        expect(summaryOf([...bets, bet({ stake: 1000 })])).toEqual({ ...all, bets: all.bets + 1 });
        if (all.scored > 0) {
          const mean = bets.reduce((sum, { clvPct }) => sum + (clvPct ?? 0), 0) / all.scored;
          expect(all.averageClvPct).toBeCloseTo(mean, 6);
        }
      }),
    );
  });

  test('with equal stakes, the return equals the flat one', () => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), money, (bets, stake) => {
        const flat = bets.map((one) => ({ ...one, stake, pnl: one.result === 'lost' ? -stake : one.pnl }));
        const { roiPct, flatRoiPct } = summaryOf(flat);
        if (roiPct === null) return expect(flatRoiPct).toBeNull();
        expect(flatRoiPct! / roiPct || 1).toBeCloseTo(1, 6);
      }),
    );
  });
});
