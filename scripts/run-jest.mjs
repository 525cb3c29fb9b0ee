// Runs jest with its output on the terminal and its account in a file. It has a process group of its own, so that what a test
// forgot to stop (a test server, a child process) ends with it.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { signalGroup } from './process/run.mjs';

export async function runJest(root, args, { env, signal, resultsFile }) {
  rmSync(resultsFile, { force: true });
  const program = join(root, 'node_modules/jest/bin/jest.js');
  const account = ['--json', `--outputFile=${resultsFile}`];
  const options = { cwd: root, env, detached: true, stdio: ['ignore', 'inherit', 'inherit'] };
  const exitCode = await ended(spawn(process.execPath, [program, ...account, ...args], options), signal);
  signal.throwIfAborted();
  return { exitCode, results: readResults(resultsFile) };
}

function ended(child, signal) {
  const end = () => signalGroup(child.pid, 'SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  }).finally(() => {
    signal.removeEventListener('abort', end);
    signalGroup(child.pid, 'SIGKILL');
  });
}

function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
