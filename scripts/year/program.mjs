// The year itself, as a program of its own.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runTypeScript } from '../command/typescript-program.mjs';

const PROGRAM = 'test/support/year/main.ts';

export async function runYear({ root, instance, signal }, servers, days) {
  const { folder } = instance;
  // The leftovers of a previous run.
  rmSync(join(folder, 'bulk'), { recursive: true, force: true });
  const env = { YEAR: JSON.stringify({ ...servers, folder, days }) };
  return runTypeScript(PROGRAM, { root, env, signal, what: 'The year' });
}
