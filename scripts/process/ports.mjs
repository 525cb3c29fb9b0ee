// Ports on the loopback interface: whether one is free, free ones, and the message for one that is taken.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { Problem } from '../command/problem.mjs';

const host = '127.0.0.1';

export async function isFree(port) {
  const server = await listening(port).catch(() => null);
  if (server) await closed(server);
  return server !== null;
}

// Below 32768 no system assigns ports by itself, neither to a listener nor to an outgoing connection: a free port stays
// free until its user has started.
const lowest = 10_000;
const beyond = 32_768;
/**
 * Every jest worker picks from its own slice, so that two workers never collide; the first slice is for everything
 * else, the last for e2e.
 */
const slices = 6;
const given = new Set();

/** `worker`: jest's number of the worker, from 1; undefined outside jest. */
export function sliceOf(worker) {
  const slice = worker === undefined ? 0 : 1 + ((Number(worker) - 1) % (slices - 1));
  const size = Math.floor((beyond - lowest) / slices);
  return [lowest + slice * size, lowest + (slice + 1) * size];
}

/** A process gets each port once, even after its listener ended: its server may return. */
export async function freePorts(count) {
  const ports = [];
  const [from, to] = sliceOf(process.env.TEST_PORTS ?? process.env.JEST_WORKER_ID);
  for (let tries = 0; ports.length < count; tries += 1) {
    if (tries > 1000) throw new Problem(`No port between ${from} and ${to} is free on ${host}.`);
    const port = randomInt(from, to);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    ports.push(port);
  }
  return ports;
}

export async function requireFree({ port, what, variable }) {
  if (await isFree(port)) return;
  throw new Problem(
    `Port ${port}, which ${what} needs, is used by another program: stop that program, or set ${variable} to another port.`,
  );
}

function listening(port) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

const closed = (server) => new Promise((resolve) => server.close(resolve));
