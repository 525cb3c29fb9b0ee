// How a test starts a program of the service: from the build in a whole run, from its sources if one file runs alone.
import { join } from 'node:path';

const { DEPLOYED_NODE, DEPLOYED_ENVIRONMENT } = require('../../../scripts/app/lean-memory.mjs') as {
  readonly DEPLOYED_NODE: readonly string[];
  readonly DEPLOYED_ENVIRONMENT: Readonly<Record<string, string>>;
};

/** Arguments of node, from the root of the checkout. */
export function program(name: 'api' | 'ops' | 'workers'): string[] {
  const built = process.env.TEST_PROGRAMS;
  return [...DEPLOYED_NODE, ...(built ? [join(built, name, 'main.js')] : ['--import', 'tsx', `src/${name}/main.ts`])];
}

export const PROGRAM_ENVIRONMENT = DEPLOYED_ENVIRONMENT;
