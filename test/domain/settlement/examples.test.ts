// Compares docs/settlement.md with the code: every worked example and each of its steps; no rule or reason lacks an
// example.
import { toCents } from '../../../src/domain/half-up';
import { settleBet } from '../../../src/domain/settlement/settle-bet';
import type { Refund, Settlement, Unsettled } from '../../../src/domain/settlement/settlement';
import { reckon } from './arithmetic';
import { type Step, type WorkedExample, workedExamples, writtenRules } from './worked-examples';

/** The code's value for a step. */
const COMPUTED: Readonly<Record<string, (settlement: Settlement, example: WorkedExample) => number | string | null>> = {
  places: ({ parts }) => parts?.places ?? null,
  'face value': (_, { bet }) => toCents(bet.stake * bet.price),
  'winning share': ({ winningShare }) => winningShare,
  deduction: ({ deduction }) => deduction,
  'deduction assumed': ({ parts }) => (parts?.deductionsAssumed ? 'yes' : 'no'),
  'deduction missing': ({ parts }) => parts?.deductionsMissing.map((number) => `number ${number}`).join(', ') ?? null,
  returns: ({ returns }) => returns && toCents(returns),
  profit: ({ profit }) => profit && toCents(profit),
  outcome: ({ outcome, reason }) => (reason ? `${outcome}: ${reason}` : outcome),
};

const MONEY = new Set(['face value', 'returns', 'profit']);

/** The page's value: text unchanged, figures computed. */
const written = ({ label, result }: Step): number | string =>
  ['outcome', 'deduction assumed', 'deduction missing'].includes(label) ? result : reckon(result);

describe.each(workedExamples.map((example) => [example.title, example] as const))('%s', (_, example) => {
  // Inside each test, because a mutation run assigns code that runs during collection to no test.
  const settled = () => settleBet(example.bet, example.race);

  test.each(example.steps.map((step) => [step.label, step] as const))('%s', (label, step) => {
    const expected = written(step);
    const computed = COMPUTED[label]!(settled(), example);
    if (typeof expected === 'number') expect(computed).toBeCloseTo(expected, 9);
    else expect(computed).toBe(expected);
  });

  test('its arithmetic gives its results', () => {
    for (const step of example.steps.filter(({ arithmetic }) => arithmetic !== '')) {
      const value = reckon(step.arithmetic);
      expect([step.label, MONEY.has(step.label) ? toCents(value) : value]).toEqual([step.label, written(step)]);
    }
  });

  test('it shows the returns, or that it is open', () => {
    const shown = example.steps.map(({ label }) => label);
    expect(shown).toContain('outcome');
    if (settled().outcome !== 'unsettled') expect(shown).toEqual(expect.arrayContaining(['returns', 'profit']));
  });
});

test('every rule has an example, and every example names rules of the page', () => {
  expect(writtenRules.length).toBeGreaterThan(20);
  const shown = new Set(workedExamples.flatMap(({ rules }) => rules));
  expect([...shown].sort()).toEqual([...writtenRules].sort());
});

/** The type makes it complete: a new reason does not compile until it is listed, and then needs an example. */
const REASONS: Readonly<Record<Refund | Unsettled, true>> = {
  race_abandoned: true,
  runner_scratched: true,
  reserve_did_not_run: true,
  no_place_betting: true,
  result_not_final: true,
  runner_unknown: true,
  start_not_proven: true,
  placings_incomplete: true,
  result_contradictory: true,
  places_unknown: true,
  deduction_unknown: true,
  bet_invalid: true,
};

test('every outcome and every reason has an example', () => {
  const settled = workedExamples.map(({ bet, race }) => settleBet(bet, race));
  expect(new Set(settled.map(({ reason }) => reason))).toEqual(new Set([null, ...Object.keys(REASONS)]));
  expect(new Set(settled.map(({ outcome }) => outcome))).toEqual(new Set(['won', 'lost', 'refunded', 'unsettled']));
});

test('examples are numbered in order', () => {
  expect(workedExamples.map(({ title }) => Number.parseInt(title, 10))).toEqual(workedExamples.map((_, i) => i + 1));
});
