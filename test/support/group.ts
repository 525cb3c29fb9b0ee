// Several test files in one, for a whole run (`scripts/jest/groups.mjs`). A member that cannot be loaded fails alone.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { nowRuns } from './running';

/** `files`: paths below `test`. */
export function group(files: readonly string[]): void {
  for (const file of files) describe(file, () => member(file));
}

function member(file: string): void {
  const path = join(__dirname, '..', file);
  const loadedFrom = performance.now();
  try {
    require(path);
  } catch (error) {
    test('can be loaded', () => {
      throw error;
    });
  }
  const loadingMs = performance.now() - loadedFrom;
  let startedAt = 0;
  beforeAll(() => {
    startedAt = performance.now();
    nowRuns(path);
  });
  afterAll(() => note(path, loadingMs + performance.now() - startedAt));
}

/** Jest itself measures only the whole group. */
function note(path: string, ms: number): void {
  if (process.env.TEST_TIMINGS) appendFileSync(process.env.TEST_TIMINGS, `${JSON.stringify({ path, ms })}\n`);
}
