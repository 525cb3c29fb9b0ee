// The per-user cache: what is expensive to install is installed once for all clones. A folder in it is complete or absent:
// it is built beside its place and renamed into it, under a lock, and its name holds a version.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { withLock } from './lock.mjs';

export function cacheRoot(env = process.env) {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'racing-odds');
}

export async function installed(folder, build, { signal, onWait }) {
  if (existsSync(folder)) return folder;
  return withLock(`${folder}.lock`, () => buildOnce(folder, build), { signal, onWait });
}

async function buildOnce(folder, build) {
  if (existsSync(folder)) return folder;
  removeUnfinished(folder);
  const unfinished = `${folder}.building-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    await build(unfinished);
    renameSync(unfinished, folder);
    return folder;
  } finally {
    remove(unfinished);
  }
}

function removeUnfinished(folder) {
  const all = readdirSync(dirname(folder)).map((name) => join(dirname(folder), name));
  for (const name of all.filter((path) => path.startsWith(`${folder}.building-`))) remove(name);
}

const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
