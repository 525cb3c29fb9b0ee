// The system clock of one process, stepped by libfaketime while it runs. Timers are unchanged: only the process's time
// of day changes.
import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackPackage } from '../../install/debian-package.mjs';

/**
 * The environment of a process whose clock `step` sets ahead of the machine's, in seconds; null if there is no
 * libfaketime.
 */
export async function steppedClock(ctx) {
  const root = await unpackPackage(ctx, 'libfaketime', 'Unpacking libfaketime');
  if (root === null) return null;
  const libraries = join(root, 'usr/lib');
  const [library] = readdirSync(libraries, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('/libfaketimeMT.so.1'),
  );
  const file = join(ctx.instance.folder, 'clock');
  const step = (seconds) => {
    writeFileSync(`${file}.new`, `+${seconds}\n`);
    renameSync(`${file}.new`, file);
  };
  step(0);
  const env = {
    LD_PRELOAD: join(libraries, library),
    FAKETIME_TIMESTAMP_FILE: file,
    // The offset is read whenever the clock is read.
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    // Only the time of day is changed, not the times of files.
    NO_FAKE_STAT: '1',
  };
  return { env, step };
}
