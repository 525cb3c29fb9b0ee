// The result of a mutation run: which mutants count, and when the list of equivalent ones is stale.
interface Mutant {
  readonly file: string;
  readonly code: string;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
  readonly status: string;
}
const { scoreOf } = require('../../scripts/mutate/score.mjs') as {
  scoreOf(
    mutants: readonly Mutant[],
    equivalents: readonly object[],
  ): { detected: number; total: number; percent: number; survivors: Mutant[]; equivalent: number; stale: object[] };
};

const mutant = (status: string, replacement = 'true'): Mutant => ({
  file: 'src/domain/a.ts',
  code: 'if (a > b) return c;',
  mutator: 'ConditionalExpression',
  original: 'a > b',
  replacement,
  status,
});
const entry = (replacement: string, file = 'src/domain/a.ts') => ({
  ...mutant('', replacement),
  status: undefined,
  file,
});

test('killed and timed out are detected, survived and not covered are not, and every other status does not count', () => {
  const all = ['Killed', 'Timeout', 'Killed', 'Survived', 'NoCoverage', 'Ignored', 'RuntimeError'].map((status) =>
    mutant(status),
  );
  const { detected, total, percent, survivors } = scoreOf(all, []);
  expect([detected, total, percent]).toEqual([3, 5, 60]);
  expect(survivors.map(({ status }) => status)).toEqual(['Survived', 'NoCoverage']);
});

test('a survivor on the list counts neither way', () => {
  const found = scoreOf(
    [mutant('Killed'), mutant('Survived', 'false'), mutant('Survived', 'a >= b')],
    [entry('false')],
  );
  expect(found).toMatchObject({ detected: 1, total: 2, percent: 50, equivalent: 1, stale: [] });
  expect(found.survivors).toMatchObject([{ replacement: 'a >= b' }]);
});

test('an entry that a test now kills, or whose line is gone, is stale; an untried one is not', () => {
  const killed = entry('true');
  const gone = entry('x');
  const list = [killed, gone, entry('false'), entry('y', 'src/domain/b.ts')];
  expect(scoreOf([mutant('Killed'), mutant('Ignored', 'false')], list).stale).toEqual([killed, gone]);
});

test('a folder without mutants is complete', () => expect(scoreOf([], []).percent).toBe(100));
