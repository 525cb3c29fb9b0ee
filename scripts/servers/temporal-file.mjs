// The file in which our own Temporal server keeps its workflows. Only the version that wrote it can read it: the file
// of another version is set aside, and the sweep restarts the races from the database.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'temporal.db';
const ENDS = ['', '-wal', '-shm'];

export const temporalFile = (folder) => join(folder, NAME);
const asideOf = (folder) => join(folder, `${NAME}.aside`);
/** The version of the server that wrote the file; absent for a file that is older than this note. */
const noteOf = (folder) => join(folder, 'temporal.version');

/**
 * Returns the line to print, or null if the file is of this version or does not exist. A file that was set aside
 * earlier is removed.
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
