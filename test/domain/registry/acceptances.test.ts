import fc from 'fast-check';
import {
  type CountedRunner,
  checkRaces,
  countRunners,
  sumCounts,
  worstStatus,
} from '../../../src/domain/registry/acceptances';

const runner = (number: number, over: Partial<CountedRunner> = {}): CountedRunner => ({
  number,
  emergency: false,
  scratched: false,
  ...over,
});
const field = (...numbers: number[]) => numbers.map((number) => runner(number));
const race = (numbers: number[], sheet: number[] = []) => ({
  runners: field(...numbers),
  sheet: sheet.map((number) => ({ number, name: `HORSE ${number}` })),
});

test('counts add up, and are null if a fact is unknown', () => {
  const runners = [runner(1), runner(2, { scratched: true }), runner(3, { emergency: true, scratched: true })];
  expect(countRunners(runners)).toEqual({
    runner_count: 3,
    emergency_count: 1,
    declared_count: 2,
    scratched_count: 2,
    unscratched_count: 1,
    declared_scratched_count: 1,
    declared_remaining_count: 1,
  });
  const emergencies = [5, 6].map((number) => runner(number, { emergency: true, scratched: true }));
  expect(countRunners([...runners, ...emergencies])).toMatchObject({
    scratched_count: 4,
    declared_scratched_count: 1,
    declared_remaining_count: 1,
  });
  expect(countRunners([...runners, runner(4, { scratched: null })])).toMatchObject({
    runner_count: 4,
    declared_count: 3,
    scratched_count: null,
    unscratched_count: null,
    declared_remaining_count: null,
  });
});

test('a sum counts every part, or is null if a part is null', () => {
  const runners = fc.array(
    fc.record({
      number: fc.integer({ min: 1, max: 24 }),
      emergency: fc.boolean(),
      scratched: fc.constantFrom(true, false, null),
    }),
  );
  fc.assert(
    fc.property(fc.array(runners, { maxLength: 4 }), (races) => {
      const sum = sumCounts(races.map(countRunners));
      expect(sum).toEqual(countRunners(races.flat()));
      if (sum.scratched_count === null) return;
      expect(sum.declared_count).toBe(sum.runner_count - sum.emergency_count!);
      expect(sum.unscratched_count).toBe(sum.runner_count - sum.scratched_count);
      expect(sum.declared_remaining_count).toBe(sum.declared_count! - sum.declared_scratched_count!);
    }),
  );
});

describe('the runner set', () => {
  test('passes when the stored count equals the stated one, with any numbers', () => {
    expect(checkRaces([race([1, 2, 3]), race([1, 16])], 5).map(({ status }) => status)).toEqual([
      'checks_passed',
      'checks_passed',
    ]);
  });

  test('a missing number is a gap when fewer are stored; the race without one passes when the gap explains the rest', () => {
    const checked = checkRaces([race([1, 3]), race([1, 2])], 5);
    expect(checked).toEqual([
      { status: 'gap_detected', missing: [{ number: 2, name: null, scratched: null, source: 'number_sequence' }] },
      { status: 'checks_passed', missing: [] },
    ]);
  });

  test('a difference beyond the gaps leaves the others unverified, and so does a page that states nothing', () => {
    expect(checkRaces([race([1, 3]), race([1, 2])], 9).map(({ status }) => status)).toEqual([
      'gap_detected',
      'unverified',
    ]);
    expect(checkRaces([race([1, 2])], null).map(({ status }) => status)).toEqual(['unverified']);
    expect(checkRaces([race([1, 2])], 1).map(({ status }) => status)).toEqual(['unverified']);
  });

  test('a runner that only the sheet names is reported missing by name', () => {
    expect(checkRaces([race([1, 2], [2, 4])], 2)).toEqual([
      {
        status: 'gap_detected',
        missing: [{ number: 4, name: 'HORSE 4', scratched: true, source: 'scratching_sheet' }],
      },
    ]);
    expect(checkRaces([race([1, 3], [2])], 3)[0]!.missing).toHaveLength(1);
    // It explains none of the runners in the stated total, so it does not verify the other race.
    expect(checkRaces([race([1, 2], [3]), race([1, 2])], 5).map(({ status }) => status)).toEqual([
      'gap_detected',
      'unverified',
    ]);
  });

  test('missing runners are in order of number, however they were found', () => {
    const [checked] = checkRaces([race([2, 6], [7, 4])], 9);
    expect(checked!.missing.map(({ number }) => number)).toEqual([1, 3, 4, 5, 7]);
  });

  test('a meeting is as good as its worst race', () => {
    expect(worstStatus(['checks_passed', 'unverified', 'gap_detected'])).toBe('gap_detected');
    expect(worstStatus(['checks_passed', 'unverified'])).toBe('unverified');
    expect(worstStatus(['checks_passed'])).toBe('checks_passed');
    expect(worstStatus([])).toBe('unverified');
  });
});
