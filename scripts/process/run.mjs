// Runs a program to its end, with its output in a log file. Being aborted ends the whole process group, so that nothing
// the program started lives on. `ask` is for short questions: the answer, or null.
import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { basename } from 'node:path';
import { Problem } from '../problem.mjs';
import { reasonFromFile } from './log-reason.mjs';

const patienceMs = 5_000;

export async function run(command, args, { cwd, env, log, signal, what = basename(command) }) {
  signal.throwIfAborted();
  const code = await outcome(command, args, { cwd, env, log, signal });
  signal.throwIfAborted();
  if (code !== 0) throw new Problem(`${what} failed: ${reasonFromFile(log)} (all of it: ${log})`);
}

function outcome(command, args, { cwd, env, log, signal }) {
  const output = openSync(log, 'w');
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', output, output] });
  closeSync(output);
  const stopEnding = endWithSignal(child, signal);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, by) => resolve(code ?? by));
  }).finally(stopEnding);
}

function endWithSignal(child, signal) {
  const end = () => {
    signalGroup(child.pid, 'SIGTERM');
    setTimeout(() => signalGroup(child.pid, 'SIGKILL'), patienceMs).unref();
  };
  signal.addEventListener('abort', end, { once: true });
  return () => signal.removeEventListener('abort', end);
}

export function signalGroup(pid, name) {
  try {
    process.kill(-pid, name);
  } catch {
    // The group has ended by itself.
  }
}

export function ask(command, args, { timeoutMs = 10_000, ...options } = {}) {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: timeoutMs, encoding: 'utf8', ...options }, (error, stdout) =>
      resolve(error ? null : stdout.trim()),
    );
  });
}
