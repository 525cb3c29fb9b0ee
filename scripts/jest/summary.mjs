// The closing lines of `npm test`: the slowest files, then the counts. A suite that could not even run is a failure,
// and so is a run in which no test ran.
import { relative } from 'node:path';

export const NO_TESTS = { passed: 0, failed: 0, skipped: 0 };

/** For a run that wrote no account, because it was killed: one failure. */
export const countTests = (account) => account ?? { ...NO_TESTS, failed: 1 };

export function addCounts(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

export const isSuccess = ({ passed, failed }, exitCode) => exitCode === 0 && failed === 0 && passed > 0;

const SHOWN = 10;

/** `runs`: accounts with the timings of each group's members, which replace their group. */
export function slowestFiles(root, runs) {
  const files = runs.flatMap(({ account, timings }) => [...(account?.files.filter(isNoGroup) ?? []), ...timings]);
  const slowest = files.sort((a, b) => b.ms - a.ms).slice(0, SHOWN);
  return slowest.map(({ path, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${relative(root, path)}`);
}

const isNoGroup = ({ path }) => !path.endsWith('.test.js');
