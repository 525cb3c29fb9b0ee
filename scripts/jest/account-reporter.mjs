// Writes the account of a run that `npm test` needs to the file that TEST_ACCOUNT names, whatever output the caller
// selects.
import { writeFileSync } from 'node:fs';

export default class AccountReporter {
  onRunComplete(_contexts, results) {
    if (!process.env.TEST_ACCOUNT) return;
    const account = {
      success: results.success,
      passed: results.numPassedTests,
      // A suite that could not even run is a failure.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
      files: results.testResults.map(({ testFilePath, perfStats }) => ({
        path: testFilePath,
        ms: perfStats.end - perfStats.start,
      })),
    };
    writeFileSync(process.env.TEST_ACCOUNT, JSON.stringify(account));
  }
}
