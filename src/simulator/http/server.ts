// The simulator as a server: every book under a prefix of its own (`/ladbrokes_au/…` stands for that book's host), the
// world's own account of itself under `/world`, and `/healthz`. Keeps no state but the world's memory.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import type { RaceScript } from '../world/scripts';
import { createWorld, type World } from '../world/world';
import { books } from './books';
import { compressed, conditional } from './transport';
import { worldView } from './world-view';

export interface SimulatorOptions {
  /** Any text; the same text is the same world, whenever and wherever it is started. */
  readonly seed: string;
  /** Race time, epoch ms. */
  readonly now: () => number;
  /** Minutes between jumps, 3 to 15. */
  readonly intervalMinutes?: number;
  /** Only these races instead of the daily card. */
  readonly races?: readonly RaceScript[];
}

export interface Simulator {
  readonly world: World;
  /** Serves on `port` (0 picks a free one) and answers with the address, `http://127.0.0.1:<port>`. */
  listen(port: number, host?: string): Promise<string>;
  close(): Promise<void>;
}

export function createSimulator({ now, ...options }: SimulatorOptions): Simulator {
  const world = createWorld(options);
  const app = new Koa();
  app.silent = true;
  // What travels wrong on purpose goes between these: a middleware placed before `books` sees every book's request and reply.
  app.use(compressed).use(conditional).use(worldView(world, now)).use(books(world, now));
  const server = createServer(app.callback());
  return {
    world,
    listen: (port, host = '127.0.0.1') => listening(server, port, host),
    close: () => closed(server),
  };
}

function listening(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(`http://${host}:${(server.address() as AddressInfo).port}`));
  });
}

/** Idle connections are cut at once, or keep-alive clients would hold the server open. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
