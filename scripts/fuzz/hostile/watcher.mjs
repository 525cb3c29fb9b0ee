// Loaded into the API process before anything else (`--import`): it measures the process from inside and replies to the
// battery over IPC. It must not disturb what it measures: it has one timer and a list of open connections.
import diagnostics from 'node:diagnostics_channel';
import { setImmediate as turn } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import { createWorkRows } from './work.mjs';

/** How much a reading may be too high: several turns of work between two ticks of the timer. */
const EVERY_MS = 5;

if (isMainThread && process.send) watch();

function watch() {
  const open = openConnections();
  const turns = longestTurn();
  const work = createWorkRows();
  // `test/support/fuzz/published-work.ts` publishes there.
  diagnostics.subscribe('racing.fuzz.work', (/** @type {any} */ one) => work.add(one));
  const questions = {
    turns: async () => {
      await turn();
      return turns.read();
    },
    heap: async () => {
      const live = await liveBytes();
      turns.read();
      return live;
    },
    work: async () => work.rows(),
    open: async () => [...open].map(({ remotePort }) => remotePort),
  };
  process.on('message', async ({ id, name }) => process.send?.({ id, value: await questions[name]() }));
  process.channel?.unref();
}

// CPU time of the main thread between two ticks of a timer: a thread that waits, or a machine that stands still, uses
// none.
function longestTurn() {
  let most = 0;
  let last = cpuMs();
  const sample = () => {
    const now = cpuMs();
    most = Math.max(most, now - last);
    last = now;
  };
  setInterval(sample, EVERY_MS).unref();
  return {
    /** Milliseconds since the last reading. */
    read() {
      sample();
      const read = most;
      most = 0;
      return read;
    },
  };
}

function cpuMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

// Collects twice: the second collection frees what the first one finalised.
async function liveBytes() {
  for (let round = 0; round < 2; round += 1) {
    /** @type {NodeJS.GCFunction} */ (globalThis.gc)();
    await turn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function openConnections() {
  const open = new Set();
  diagnostics.subscribe('net.server.socket', (/** @type {any} */ { socket }) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}
