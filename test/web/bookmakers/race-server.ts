// The pages of one race whose row a test sets, with the account of one owner. In memory, without a database.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { visibleRaceOf } from '../../../src/api/pages/shown/visible-race';
import type { LiveRace } from '../../../src/store/reads/races/find-races';
import { createLiveBoard } from '../../../src/web/board/live-board';
import type { BoardSource } from '../../../src/web/board/source';
import type { ReadBetslip } from '../../../src/web/bookmakers/go';
import { createWeb } from '../../../src/web/routes';
import { type MemoryAccounts, memoryAccounts } from '../../support/pages/memory-accounts';

export const ID = '5f0c3a9e-6f4c-4b6e-9a53-3d9e4f6a7b10';

export interface RaceServer {
  readonly url: string;
  readonly memory: MemoryAccounts;
  row: LiveRace;
  nowMs: number;
  slips: ReadBetslip;
  close(): void;
}

export async function startRaceServer(row: LiveRace, nowMs: number): Promise<RaceServer> {
  const server = createServer();
  // After a pause of the machine a client would send on an idle connection that is just being closed.
  server.keepAliveTimeout = 0;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  const memory = memoryAccounts(url);
  const race: RaceServer = { url, memory, row, nowMs, slips: async () => null, close };
  const source: BoardSource = {
    boardRaces: async () => [],
    race: async (id, atMs) => (id === ID ? visibleRaceOf(race.row, atMs) : null),
    captured: async () => [],
    cardChanges: async () => ({ track: null, deductions: [] }),
    jumpedRaces: async () => [],
    outcomes: async () => [],
    outcome: async () => null,
    meeting: async () => [],
  };
  const now = (): number => race.nowMs;
  const betslip: ReadBetslip = (book) => race.slips(book);
  const app = new Koa();
  // A refusal does not fail the test.
  app.silent = true;
  app.use((ctx, next) => {
    ctx.state.client = { address: '203.0.113.9', network: '203.0.113.9' };
    return next();
  });
  app.use(
    createWeb({ live: createLiveBoard({ source, now }), now, speed: 1, accounts: memory.pages, betslip }).routes(),
  );
  server.on('request', app.callback());
  return race;
}
