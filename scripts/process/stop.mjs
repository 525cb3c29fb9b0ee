// Stops recorded processes in the reverse order of their start, each first with the signal that it handles.
// A pid that is no longer the process that was started is left alone.
import { setTimeout as sleep } from 'node:timers/promises';
import { isSame } from './identity.mjs';
import { signalGroup } from './run.mjs';

const politeMs = 20_000;

export async function stopAll(records) {
  const running = records.filter(isSame);
  for (const record of [...running].reverse()) await stopProcess(record);
  return running.length;
}

export async function stopProcess(record, patienceMs = politeMs) {
  if (!isSame(record)) return;
  signalToStop(record);
  const deadline = Date.now() + patienceMs;
  while (isSame(record) && Date.now() < deadline) await sleep(20);
  if (isSame(record)) signalGroup(record.pid, 'SIGKILL');
  while (isSame(record)) await sleep(20);
}

function signalToStop({ pid, stopSignal }) {
  try {
    process.kill(pid, stopSignal);
  } catch {
    // It ended by itself just now.
  }
}
