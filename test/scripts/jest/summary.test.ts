interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}
interface Timed {
  path: string;
  ms: number;
}
interface Run {
  account: (Counts & { files: Timed[] }) | null;
  timings: Timed[];
}
const { addCounts, countTests, summaryLine, isSuccess, slowestFiles } =
  require('../../../scripts/jest/summary.mjs') as {
    addCounts(a: Counts, b: Counts): Counts;
    countTests(account: Counts | null): Counts;
    summaryLine(counts: Counts): string;
    isSuccess(counts: Counts, exitCode: number): boolean;
    slowestFiles(root: string, runs: Run[]): string[];
  };

const account = { passed: 7, failed: 0, skipped: 0 };
const lineOf = (more: object) => summaryLine(countTests({ ...account, ...more }));

test('the line counts passes and failures, and skipped tests only if there are any', () => {
  expect(lineOf({})).toBe('7 passed, 0 failed');
  expect(lineOf({ failed: 2 })).toBe('7 passed, 2 failed');
  expect(lineOf({ skipped: 3 })).toBe('7 passed, 0 failed, 3 skipped');
});

test('several runs count together, and a run that wrote no account is a failure', () => {
  const both = addCounts(countTests({ ...account, skipped: 1 }), countTests(null));
  expect(summaryLine(both)).toBe('7 passed, 1 failed, 1 skipped');
});

test.each([
  ['all passed', { passed: 1, failed: 0, skipped: 3 }, 0, true],
  ['one failed', { passed: 1, failed: 1, skipped: 0 }, 0, false],
  ['no test ran', { passed: 0, failed: 0, skipped: 3 }, 0, false],
  ['jest itself failed', { passed: 1, failed: 0, skipped: 0 }, 1, false],
])('%s', (_what, counts, exitCode, success) => {
  expect(isSuccess(counts, exitCode)).toBe(success);
});

test('the ten slowest files of all runs, slowest first; the members of a group replace it', () => {
  const path = (name: string) => `/repo/${name}`;
  const files = Array.from({ length: 12 }, (_, n) => ({ path: path(`test/${n}.test.ts`), ms: n * 1000 }));
  const group = { path: path('.local/test/groups/unit-1.test.js'), ms: 90_000 };
  const lines = slowestFiles('/repo', [
    { account: { ...account, files: [...files, group] }, timings: [{ path: path('test/member.test.ts'), ms: 5500 }] },
    { account: null, timings: [] },
  ]);
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe('   11.0 s  test/11.test.ts');
  expect(lines).toContain('    5.5 s  test/member.test.ts');
  expect(lines.join()).not.toContain('unit-1');
});
