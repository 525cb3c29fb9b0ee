interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}
const { addCounts, countTests, summaryLine, isSuccess } = require('../../scripts/jest-summary.mjs') as {
  addCounts(a: Counts, b: Counts): Counts;
  countTests(results: object | null): Counts;
  summaryLine(counts: Counts): string;
  isSuccess(counts: Counts, exitCode: number): boolean;
};

const results = {
  numPassedTests: 7,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
};
const lineOf = (more: object) => summaryLine(countTests({ ...results, ...more }));

test('the line counts what passed and failed, and what was skipped only when something was', () => {
  expect(lineOf({})).toBe('7 passed, 0 failed');
  expect(lineOf({ numFailedTests: 2 })).toBe('7 passed, 2 failed');
  expect(lineOf({ numPendingTests: 1, numTodoTests: 2 })).toBe('7 passed, 0 failed, 3 skipped');
});

test('a suite that could not run is a failure', () => {
  expect(lineOf({ numRuntimeErrorTestSuites: 1 })).toBe('7 passed, 1 failed');
});

test('several runs count together', () => {
  const both = addCounts(countTests({ ...results, numPendingTests: 1 }), countTests({ ...results, numFailedTests: 2 }));
  expect(summaryLine(both)).toBe('14 passed, 2 failed, 1 skipped');
});

test('no account from jest is no test', () => {
  expect(summaryLine(countTests(null))).toBe('0 passed, 0 failed');
});

test.each([
  ['all passed', { passed: 1, failed: 0, skipped: 3 }, 0, true],
  ['one failed', { passed: 1, failed: 1, skipped: 0 }, 0, false],
  ['no test ran', { passed: 0, failed: 0, skipped: 3 }, 0, false],
  ['jest itself failed', { passed: 1, failed: 0, skipped: 0 }, 1, false],
])('%s', (_what, counts, exitCode, success) => {
  expect(isSuccess(counts, exitCode)).toBe(success);
});
