// The memory of the API while it replays: what is alive, measured after collections of the whole heap, must not grow
// with the length of a replay. The resident memory has garbage too: V8 collects it when it sees fit.
import { setTimeout as sleep } from 'node:timers/promises';
import { newKey } from '../../../test/support/api/api';
import { growthOf } from '../resident';
import { type BuiltServer, startBuiltServer } from '../servers';
import type { BenchDatabase } from './databases';
import { bytesOf } from './files';
import { dayOf } from './generated-days';
import { line } from './report';

/** Of the live memory of a whole day, against that of its first quarter, when as many races are on at one instant. */
const MOST_BY_LENGTH = 1.25;
const MOST_LEFT_MB = 4;
const MOST_RESIDENT_MB = 64;
/** By then the heap has the size that it keeps. */
const WARM_UPS = 4;
const LOOK_EVERY_MS = 20;

export async function measureReplayMemory(database: BenchDatabase, races: number, rounds: number): Promise<void> {
  const key = newKey();
  const server = await startBuiltServer(database.url, key);
  const day = `${server.url}/v1/racing/replay?speed=max&date=${dayOf(0)}`;
  const quarter = `${server.url}/v1/racing/replay?speed=max&from=${dayOf(0)}T02:00:00Z&to=${dayOf(0)}T04:44:59Z`;
  const play = (url: string) => bytesOf(url, key);
  try {
    for (let i = 0; i < WARM_UPS; i++) await play(day);
    const rest = await server.collected();
    const short = await mostAlive(server, rest, () => play(quarter));
    const long = await mostAlive(server, rest, () => play(day));
    line(`alive while ${Math.round(races / 4)} races are replayed`, `${short.parts} above none`, short.megabytes);
    line(`alive while ${races} races are replayed`, `${long.parts} above none`, long.megabytes);
    line('  the day against its first quarter', '', long.megabytes / short.megabytes, ['at most', MOST_BY_LENGTH]);
    const growth = growthOf(server.pid);
    for (let i = 0; i < rounds; i++) await play(day);
    const above = `MB at its peak above what it had after ${WARM_UPS} replays`;
    line('  resident memory of the API', above, growth.megabytes(), ['at most', MOST_RESIDENT_MB]);
    const left = aliveAbove(await server.collected(), rest);
    line(`  alive after ${rounds} more replays`, 'MB above what was before', left.megabytes, ['at most', MOST_LEFT_MB]);
  } finally {
    server.stop();
  }
}

interface Alive {
  readonly megabytes: number;
  /** What it consists of. */
  readonly parts: string;
}

function aliveAbove(now: NodeJS.MemoryUsage, rest: NodeJS.MemoryUsage): Alive {
  const heap = (now.heapUsed - rest.heapUsed) / 1e6;
  const external = (now.external - rest.external) / 1e6;
  return { megabytes: heap + external, parts: `MB: heap ${heap.toFixed(1)}, buffers ${external.toFixed(1)}` };
}

/** At any of the moments at which it is collected while the work lasts. */
async function mostAlive(server: BuiltServer, rest: NodeJS.MemoryUsage, work: () => Promise<unknown>): Promise<Alive> {
  let most = aliveAbove(rest, rest);
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const alive = aliveAbove(await server.collected(), rest);
    if (alive.megabytes > most.megabytes) most = alive;
    await sleep(LOOK_EVERY_MS);
  }
  await working;
  return most;
}
