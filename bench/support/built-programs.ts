// The service's programs as they are deployed: one file each (docs/decisions/0024). From the sources each function that
// a program makes is given its name anew, which costs processor time and memory that no deployment pays.
import { join } from 'node:path';
import { ROOT } from '../../src/root';

const { ensurePrograms } = require('../../scripts/app/programs.mjs') as {
  ensurePrograms(root: string, folder: string): Promise<unknown>;
};

/** From here on this bench starts the service from the build of its present sources. */
export async function useBuiltPrograms(): Promise<void> {
  if (process.env.TEST_PROGRAMS) return;
  const folder = join(ROOT, '.local/bench-programs');
  await ensurePrograms(ROOT, folder);
  process.env.TEST_PROGRAMS = folder;
}
