// Signals a program and everything that it has started: processes of PostgreSQL are in their own groups.
import { readdirSync, readFileSync } from 'node:fs';

export const killTree = (pid) => signalAll(pid, 'SIGKILL');
export const stopTree = (pid) => signalAll(pid, 'SIGSTOP');
export const resumeTree = (pid) => signalAll(pid, 'SIGCONT');

/** The parent first, so that it does not replace a child that ended. */
function signalAll(pid, signal) {
  for (const each of treeOf(pid)) {
    try {
      process.kill(each, signal);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}

export function treeOf(root) {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)]);
  const tree = [root];
  for (const pid of tree) tree.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child));
  return tree;
}

function parentOf(pid) {
  try {
    // The name of the program is in parentheses and may contain both.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(') ')).split(' ')[2]);
  } catch {
    return null;
  }
}
