// Invariants of every settlement: it never pays more than the price covers, a dead heat never pays a place twice, and
// less data can leave a bet open but never settles it differently.
import fc from 'fast-check';
import { toCents } from '../../../src/domain/half-up';
import { settleBet } from '../../../src/domain/settlement/settle-bet';
import type { FixedBet, SettledRace, Settlement } from '../../../src/domain/settlement/settlement';
import { startOf } from '../../../src/domain/settlement/started';
import { runs } from '../../support/property';
import { anyBet, generatedRace, instant } from './generated-race';

/** Enough runs that every outcome is drawn with every seed. */
const RUNS = { numRuns: runs(3500) };

const holds = (check: (bet: FixedBet, race: SettledRace) => void): void =>
  fc.assert(fc.property(anyBet, generatedRace, check), RUNS);

const outcomeOf = ({ outcome, winningShare, returns }: Settlement) => ({ outcome, winningShare, returns });

test('a bet on a complete race is settled, and pays at most stake times price', () => {
  let won = 0;
  holds((bet, race) => {
    const { outcome, returns, profit } = settleBet({ ...bet, placedAt: bet.placedAt ?? '2026-11-20T00:00:00Z' }, race);
    expect(outcome === 'unsettled').toBe(bet.number > race.card!.length);
    if (outcome === 'unsettled') return;
    expect(returns).toBeGreaterThanOrEqual(0);
    expect(returns).toBeLessThanOrEqual(outcome === 'refunded' ? bet.stake : bet.stake * bet.price);
    expect(profit).toBe(returns! - bet.stake);
    expect(profit).toBeGreaterThanOrEqual(-bet.stake);
    won += outcome === 'won' ? 1 : 0;
  });
  expect(won).toBeGreaterThan(0);
});

test('the shown profit is the amount paid, in whole cents, less the stake', () => {
  const stakes = fc.integer({ min: 1, max: 1e7 });
  const returned = fc.integer({ min: 0, max: 1e9 });
  fc.assert(
    fc.property(stakes, returned, (cents, mills) => {
      const stake = cents / 100;
      const returns = mills / 1000;
      expect(toCents(returns - stake)).toBeCloseTo(toCents(returns) - stake, 6);
    }),
    RUNS,
  );
});

test('a refund is the stake, to the last digit', () => {
  let refunds = 0;
  holds((bet, race) => {
    const { outcome, returns, profit } = settleBet(bet, race);
    if (outcome !== 'refunded') return;
    refunds++;
    expect([returns, profit]).toEqual([bet.stake, 0]);
  });
  expect(refunds).toBeGreaterThan(0);
});

test('the winning shares add up to the places paid, with any ties', () => {
  fc.assert(
    fc.property(generatedRace, fc.constantFrom('win' as const, 'place' as const), instant, (race, market, placedAt) => {
      const settlements = race
        .card!.filter(({ number }) => startOf(number, race) === 'ran')
        .map(({ number }) => settleBet({ market, number, price: 2, stake: 1, placedAt }, race));
      const paying = settlements.filter(({ winningShare }) => winningShare !== null);
      if (paying.length === 0) return;
      const places = paying[0]!.parts!.places!;
      const shares = paying.reduce((sum, { winningShare }) => sum + winningShare!, 0);
      expect(paying).toHaveLength(settlements.length);
      expect(shares).toBeCloseTo(Math.min(places, race.placings.length), 9);
    }),
    RUNS,
  );
});

test('an additional deduction never pays more', () => {
  const more = fc.record({
    name: fc.constant(null),
    number: fc.constant(99),
    win: fc.integer({ min: 0, max: 100 }).map((each) => each / 100),
    place: fc.integer({ min: 0, max: 100 }).map((each) => each / 100),
    scratched_at: fc.option(instant),
  });
  fc.assert(
    fc.property(anyBet, generatedRace, more, (bet, race, deduction) => {
      // The number of places is fixed: one more runner scratched after the bet makes the field of the bet larger.
      const fixed = { ...race, placesPaid: race.placesPaid ?? 3 };
      const before = settleBet(bet, fixed);
      const after = settleBet(bet, { ...fixed, deductions: [...race.deductions, deduction] });
      expect(after.outcome).toBe(before.outcome);
      if (before.returns !== null) expect(after.returns).toBeLessThanOrEqual(before.returns);
    }),
    RUNS,
  );
});

test('a runner that finished ahead is never paid less', () => {
  fc.assert(
    fc.property(generatedRace, fc.constantFrom('win' as const, 'place' as const), (race, market) => {
      const shareOf = (number: number) =>
        settleBet({ market, number, price: 3, stake: 1, placedAt: '2026-11-20T00:00:00Z' }, race).winningShare;
      const shares = [...race.placings].sort((a, b) => a.position - b.position).map(({ number }) => shareOf(number));
      expect(shares).toEqual([...shares].sort((a, b) => b! - a!));
    }),
    RUNS,
  );
});

/** Kinds of missing data: no field, no card, only the first so many positions, no time of the bet. */
const forget = fc.record({
  field: fc.boolean(),
  card: fc.boolean(),
  positions: fc.constantFrom(0, 1, 2, 3, 4, 99),
  placedAt: fc.boolean(),
});

test('less data leaves a bet open or settles it the same', () => {
  let same = 0;
  fc.assert(
    fc.property(anyBet, generatedRace, forget, (bet, race, forgotten) => {
      // A deduction that may or may not count is applied: deductionsAssumed reports it, and the examples check it.
      const complete = { ...race, deductions: race.deductions.map((each) => ({ ...each, win: 0, place: 0 })) };
      const less = {
        ...complete,
        runners: forgotten.field ? null : complete.runners,
        card: forgotten.card ? null : complete.card,
        placings: complete.placings.filter(({ position }) => position <= forgotten.positions),
      };
      const completely = settleBet({ ...bet, placedAt: bet.placedAt ?? '2026-11-20T00:00:00Z' }, complete);
      const openly = settleBet(forgotten.placedAt ? { ...bet, placedAt: null } : bet, less);
      if (openly.outcome === 'unsettled') return;
      same++;
      expect(outcomeOf(openly)).toEqual(outcomeOf(completely));
    }),
    { numRuns: runs(4_000) },
  );

  expect(same).toBeGreaterThan(runs(4_000) / 20);
});

test('the order of rows, and whether positions skip after a dead heat, make no difference', () => {
  const dense = (race: SettledRace): SettledRace['placings'] => {
    const positions = [...new Set(race.placings.map(({ position }) => position))].sort((a, b) => a - b);
    return race.placings.map(({ number, position }) => ({ number, position: positions.indexOf(position) + 1 }));
  };
  holds((bet, race) => {
    const other = {
      ...race,
      placings: dense(race).toReversed(),
      runners: race.runners!.toReversed(),
      card: race.card!.toReversed(),
      deductions: race.deductions.toReversed(),
    };
    expect(settleBet(bet, other)).toEqual(settleBet(bet, race));
  });
});

test('a race is settled when it is final, and not before', () => {
  holds((bet, race) => {
    expect(settleBet(bet, { ...race, status: 'interim' }).reason).toBe('result_not_final');
    expect(settleBet(bet, { ...race, status: 'abandoned', placings: [], runners: null }).outcome).toBe('refunded');
  });
});

/** Any row, sensible or not. */
const odd = fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 0.5, 1, 1e308, 5e-324);
const anyNumber = fc.oneof(fc.integer({ min: -1, max: 6 }), odd);
const anyInstant = fc.option(fc.oneof(instant, fc.constantFrom('', 'noon', '2026-13-40T00:00:00Z')));
const anyRace: fc.Arbitrary<SettledRace> = fc.record({
  status: fc.constantFrom('final', 'final', 'final', 'interim', 'abandoned'),
  startTime: anyInstant,
  placings: fc.array(fc.record({ position: anyNumber, number: anyNumber }), { maxLength: 8 }),
  runners: fc.option(
    fc.array(
      fc.record({
        number: anyNumber,
        position: fc.option(anyNumber),
        status: fc.constantFrom('ran', 'scratched', 'late_scratching', 'reserve'),
        abnormal: fc.constantFrom(null, 'SB', 'Fell'),
      }),
      { maxLength: 8 },
    ),
  ),
  card: fc.option(
    fc.array(
      fc.record({
        number: anyNumber,
        scratched: fc.boolean(),
        scratchedAt: anyInstant,
        emergency: fc.constantFrom(null, true, false),
      }),
      { maxLength: 8 },
    ),
  ),
  deductions: fc.array(
    fc.record({
      name: fc.constant(null),
      number: anyNumber,
      win: fc.option(fc.oneof(fc.double(), odd)),
      place: fc.option(fc.oneof(fc.double(), odd)),
      scratched_at: anyInstant,
    }),
    { maxLength: 4 },
  ),
  placesPaid: fc.option(anyNumber),
});

test('for any rows the answer is complete: figures when it is settled, a reason when it is not', () => {
  const bets = fc.record({
    market: fc.constantFrom('win' as const, 'place' as const),
    number: anyNumber,
    price: fc.oneof(fc.double(), odd, fc.constant(2.5)),
    stake: fc.oneof(fc.double(), odd, fc.constant(10)),
    placedAt: anyInstant,
  });
  fc.assert(
    fc.property(bets, anyRace, (bet, race) => {
      const { outcome, reason, winningShare, deduction, returns, parts } = settleBet(bet, race);
      const settled = outcome === 'won' || outcome === 'lost';
      expect([reason === null, winningShare !== null, parts !== null]).toEqual([settled, settled, settled]);
      expect([returns === null, deduction !== null]).toEqual([outcome === 'unsettled', outcome === 'won']);
      if (returns !== null) expect(Number.isFinite(returns) && returns >= 0).toBe(true);
      if (winningShare !== null) expect(winningShare > 0 && winningShare <= 1).toBe(outcome === 'won');
    }),
    { numRuns: runs(5_000) },
  );
});
