// Names the test that this process runs, for the watchdog of `npm test` (`scripts/jest/watchdog.mjs`).
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.env.TEST_RUNNING;
let file = { path: '', since: 0 };

export function nowRuns(path: string): void {
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  file = { path, since: Date.now() };
  note();
}

const note = (test?: string): void =>
  writeFileSync(join(folder!, String(process.pid)), JSON.stringify({ ...file, pid: process.pid, test }));

nowRuns(expect.getState().testPath ?? '');
if (folder) beforeEach(() => note(expect.getState().currentTestName));
