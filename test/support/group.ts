// Several test files in one, for a whole run (`scripts/jest/groups.mjs`). If a member cannot be loaded, only that
// member fails.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginGroup } from './group-end';
import { nowRuns } from './running';

/** `files`: paths below `test`. */
export function group(files: readonly string[]): void {
  const endGroup = beginGroup();
  for (const file of files) describe(file, () => member(file));
  afterAll(endGroup);
}

function member(file: string): void {
  const path = join(__dirname, '..', file);
  const loadedFrom = now();
  try {
    require(path);
  } catch (error) {
    test('can be loaded', () => {
      throw error;
    });
  }
  const loaded = now();
  let started = loaded;
  beforeAll(() => {
    started = now();
    nowRuns(path);
  });
  afterAll(() => {
    const ended = now();
    const took = (of: keyof Moment): number => loaded[of] - loadedFrom[of] + ended[of] - started[of];
    note({ path, ms: took('ms'), cpuMs: took('cpuMs') });
  });
}

interface Moment {
  readonly ms: number;
  /** Processor time of this process only: servers and programs that a test starts are separate. */
  readonly cpuMs: number;
}

function now(): Moment {
  const { user, system } = process.cpuUsage();
  return { ms: performance.now(), cpuMs: (user + system) / 1000 };
}

/** Jest itself measures only the whole group. */
function note(timing: Moment & { path: string }): void {
  if (process.env.TEST_TIMINGS) appendFileSync(process.env.TEST_TIMINGS, `${JSON.stringify(timing)}\n`);
}
