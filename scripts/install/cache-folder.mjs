// The per-user cache: expensive installations are made once for all clones. A folder in it is complete or absent: it is
// built next to its final path under a lock and then renamed, and its name includes a version.
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isSame } from '../process/identity.mjs';
import { killGroup } from '../process/run.mjs';
import { holderOf, withLock } from './lock.mjs';
import { removeTree } from './remove-tree.mjs';

const noteEnding = '.child';
export const noteOf = (unfinished) => unfinished + noteEnding;

export function cacheRoot(env = process.env) {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'racing-odds');
}

const underWay = new Map();

/**
 * Within one process all callers share one installation; between processes the lock decides.
 * @param {string} folder
 * @param {(unfinished: string) => unknown} build
 * @param {{ signal?: AbortSignal, onWait?: () => void }} options
 */
export function installed(folder, build, { signal, onWait }) {
  if (existsSync(folder)) return Promise.resolve(folder);
  if (!underWay.has(folder)) {
    const work = withLock(`${folder}.lock`, () => buildOnce(folder, build), { signal, onWait });
    underWay.set(
      folder,
      work.finally(() => underWay.delete(folder)),
    );
  }
  return underWay.get(folder);
}

async function buildOnce(folder, build) {
  if (existsSync(folder)) return folder;
  await removeUnfinished(folder);
  const unfinished = `${folder}.building-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    await build(unfinished);
    renameSync(unfinished, folder);
    return folder;
  } finally {
    removeTree(unfinished);
  }
}

// What a killed process left behind: end every process that still works in the folder, then remove it.
async function removeUnfinished(folder) {
  const all = readdirSync(dirname(folder)).map((name) => join(dirname(folder), name));
  const left = all.filter((path) => path.startsWith(`${folder}.building-`)).sort();
  for (const child of left.filter((path) => path.endsWith(noteEnding))) await endOrphan(child);
  for (const path of left) removeTree(path);
}

async function endOrphan(note) {
  const orphan = holderOf(note);
  if (orphan && isSame(orphan)) await killGroup(orphan.pid);
}
