// Names the test file that this process runs, for the watchdog of `npm test` (`scripts/jest/watchdog.mjs`).
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function nowRuns(path: string): void {
  const folder = process.env.TEST_RUNNING;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, String(process.pid)), JSON.stringify({ path, pid: process.pid, since: Date.now() }));
}

nowRuns(expect.getState().testPath ?? '');
