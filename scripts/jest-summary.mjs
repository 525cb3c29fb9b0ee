// The closing line of `npm test`, from jest's own account. A suite that could not even run is a failure, and so is a run in
// which no test ran.
export function countTests(results) {
  if (!results) return NO_TESTS;
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    skipped: results.numPendingTests + results.numTodoTests,
  };
}

export const NO_TESTS = { passed: 0, failed: 0, skipped: 0 };

export function addCounts(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

export const isSuccess = ({ passed, failed }, exitCode) => exitCode === 0 && failed === 0 && passed > 0;
