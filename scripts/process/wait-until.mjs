// Waits for a condition. Gives up, with the reason, if the process concerned ends first or the time is up.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../command/problem.mjs';

// Long, for a busy machine: a program that cannot start ends by itself.
const startUpMs = 300_000;

export async function waitUntil(check, { process: running, signal, timeoutMs = startUpMs }) {
  let end = null;
  running.ended.then((how) => {
    end = how;
  });
  const deadline = Date.now() + timeoutMs;
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 1.5, 500)) {
    signal.throwIfAborted();
    if (end)
      throw new Problem(`${running.name} stopped while starting (${end}): ${running.reason()} (log: ${running.log})`);
    if (await check()) return;
    if (Date.now() > deadline) throw new Problem(tooSlow(running, timeoutMs));
    await sleep(pauseMs);
  }
}

const tooSlow = (running, timeoutMs) =>
  `${running.name} was not ready after ${timeoutMs / 1000} s: ${running.reason()} (log: ${running.log})`;

export async function answersHttp(url, timeoutMs = 2_000) {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => null);
  await response?.body?.cancel();
  return response?.status === 200;
}

/** Any reply counts: a process that hangs does not reply. */
export async function repliesHttp(url, timeoutMs = 10_000) {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => null);
  await response?.body?.cancel();
  return response !== null;
}

/** Whether anything is returned for `bytes`: the kernel accepts connections even for a process that hangs. */
export function repliesTcp(port, bytes, timeoutMs = 10_000, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: timeoutMs }, () => socket.write(bytes));
    socket
      .on('data', () => resolve(true))
      .on('error', () => resolve(false))
      .on('close', () => resolve(false));
    for (const end of ['data', 'timeout']) socket.on(end, () => socket.destroy());
  });
}

export function acceptsTcp(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 3_000 });
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('timeout', () => resolve(false));
    for (const end of ['connect', 'timeout']) socket.on(end, () => socket.destroy());
  });
}
