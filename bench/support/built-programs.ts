// Benches of the whole service (panel, machines, scale) measure the programs as they are deployed: from their builds,
// not from their sources, whose translator keeps its memory in every process.
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const { buildBundle, ensurePrograms } = require('../../scripts/app/programs.mjs') as {
  ensurePrograms(root: string, folder: string): Promise<unknown>;
  buildBundle(root: string, folder: string, options: { signal: AbortSignal; log: string }): Promise<void>;
};

/**
 * For what this process starts from here on (test/support/servers/program.ts). Of its log only errors are printed, so
 * that warnings of an overload do not interrupt a table.
 */
export async function useBuiltPrograms(): Promise<void> {
  const folder = join(ROOT, '.local/bench-programs');
  await ensurePrograms(ROOT, folder);
  const { signal } = new AbortController();
  await buildBundle(ROOT, folder, { signal, log: join(ROOT, '.local/bench-bundle.log') });
  process.env.TEST_PROGRAMS = folder;
  process.env.SERVICE_LOG_LEVEL ??= 'error';
}
