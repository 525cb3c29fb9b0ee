// Starts a program that keeps running, in its own process group (Ctrl-C in the terminal reaches only this program,
// which then stops the others in order), with its output in a log file, and records it so that any later run can stop
// it.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { startMark } from './identity.mjs';
import { reasonFromFile } from './log-reason.mjs';

/**
 * @typedef {{
 *   name: string, command: string, args: string[], env?: NodeJS.ProcessEnv, cwd?: string, stopSignal?: NodeJS.Signals,
 *   ipc?: boolean,
 * }} Program
 */

/**
 * `ipc`: with a channel for messages, on `child`. A restarted program continues its log.
 * @param {{ instance: any, signal: AbortSignal }} ctx
 * @param {Program} program
 */
export function launch({ instance, signal }, { name, command, args, env, cwd, stopSignal = 'SIGTERM', ipc = false }) {
  signal.throwIfAborted();
  const log = join(instance.logs, `${name}.log`);
  const output = openSync(log, instance.read().processes.some((one) => one.name === name) ? 'a' : 'w');
  /** @type {(import('node:child_process').IOType | 'ipc' | number)[]} */
  const stdio = ['ignore', output, output];
  if (ipc) stdio.push('ipc');
  const child = spawn(command, args, { cwd, env, detached: true, stdio });
  closeSync(output);
  const record = { name, pid: child.pid, mark: child.pid ? startMark(child.pid) : null, stopSignal };
  instance.remember(record);
  return { ...record, child, log, ended: endOf(child), reason: () => reasonFromFile(log) };
}

function endOf(child) {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, by) => resolve(by ?? `exit code ${code}`));
  });
}
