// `npm run soak -- --memory`: starts the service as `npm start` does and reads its memory through the inspector of each
// program, for an hour and a half at speed 1. It reads resident memory as it is, and then resident memory and heap
// after forced collections.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../command/problem.mjs';
import { openInstance } from '../instance/instance.mjs';
import { signalGroup } from '../process/run.mjs';
import { findingsOf, PROGRAMS, tableOf } from './memory.mjs';
import { togetherMb } from './shared-pages.mjs';

const EVERY_MINUTES = 3;
const MINUTE_MS = 60_000;
const INSPECTOR_WITHIN_MS = 60_000;
const BYTES_A_MB = 1024 * 1024;
const COLLECTIONS = 3;
const BETWEEN_MS = 5000;

export async function soakMemory({ root, signal, onEnd, minutes }) {
  await startService(root, signal, onEnd);
  const instance = openInstance(root, 'start');
  const sessions = {};
  for (const name of PROGRAMS) sessions[name] = await inspect(instance, name, signal);
  const pids = PROGRAMS.map((name) => pidOf(instance, name));
  const beganMs = Date.now();
  const samples = [];
  const everyMs = Math.min(EVERY_MINUTES, minutes / 8) * MINUTE_MS;
  while (Date.now() - beganMs < minutes * MINUTE_MS) {
    await sleep(everyMs, undefined, { signal });
    const together = togetherMb(pids);
    const programs = {};
    for (const name of PROGRAMS) programs[name] = await memoryOf(sessions[name], signal);
    samples.push({ minute: (Date.now() - beganMs) / MINUTE_MS, programs, together });
    console.log(`\n${tableOf(samples, minutes)}`);
  }
  const findings = findingsOf(samples, minutes);
  console.log(`\n${findings.length === 0 ? 'Nothing is over its bound.' : findings.join('\n')}`);
  return findings.length === 0 ? 0 : 1;
}

/**
 * Resolves when it is ready. Each program opens its inspector on its own port, and only when it gets the signal for it.
 * @returns {Promise<void>}
 */
function startService(root, signal, onEnd) {
  const env = { ...process.env, CLOCK_SPEED: '1', NODE_OPTIONS: '--inspect-port=0' };
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  onEnd(async () => {
    signalGroup(child.pid, 'SIGTERM');
    await ended;
  });
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    child.on('error', reject);
    child.on('exit', (code) => reject(new Problem(`The service ended with exit code ${code}.`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      console.log(line);
      if (line.startsWith('  Ready after')) resolve();
    });
  });
}

const pidOf = (instance, name) => instance.read().processes.find((one) => one.name === name).pid;

async function inspect(instance, name, signal) {
  process.kill(pidOf(instance, name), 'SIGUSR1');
  const log = join(instance.logs, `${name}.log`);
  for (const deadline = Date.now() + INSPECTOR_WITHIN_MS; Date.now() < deadline; ) {
    const address = readFileSync(log, 'utf8').match(/^Debugger listening on (ws:\S+)$/m)?.[1];
    if (address) return session(address);
    await sleep(100, undefined, { signal });
  }
  throw new Problem(`The ${name} did not open its inspector (log: ${log}).`);
}

/** Sends commands to an inspector, one after another. */
async function session(address) {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Problem(`${address} does not answer.`));
  });
  let id = 0;
  return (method, params = {}) =>
    new Promise((resolve, reject) => {
      socket.onmessage = ({ data }) => resolve(JSON.parse(data).result);
      socket.onclose = () => reject(new Problem('A program of the service ended.'));
      socket.send(JSON.stringify({ id: ++id, method, params }));
    });
}

/** Data in use at a moment is live too: the least of a few collections is the memory that is kept. */
async function memoryOf(send, signal) {
  const read = async (expression) => {
    const { result } = await send('Runtime.evaluate', { expression, returnByValue: true });
    return result.value / BYTES_A_MB;
  };
  const residentMb = await read('process.memoryUsage.rss()');
  const kept = [];
  for (let n = 0; n < COLLECTIONS; n += 1) {
    if (n > 0) await sleep(BETWEEN_MS, undefined, { signal });
    await send('HeapProfiler.collectGarbage');
    const [rss, heap] = [await read('process.memoryUsage.rss()'), await read('process.memoryUsage().heapUsed')];
    kept.push({ rss, heap });
  }
  const least = (of) => Math.min(...kept.map(of));
  return { residentMb, keptMb: least(({ rss }) => rss), heapMb: least(({ heap }) => heap) };
}
