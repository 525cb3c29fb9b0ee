// Python packages that a test needs, in their own environment.
import { execFileSync } from 'node:child_process';

/** `lacks`: why they cannot run here. */
export type InstalledPython =
  | { readonly python: string; readonly lacks?: never }
  | { readonly python?: never; readonly lacks: string };

/** Before the tests are declared, so that those that cannot run are skipped with the reason. */
export function installPython(name: string, requirements: string, megabytes: number): InstalledPython {
  const args = [require.resolve('./install-python.mjs'), name, requirements, String(megabytes)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}
