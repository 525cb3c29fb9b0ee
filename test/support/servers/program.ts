// How a test starts a program of the service: from the build in a whole run, from its sources if one file runs alone.
import { join } from 'node:path';

/** Arguments of node, from the root of the checkout. */
export function program(name: 'api' | 'ops' | 'workers'): string[] {
  const built = process.env.TEST_PROGRAMS;
  return built ? [join(built, name, 'main.js')] : ['--import', 'tsx', `src/${name}/main.ts`];
}
