// Generated races that are complete and consistent; properties then remove parts of them.
import fc from 'fast-check';
import type { CardEntry, FixedBet, SettledRace } from '../../../src/domain/settlement/settlement';

const JUMP = Date.parse('2026-11-21T04:00:00.000Z');
const at = (minutesBefore: number): string => new Date(JUMP - minutesBefore * 60_000).toISOString();

export const instant = fc.integer({ min: 1, max: 600 }).map(at);

type Fate = { readonly kind: 'finished'; readonly key: number } | { readonly kind: 'fell' | 'scratched' | 'reserve' };

const fate: fc.Arbitrary<Fate> = fc.oneof(
  // Few keys, so that there are many dead heats.
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('finished' as const), key: fc.integer({ min: 0, max: 9 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('fell' as const, 'scratched' as const, 'reserve' as const) }),
  },
);

const cents = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max }).map((value) => value / 100);

/** Numbers 1 to n; positions count on after a dead heat (1, 1, 3). */
export const generatedRace: fc.Arbitrary<SettledRace> = fc
  .record({
    fates: fc.array(fate, { minLength: 1, maxLength: 14 }),
    scratchedAt: instant,
    deductions: fc.array(fc.record({ win: cents(0, 80), place: cents(0, 44) }), { minLength: 14, maxLength: 14 }),
    placesPaid: fc.constantFrom(null, 1, 2, 3, 4),
  })
  .map(({ fates, scratchedAt, deductions, placesPaid }) => {
    const keys = fates.flatMap((each) => (each.kind === 'finished' ? [each.key] : []));
    const positionOf = (each: Fate): number | null =>
      each.kind === 'finished' ? 1 + keys.filter((key) => key < each.key).length : null;
    const numbered = fates.map((each, i) => ({ ...each, number: i + 1, position: positionOf(each) }));
    return {
      status: 'final',
      startTime: new Date(JUMP).toISOString(),
      placings: numbered.flatMap(({ number, position }) => (position === null ? [] : [{ number, position }])),
      runners: numbered.map(({ kind, number, position }) => ({
        number,
        position,
        status: kind === 'scratched' || kind === 'reserve' ? kind : 'ran',
        abnormal: kind === 'fell' ? 'Fell' : null,
      })),
      card: numbered.map(({ kind, number }): CardEntry => {
        const scratched = kind === 'scratched';
        return { number, scratched, scratchedAt: scratched ? scratchedAt : null, emergency: kind === 'reserve' };
      }),
      deductions: numbered.flatMap(({ kind, number }) =>
        kind === 'scratched' ? [{ name: null, number, scratched_at: scratchedAt, ...deductions[number - 1]! }] : [],
      ),
      placesPaid,
    };
  });

export const anyBet: fc.Arbitrary<FixedBet> = fc.record({
  market: fc.constantFrom('win', 'place'),
  number: fc.integer({ min: 1, max: 15 }),
  price: cents(101, 10_000),
  stake: cents(1, 100_000),
  placedAt: fc.option(instant, { freq: 4 }),
});
