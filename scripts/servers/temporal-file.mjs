// The file in which our own Temporal server keeps its workflows. Only the version that wrote it reads it: another one's
// is set aside, and the sweep starts the races again from the database.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'temporal.db';
const ENDS = ['', '-wal', '-shm'];

export const temporalFile = (folder) => join(folder, NAME);
const asideOf = (folder) => join(folder, `${NAME}.aside`);
/** The version of the server that wrote the file; absent beside a file of before this was noted. */
const noteOf = (folder) => join(folder, 'temporal.version');

/**
 * Returns the line to print, or null: the file is this version's, or there is none. One that was set aside before is
 * removed.
 */
export function setAsideOfOther(folder, version) {
  const file = temporalFile(folder);
  const written = existsSync(noteOf(folder)) ? readFileSync(noteOf(folder), 'utf8') : 'an earlier version';
  const isOther = existsSync(file) && written !== version;
  if (isOther) moveAside(folder);
  writeFileSync(noteOf(folder), version);
  if (!isOther) return null;
  return `The workflows of Temporal server ${written} are set aside (${asideOf(folder)}): the races start again from the database`;
}

function moveAside(folder) {
  for (const end of ENDS) {
    rmSync(asideOf(folder) + end, { force: true });
    if (existsSync(temporalFile(folder) + end)) renameSync(temporalFile(folder) + end, asideOf(folder) + end);
  }
}

export function removeTemporalFile(folder) {
  for (const end of ENDS) rmSync(temporalFile(folder) + end, { force: true });
}
