// Edge cases of settlement beyond the worked examples: nearly proven, nearly simultaneous, or duplicate.
import { toCents } from '../../../src/domain/half-up';
import { fieldSize, placesPaid } from '../../../src/domain/settlement/field-size';
import { settleBet } from '../../../src/domain/settlement/settle-bet';
import type { CardEntry, FixedBet, SettledRace } from '../../../src/domain/settlement/settlement';

const NOON = '2026-11-21T01:00:00.000Z';
const LATER = '2026-11-21T02:00:00.000Z';

const entry = (number: number, more: Partial<CardEntry> = {}): CardEntry => ({
  number,
  scratched: false,
  scratchedAt: null,
  emergency: null,
  ...more,
});
const cardOf = (starters: number): CardEntry[] => Array.from({ length: starters }, (_, i) => entry(i + 1));
const order = (...pairs: [number, number][]): SettledRace['placings'] =>
  pairs.map(([position, number]) => ({ position, number }));
const row = (number: number, position: number | null, status: 'ran' | 'late_scratching' = 'ran') => ({
  number,
  position,
  status,
  abnormal: null,
});
const taken = (number: number, win: number, scratched_at: string | null = LATER) => ({
  name: null,
  number,
  win,
  place: win,
  scratched_at,
});

const RACE: SettledRace = {
  status: 'final',
  startTime: null,
  placings: order([1, 4], [2, 7], [3, 2]),
  runners: null,
  card: cardOf(10),
  deductions: [],
  placesPaid: 3,
};
const BET: FixedBet = { market: 'win', number: 4, price: 4, stake: 10, placedAt: NOON };

const settle = (bet: Partial<FixedBet>, race: Partial<SettledRace> = {}) =>
  settleBet({ ...BET, ...bet }, { ...RACE, ...race });
const verdict = (bet: Partial<FixedBet>, race: Partial<SettledRace> = {}) => {
  const { outcome, reason, winningShare } = settle(bet, race);
  return outcome === 'won' ? winningShare : (reason ?? outcome);
};

describe('placings', () => {
  test('a duplicate row is one runner', () => {
    expect(verdict({}, { placings: order([1, 4], [1, 4], [2, 7]) })).toBe(1);
  });

  test('one number at two positions contradicts the whole result', () => {
    expect(verdict({ number: 7 }, { placings: order([1, 4], [2, 4], [3, 7]) })).toBe('result_contradictory');
  });

  test('a missing runner may have tied: neighbours of the gap stay open, runners ahead of it are settled', () => {
    const placings = order([1, 4], [2, 7], [4, 2]);
    const places = { market: 'place' } as const;
    expect(verdict({ ...places, number: 4 }, { placings })).toBe(1);
    expect(verdict({ ...places, number: 7 }, { placings })).toBe('placings_incomplete');
    expect(verdict({ ...places, number: 2 }, { placings })).toBe('placings_incomplete');
    expect(verdict({ number: 2 }, { placings })).toBe('lost');
  });

  test('invalid positions are left out', () => {
    expect(verdict({ number: 7 }, { placings: order([0, 9], [1, 4], [2, 7]) })).toBe('lost');
    expect(verdict({}, { placings: [] })).toBe('placings_incomplete');
  });
});

test.each<[string, Partial<FixedBet>, Partial<SettledRace>, unknown]>([
  ['a stake of nothing', { stake: 0 }, {}, 'bet_invalid'],
  ['a stake below nothing', { stake: -1 }, {}, 'bet_invalid'],
  ['a price of 1', { price: 1 }, {}, 'bet_invalid'],
  ['a payout beyond any number', { price: 1e200, stake: 1e200 }, {}, 'bet_invalid'],
  ['a number of places that is none', { market: 'place' }, { placesPaid: 2.5 }, 'places_unknown'],
  ['a negative number of places', { market: 'place' }, { placesPaid: -1 }, 'places_unknown'],
  ['a race off before it could be', {}, { status: 'abandoned' }, 'race_abandoned'],
])('%s', (_, bet, race, expected) => expect(verdict(bet, race)).toBe(expected));

describe('starters', () => {
  test('a late scratching is refunded; a runner of the field that ran without a position has lost', () => {
    const runners = [row(4, 1), row(7, 2), row(2, 3), row(9, null), row(1, null, 'late_scratching')];
    expect(verdict({ number: 1 }, { runners })).toBe('runner_scratched');
    expect(verdict({ number: 9, market: 'place' }, { runners })).toBe('lost');
  });

  test('the field outranks a book that has a finisher as scratched', () => {
    const card = [...cardOf(3), entry(4, { scratched: true })];
    expect(verdict({}, { card, runners: [row(4, 1), row(7, 2), row(2, 3)] })).toBe(1);
    expect(verdict({}, { card })).toBe('result_contradictory');
  });

  test('a full field without a runner of the card proves nothing about it', () => {
    expect(verdict({ number: 9 }, { runners: [row(4, 1), row(7, 2), row(2, 3)] })).toBe('start_not_proven');
  });

  test('without a card only placed runners are settled, and a runner with a deduction was scratched', () => {
    expect(verdict({}, { card: null })).toBe(1);
    expect(verdict({ number: 9 }, { card: null })).toBe('start_not_proven');
    expect(verdict({ number: 9 }, { card: null, deductions: [taken(9, 0)] })).toBe('runner_scratched');
  });
});

describe('the field where the placings stop', () => {
  const runners = [row(4, 1), row(7, 2), { ...row(9, null), abnormal: 'Disqualified' }];

  test('the field fills the places that the placings leave open', () => {
    const whole = [row(4, 1), row(7, 2), row(9, 3), { ...row(2, null), abnormal: 'Fell' }, row(1, null)];
    const place = (number: number) => verdict({ market: 'place', number }, { runners: whole, placings: order([1, 4]) });
    expect([4, 7, 9, 2, 1].map(place)).toEqual([1, 1, 1, 'lost', 'lost']);
    const short = [row(4, 1), row(7, null)];
    expect(verdict({ market: 'place', number: 7 }, { runners: short, placings: order([1, 4]) })).toBe(
      'placings_incomplete',
    );
  });

  test('a runner that did not finish lost, unless the placings list it', () => {
    const placings = order([1, 4], [2, 7]);
    expect(verdict({ market: 'place', number: 9 }, { runners, placings })).toBe('lost');
    expect(verdict({ market: 'place', number: 9 }, { runners, placings: order([1, 4], [3, 9]) })).toBe(
      'placings_incomplete',
    );
  });
});

describe('deductions', () => {
  const deductionOf = (bet: Partial<FixedBet>, deductions: SettledRace['deductions']) =>
    settle(bet, { deductions }).deduction;

  test('a bet at the instant of a scratching was not before it', () => {
    expect(deductionOf({ placedAt: LATER }, [taken(12, 0.2)])).toBe(0);
    expect(deductionOf({ placedAt: '2026-11-21T01:59:59.999Z' }, [taken(12, 0.2)])).toBe(0.2);
  });

  test('together they take at most the whole dollar, and sum without rounding errors', () => {
    expect(deductionOf({}, [taken(12, 0.7), taken(13, 0.6)])).toBe(1);
    expect(settle({}, { deductions: [taken(12, 0.7), taken(13, 0.6)] }).returns).toBe(0);
    expect(deductionOf({}, [taken(12, 0.1), taken(13, 0.2)])).toBe(0.3);
  });

  test('the parts name the deductions that counted, by number; a deduction of 0 needs no assumption', () => {
    const { parts } = settle({}, { deductions: [taken(13, 0.2), taken(12, 0.1), taken(14, 0, null)] });
    expect(parts?.deductions).toEqual([
      { number: 12, fraction: 0.1 },
      { number: 13, fraction: 0.2 },
    ]);
    expect(parts?.deductionsAssumed).toBe(false);
  });

  test.each([
    [1, 1],
    [0, 0],
    [1.01, null],
    [-0.1, null],
  ])('a fraction of %d is %p', (win, deduction) => {
    const settlement = settle({}, { deductions: [taken(12, win)] });
    expect(settlement.deduction).toBe(deduction);
    expect(settlement.reason).toBe(deduction === null ? 'deduction_unknown' : null);
  });

  test('one deduction that may precede the bet is enough to assume; one with a time is not', () => {
    const assumed = (...times: (string | null)[]) =>
      settle({}, { deductions: times.map((at, i) => taken(12 + i, 0.1, at)) }).parts?.deductionsAssumed;
    expect([assumed(LATER, null), assumed(LATER, LATER), assumed(null)]).toEqual([true, false, true]);
    expect(settle({ placedAt: null }, { deductions: [taken(12, 0.1)] }).parts?.deductionsAssumed).toBe(true);
  });

  test('a losing bet has no deduction and no assumption', () => {
    expect(settle({ number: 9 }, { deductions: [taken(12, 0.1, null)] })).toMatchObject({
      deduction: null,
      parts: { deductions: [], deductionsAssumed: false, deductionsMissing: [], places: 1, tied: null, placesLeft: 0 },
    });
  });

  test('a scratching at the barrier follows every bet, even if neither has a time', () => {
    const barrier = { number: 11, position: null, status: 'scratched' as const, abnormal: 'SB' };
    const runners = [row(4, 1), row(7, 2), row(2, 3), barrier];
    const assumed = (scratched_at: string | null, placedAt: string | null) =>
      settle({ placedAt }, { runners, deductions: [taken(11, 0.2, scratched_at)] }).parts?.deductionsAssumed;
    expect([assumed(null, null), assumed(null, NOON), assumed(LATER, null)]).toEqual([false, false, false]);
    expect(settle({ placedAt: null }, { runners, deductions: [taken(12, 0.2, null)] }).parts).toMatchObject({
      deductionsAssumed: true,
    });
  });

  test('a bet without a time counts as placed an hour before the start, and the settlement marks it', () => {
    const startTime = '2026-11-21T04:00:00.000Z';
    const parts = (scratched_at: string | null, placedAt: string | null = null) =>
      settle({ placedAt }, { startTime, deductions: [taken(12, 0.2, scratched_at)] }).parts;
    const before = '2026-11-21T03:00:00.000Z';
    const after = '2026-11-21T03:00:00.001Z';
    expect(parts(before)).toMatchObject({ deductions: [], deductionsAssumed: true });
    expect(parts(after)).toMatchObject({ deductions: [{ number: 12 }], deductionsAssumed: true });
    expect(parts(null)).toMatchObject({ deductions: [{ number: 12 }], deductionsAssumed: true });
    expect(parts(before, NOON)).toMatchObject({ deductions: [{ number: 12 }], deductionsAssumed: false });
  });

  test('each market has its own: a place bet is not charged the win deduction', () => {
    const deductions = [{ ...taken(12, 0.4), place: 0.24 }];
    expect(deductionOf({ market: 'place' }, deductions)).toBe(0.24);
    expect(deductionOf({ market: 'win' }, [{ ...taken(12, 0.4), win: null, place: null }])).toBe(0);
  });
});

describe('places', () => {
  test.each([
    [1, 0],
    [4, 0],
    [5, 2],
    [7, 2],
    [8, 3],
    [24, 3],
  ])('a field of %i pays %i', (starters, places) => expect(placesPaid(starters)).toBe(places));

  test('a place bet is refunded if the race pays no places', () => {
    expect(verdict({ market: 'place' }, { placesPaid: 0 })).toBe('no_place_betting');
    expect(verdict({ market: 'place' }, { placesPaid: null, card: null })).toBe('places_unknown');
  });

  test('a placed runner missing from the card is in the field', () => {
    expect(fieldSize({ ...RACE, card: cardOf(4), placings: order([1, 4], [2, 7]) }, NOON)).toEqual({
      least: 5,
      most: 5,
    });
  });

  test('a runner scratched after the bet without a published deduction is named, because its part is unknown', () => {
    const missing = (bet: Partial<FixedBet>, race: Partial<SettledRace>) => settle(bet, race).parts?.deductionsMissing;
    const card = [...cardOf(10), entry(11, { scratched: true, scratchedAt: LATER })];
    expect(missing({}, { card })).toEqual([11]);
    const two = [entry(12, { scratched: true, scratchedAt: LATER }), ...card];
    expect(missing({}, { card: two })).toEqual([11, 12]);
    expect(settle({}, { card })).toMatchObject({ outcome: 'won', deduction: 0, profit: 30 });
    expect(missing({}, { card, deductions: [taken(11, 0)] })).toEqual([]);
    for (const placedAt of [LATER, null]) expect(missing({ placedAt }, { card })).toEqual([]);
    expect(missing({ number: 9 }, { card })).toEqual([]);
    const reserve = [...cardOf(10), entry(11, { scratched: true, scratchedAt: LATER, emergency: true })];
    expect(missing({}, { card: reserve })).toEqual([]);
    const barrier = { number: 11, position: null, status: 'scratched' as const, abnormal: 'SB' };
    const runners = [row(4, 1), row(7, 2), row(2, 3), barrier];
    for (const placedAt of [NOON, null]) expect(missing({ placedAt }, { runners })).toEqual([11]);
  });

  test('a reserve without a start was never in the field, and its bet is refunded', () => {
    const reserve = { number: 9, position: null, status: 'reserve' as const, abnormal: null };
    const runners = [row(4, 1), row(7, 2), row(2, 3), reserve];
    expect(fieldSize({ ...RACE, card: null, runners }, NOON)).toEqual({ least: 3, most: 3 });
    expect(verdict({ number: 9 }, { runners })).toBe('reserve_did_not_run');
  });

  test('the time of a scratching comes from the card, else from its own deduction', () => {
    const card = [...cardOf(7), entry(8, { scratched: true }), entry(9)];
    const of = (scratched_at: string | null, placedAt: string) =>
      fieldSize({ ...RACE, card, deductions: [taken(9, 0.1, NOON), taken(8, 0.1, scratched_at)] }, placedAt);
    expect(of(LATER, NOON)).toEqual({ least: 8, most: 8 });
    expect(of(NOON, LATER)).toEqual({ least: 7, most: 7 });
    expect(of(null, LATER)).toEqual({ least: 7, most: 8 });
  });

  test('a place bet shows how many places were paid, tied for and left', () => {
    const place = { market: 'place', number: 2 } as const;
    const tied = order([1, 4], [2, 7], [3, 2], [3, 9]);
    expect(settle(place, { placings: tied })).toMatchObject({
      winningShare: 0.5,
      returns: 20,
      parts: { places: 3, tied: 2, placesLeft: 1 },
    });
    expect(settle({ market: 'place' }, { placings: [...tied].reverse() })).toMatchObject({
      winningShare: 1,
      parts: { places: 3, tied: 1, placesLeft: 3 },
    });
    // Seven or eight runners were listed, which means two places or three; the winner is paid in either case.
    const card = [...cardOf(7), entry(8, { emergency: true, scratched: true, scratchedAt: LATER })];
    expect(settle({ market: 'place' }, { card, placesPaid: null }).parts).toMatchObject({
      places: null,
      tied: 1,
      placesLeft: null,
    });
    // Four or five runners, which means no places or two.
    const few = [...cardOf(4), entry(8, { emergency: true, scratched: true, scratchedAt: LATER })];
    const placings = order([1, 4], [2, 3]);
    expect(verdict({ market: 'place' }, { card: few, placings, placesPaid: null })).toBe('places_unknown');
  });

  test('a horse scratched at the barrier was in the field, whenever the bet was made', () => {
    const barrier = { number: 8, position: null, status: 'scratched' as const, abnormal: 'SB' };
    const starters = [row(4, 1), row(7, 2), row(2, 3), ...[1, 3, 5, 6].map((number, i) => row(number, 4 + i))];
    const race = { card: cardOf(8), runners: [...starters, barrier], placesPaid: null };
    for (const placedAt of [NOON, null]) {
      expect(fieldSize({ ...RACE, ...race }, placedAt)).toEqual({ least: 8, most: 8 });
      expect(verdict({ market: 'place', number: 2, placedAt }, race)).toBe(1);
    }
  });

  test('a scratched emergency may have had a start: it widens the field until it is out', () => {
    const card = [...cardOf(7), entry(8, { emergency: true, scratched: true, scratchedAt: LATER })];
    expect(fieldSize({ ...RACE, card }, NOON)).toEqual({ least: 7, most: 8 });
    expect(fieldSize({ ...RACE, card }, LATER)).toEqual({ least: 7, most: 7 });
    const third = { market: 'place', number: 2 } as const;
    expect(verdict(third, { card, placesPaid: null })).toBe('places_unknown');
  });

  test('an emergency without a proven start, and a scratching without a time, widen the field instead of being guessed', () => {
    const card = [...cardOf(7), entry(8, { emergency: true }), entry(9, { scratched: true })];
    expect(fieldSize({ ...RACE, card }, NOON)).toEqual({ least: 7, most: 9 });
    expect(
      fieldSize({ ...RACE, card: [...cardOf(7), entry(9, { scratched: true, scratchedAt: NOON })] }, LATER),
    ).toEqual({
      least: 7,
      most: 7,
    });
  });
});

test.each([
  [1.005, 1.01],
  [11.164999999999999, 11.17],
  [11.1649, 11.16],
  [23.200000000000003, 23.2],
  [-1.005, -1],
  [-1.0051, -1.01],
  [100_000.005 - 100_000, 0.01],
  [-0.001, 0],
  [0.285 * 100, 28.5],
])('%d is shown as %d', (amount, shown) => expect(toCents(amount)).toBe(shown));
