// The cheap question before the comparison for arbs: it never denies one that the comparison finds.
import fc from 'fast-check';
import { compareH2h } from '../../../src/domain/sports/compare';
import { bestLineArb } from '../../../src/domain/sports/lines/lines';
import { mayHaveArb } from '../../../src/domain/sports/may-have-arb';
import { LINE_MARKETS, sportOf } from '../../../src/domain/sports/sports';
import { runs } from '../../support/property';
import { anyRound } from '../../support/sports/any-round';
import { book, NOW_MS, priced, pricedMatch } from '../../support/sports/matches';

test('wherever there is an arb, there may be one', () => {
  const found = { h2h: 0, spreads: 0, totals: 0 };
  fc.assert(
    fc.property(anyRound, (round) => {
      for (const match of round) {
        const h2h = compareH2h(match, sportOf(match.sportKey)!, NOW_MS).arb;
        const lines = LINE_MARKETS.map((market) => [market, bestLineArb(match, market, NOW_MS)] as const);
        for (const [market, arb] of [['h2h', h2h] as const, ...lines]) {
          if (arb === null) continue;
          found[market]++;
          expect([market, mayHaveArb(match, market, NOW_MS)]).toEqual([market, true]);
        }
      }
    }),
    { numRuns: runs(3000) },
  );
  expect(Math.min(...Object.values(found))).toBeGreaterThan(10);
});

const line = (market: 'spreads' | 'totals', point: number, home: number, away: number) =>
  priced(market, { home, away, homePoint: point, awayPoint: market === 'totals' ? point : 0 - point });
const of = (...markets: readonly ReturnType<typeof priced>[]) =>
  pricedMatch([book('tab', [markets[0]!]), book('neds', [markets[1]!])], { sportKey: 'nrl' });

test('prices that cost more than they return, or lines with a gap between them, are none', () => {
  const even = priced('h2h', { home: 1.9, away: 1.9 });
  expect(mayHaveArb(of(even, even), 'h2h', NOW_MS)).toBe(false);
  // Home above 3.5 and away below 2.5: three points lose both.
  const gap = of(line('spreads', -3.5, 2.4, 1.5), line('spreads', -2.5, 1.5, 2.4));
  expect(mayHaveArb(gap, 'spreads', NOW_MS)).toBe(false);
  const covered = of(line('spreads', -2.5, 2.1, 1.7), line('spreads', -3.5, 1.7, 2.1));
  expect(mayHaveArb(covered, 'spreads', NOW_MS)).toBe(true);
  const totals = of(line('totals', 41.5, 2.4, 1.5), line('totals', 40.5, 1.5, 2.4));
  expect(mayHaveArb(totals, 'totals', NOW_MS)).toBe(false);
});

test('the draw counts where the sport has one, and a stale price never', () => {
  const soccer = { sportKey: 'soccer_epl' };
  const three = (draw: number) => pricedMatch([book('tab', [priced('h2h', { home: 2.6, draw, away: 3.4 })])], soccer);
  expect(mayHaveArb(three(3.1), 'h2h', NOW_MS)).toBe(false);
  expect(mayHaveArb(three(3.2), 'h2h', NOW_MS)).toBe(true);
  const old = book('tab', [priced('h2h', { home: 2.2, away: 2.2 })], { observedAtMs: NOW_MS - 1_801_000 });
  expect(mayHaveArb(pricedMatch([old]), 'h2h', NOW_MS)).toBe(false);
});
