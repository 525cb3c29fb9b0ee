// Lets one process in at a time, by a file that names its holder. A lock whose holder has died is taken over, so that a
// killed process never blocks the next one; a lock whose holder lives is never broken.
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSame, ownIdentity } from '../process/identity.mjs';

const againMs = 300;

/**
 * @template T
 * @param {string} file
 * @param {() => T | Promise<T>} work
 * @param {{ signal?: AbortSignal, onWait?: () => void }} [options]
 */
export async function withLock(file, work, { signal, onWait = () => {} } = {}) {
  for (let first = true; !tryLock(file); first = false) {
    if (first) onWait();
    signal?.throwIfAborted();
    await sleep(againMs);
  }
  try {
    return await work();
  } finally {
    unlock(file);
  }
}

export function tryLock(file) {
  mkdirSync(dirname(file), { recursive: true });
  const holder = holderOf(file);
  if (holder && isSame(holder)) return false;
  // An unreadable lock (a full disk) counts as dead.
  if (existsSync(file)) setAside(file);
  return claim(file);
}

export const unlock = (file) => rmSync(file, { force: true });

export function holderOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

// A link appears complete or not at all, so no process reads half of a holder.
function claim(file) {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, JSON.stringify(ownIdentity()));
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

// Of two processes that found the same dead holder, only one can move its file; if the file belonged to a new holder by
// then, it is put back.
function setAside(file) {
  const aside = `${file}.dead.${process.pid}`;
  try {
    renameSync(file, aside);
    if (isSame(holderOf(aside) ?? { mark: null })) linkSync(aside, file);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}
