// Runs a program to its end, with its output in a log file. An abort ends the whole process group, so that nothing the
// program started survives. `outputOf` is for short commands: it returns their output, or null.
import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../command/problem.mjs';
import { startMark } from './identity.mjs';
import { reasonFromFile } from './log-reason.mjs';

const patienceMs = 5_000;

/** @typedef {{ signal: AbortSignal, log: string, what?: string, noteIn?: string, priority?: number }} OwnOptions */
/** @typedef {OwnOptions & import('node:child_process').SpawnOptions} RunOptions */

/**
 * With `noteIn` the process is recorded in that file while it runs, so that it can be found without its parent.
 * `priority`: as in os.setPriority.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} options
 */
export async function run(command, args, { signal, log, what = basename(command), noteIn, priority, ...options }) {
  signal.throwIfAborted();
  const output = openSync(log, 'w');
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', output, output] });
  closeSync(output);
  if (priority && child.pid) setPriority(child.pid, priority);
  if (noteIn) writeFileSync(noteIn, JSON.stringify({ pid: child.pid, mark: startMark(child.pid) }));
  const code = await outcome(child, signal);
  if (noteIn) rmSync(noteIn);
  signal.throwIfAborted();
  if (code !== 0) throw new Problem(`${what} failed: ${reasonFromFile(log)} (all of it: ${log})`);
}

async function outcome(child, signal) {
  const end = () => signalGroup(child.pid, 'SIGTERM');
  const endNow = () => setTimeout(() => signalGroup(child.pid, 'SIGKILL'), patienceMs).unref();
  for (const step of [end, endNow]) signal.addEventListener('abort', step, { once: true });
  try {
    return await exitOf(child);
  } finally {
    for (const step of [end, endNow]) signal.removeEventListener('abort', step);
    if (signal.aborted) await killGroup(child.pid);
  }
}

const exitOf = (child) =>
  new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, by) => resolve(code ?? by));
  });

export async function killGroup(pid) {
  while (signalGroup(pid, 'SIGKILL')) await sleep(20);
}

// False if no process of the group is left.
export function signalGroup(pid, name) {
  try {
    return process.kill(-pid, name);
  } catch {
    return false;
  }
}

export function outputOf(command, args, { timeoutMs = 60_000, ...options } = {}) {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: timeoutMs, encoding: 'utf8', ...options }, (error, stdout) =>
      resolve(error ? null : stdout.trim()),
    );
  });
}
