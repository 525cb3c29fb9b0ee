// Runs jest with its output on the terminal and reads its account. Jest runs in its own process group, so that anything
// a test forgot to stop (a test server, a child process) ends with it; a test file that hangs, and a jest that stays
// after its run, are ended too.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { signalGroup } from '../process/run.mjs';
import { watchFiles } from './watchdog.mjs';

/** A handle that a test left open keeps jest alive after its account is written. */
const LINGERS_MOST_MS = 10_000;
/**
 * A third of the processor's time beside one process of the usual priority, so that a machine with other work still
 * finishes.
 */
const GIVING = 5;
/**
 * Megabytes for young objects, twice the usual: a simulated world outlives the usual ones, and copying it takes part of
 * each test's time.
 */
const YOUNG_MB = 32;

/**
 * `folder`: for the account and the watchdog of this run only. `gives`: other runs come first if there are too few
 * processors. Returns the exit code and the account, null if jest wrote none.
 */
export async function runJest(root, args, { env, signal, folder, gives = false }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = { account: join(folder, 'account.json'), running: join(folder, 'running') };
  const timings = join(folder, 'timings.jsonl');
  const own = { TEST_ACCOUNT: files.account, TEST_RUNNING: files.running, TEST_TIMINGS: timings };
  // Jest passes node's options on to its workers, but not to what tests start.
  const node = [`--max-semi-space-size=${YOUNG_MB}`, join(root, 'node_modules/jest/bin/jest.js')];
  const jest = spawn(process.execPath, [...node, ...args], {
    cwd: root,
    env: { ...env, ...own },
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // Jest's workers and what they start inherit it.
  if (gives && jest.pid) setPriority(jest.pid, GIVING);
  const stopWatching = watchFiles(files.running);
  const exitCode = await ended(jest, files.account, signal).finally(stopWatching);
  signal.throwIfAborted();
  const account = readAccount(files.account);
  return { exitCode: exitCode ?? (account?.success ? 0 : 1), account, timings: readTimings(timings) };
}

/** The exit code; null if jest was ended because it did not exit. */
function ended(jest, account, signal) {
  const end = () => signalGroup(jest.pid, 'SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  let writtenAt;
  const looking = setInterval(() => {
    if (existsSync(account)) writtenAt ??= Date.now();
    if (writtenAt === undefined || Date.now() - writtenAt < LINGERS_MOST_MS) return;
    console.log('\nA test left something open that keeps jest alive: it is ended.');
    clearInterval(looking);
    signalGroup(jest.pid, 'SIGKILL');
  }, 1000);
  return new Promise((resolve, reject) => {
    jest.on('error', reject);
    jest.on('exit', (code) => resolve(code));
  }).finally(() => {
    clearInterval(looking);
    signal.removeEventListener('abort', end);
    signalGroup(jest.pid, 'SIGKILL');
  });
}

function readAccount(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

function readTimings(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}
