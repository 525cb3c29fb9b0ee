// The simulator as a server: every book under its own prefix (`/ladbrokes_au/…` in place of that book's host), the
// world's true story under `/world`, its faults under `/faults`, and `/healthz`. Its only state is the world's cache
// and the faults that are on.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { lensOf } from '../faults/lens';
import { faultyReplies } from '../faults/replies';
import { faultySports } from '../faults/sports';
import { initialSwitches, switchboard } from '../faults/switchboard';
import { createSwitches } from '../faults/switches';
import { faultyTransport } from '../faults/transport';
import type { RaceScript } from '../world/scripts';
import { createWorld, type World } from '../world/world';
import { betslipPages } from './betslip-pages';
import { books } from './books';
import { pages } from './pages';
import { pastOf } from './past';
import { createSentLog, type SentLog } from './sent';
import { compressed, conditional } from './transport';
import { worldView } from './world-view';

export interface SimulatorOptions {
  /** Any text; the same text gives the same world, whenever and wherever it starts. */
  readonly seed: string;
  /** Race time, epoch ms. */
  readonly now: () => number;
  /** Minutes between jumps, 3 to 15. */
  readonly intervalMinutes?: number;
  /** Only these races instead of the daily card. */
  readonly races?: readonly RaceScript[];
  /** Scenarios that are on from the start, for one book or (null) for every book. Throws for an unknown name. */
  readonly faults?: readonly { readonly scenario: string; readonly book: string | null }[];
}

export interface Simulator {
  /** The true world; faults change only how books show it. */
  readonly world: World;
  /** The books that are polled. */
  readonly keys: readonly string[];
  /** The sports data that was sent. */
  readonly sent: SentLog;
  /** The world as one book shows it. */
  worldOf(book: string): World;
  /** Serves on `port` (0 picks a free one) and returns the address, `http://127.0.0.1:<port>`. */
  listen(port: number, host?: string): Promise<string>;
  close(): Promise<void>;
}

export function createSimulator({ now: present, faults = [], ...options }: SimulatorOptions): Simulator {
  const { now, route } = pastOf(present);
  const world = createWorld(options);
  const switches = createSwitches();
  const worldOf = (book: string): World => lensOf(world, book, switches, now);
  const { keys, answer } = books(worldOf, now);
  for (const one of initialSwitches(faults, keys)) switches.on(one);
  const app = new Koa();
  app.silent = true;
  const sent = createSentLog(now);
  app.use(route).use(compressed).use(conditional).use(worldView(worldOf, now)).use(sent.view).use(sent.ofFeed);
  app.use(pages(switches, keys, now)).use(switchboard(switches, keys, now));
  app
    .use(faultyTransport(switches, now))
    .use(faultySports(switches, now))
    .use(faultyReplies(switches, now))
    .use(betslipPages)
    .use(answer);
  const server = createServer(app.callback());
  // Idle connections are never closed: a connection closed just when it is reused looks like a fault, and building a
  // world can take seconds.
  server.keepAliveTimeout = 0;
  return {
    world,
    keys,
    sent,
    worldOf,
    listen: (port, host = '127.0.0.1') => listening(server, port, host),
    close: async () => {
      await closed(server);
      await sent.close();
    },
  };
}

function listening(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(`http://${host}:${(server.address() as AddressInfo).port}`));
  });
}

/** Closes idle connections immediately: keep-alive clients would keep the server open. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
