import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { default: AccountReporter } = require('../../../scripts/jest/account-reporter.mjs') as {
  default: new () => { onRunComplete(contexts: unknown, results: object): void };
};

test('a suite that could not run is a failure, and every file has its time', () => {
  const folder = mkdtempSync(join(tmpdir(), 'account-'));
  const before = process.env.TEST_ACCOUNT;
  process.env.TEST_ACCOUNT = join(folder, 'account.json');
  try {
    new AccountReporter().onRunComplete(new Set(), {
      success: false,
      numPassedTests: 7,
      numFailedTests: 1,
      numRuntimeErrorTestSuites: 1,
      numPendingTests: 2,
      numTodoTests: 1,
      testResults: [{ testFilePath: '/repo/test/a.test.ts', perfStats: { start: 1000, end: 3500 } }],
    });
    expect(JSON.parse(readFileSync(process.env.TEST_ACCOUNT, 'utf8'))).toEqual({
      success: false,
      passed: 7,
      failed: 2,
      skipped: 3,
      files: [{ path: '/repo/test/a.test.ts', ms: 2500 }],
    });
  } finally {
    if (before === undefined) delete process.env.TEST_ACCOUNT;
    else process.env.TEST_ACCOUNT = before;
    rmSync(folder, { recursive: true });
  }
});
