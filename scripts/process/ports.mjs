// Ports on the loopback interface: is one free, which are free, and the sentence for one that is not.
import { createServer } from 'node:net';
import { Problem } from '../problem.mjs';

const host = '127.0.0.1';

export async function isFree(port) {
  const server = await listening(port).catch(() => null);
  if (server) await closed(server);
  return server !== null;
}

// All are held open together, so that the same one is not given twice.
export async function freePorts(count) {
  const servers = await Promise.all(Array.from({ length: count }, () => listening(0)));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map(closed));
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
