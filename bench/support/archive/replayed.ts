// What `bench/replay` measures: a day as fast as it is read, and `next-to-go` beside it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { request } from 'undici';
import { median } from '../figures';
import { seedFullCard } from '../full-card';
import { copyOut } from '../raw-copy';
import { type KeyedServer, startServer } from './calls';
import type { BenchDatabase } from './databases';
import { bytesOf, pricePathsBySql } from './files';
import { dayOf } from './generated-days';
import { alternating, line, milliseconds, ratioOf, timed } from './report';

const AT_MAX = `/v1/racing/replay?date=${dayOf(0)}&speed=max`;
const AT_1000 = `/v1/racing/replay?date=${dayOf(0)}&speed=1000`;
const LEAST_OF_COPY = 0.15;
/** Of the rate without a replay. */
const LEAST_BESIDE = 0.95;
/** By then its code is optimised, and the heap has the size that it keeps. */
const WARM_UPS = 4;
const CALLS = 400;
const LIVE_RACES = 40;

export async function measureDayOfReplay(database: BenchDatabase, rounds: number): Promise<void> {
  const query = pricePathsBySql(`t.start_time >= '${dayOf(0)}' AND t.start_time < '${dayOf(1)}'`);
  const { rows } = await database.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM archived_price_paths');
  const server = await startServer(database);
  try {
    for (let i = 0; i < WARM_UPS; i++) await bytesOf(server.url + AT_MAX, server.key);
    await copyOut(database.url, query);
    let bytes = 0;
    const ours = () =>
      timed(async () => {
        bytes = await bytesOf(server.url + AT_MAX, server.key);
      });
    const [replay, copy] = await alternating(rounds, ours, async () => (await copyOut(database.url, query)).ms);
    const what = `${rows[0]!.n} price paths replayed, ${(bytes / 1e6).toFixed(0)} MB`;
    const figures = `${milliseconds(replay)}, COPY ${milliseconds(copy)}`;
    line(what, figures, 1 / ratioOf(replay, copy), ['at least', LEAST_OF_COPY]);
  } finally {
    server.stop();
  }
}

export async function measureLiveBeside(database: BenchDatabase, rounds: number): Promise<void> {
  await seedFullCard(database.pool, LIVE_RACES, Date.now(), LIVE_RACES);
  const server = await startServer(database);
  try {
    await calls(server);
    for (const [name, path] of [
      ['1000', AT_1000],
      ['max', AT_MAX],
    ] as const) {
      const [alone, beside]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        alone.push(await calls(server));
        const stop = await playOn(server, path);
        beside.push(await calls(server));
        stop();
      }
      const figures = `${median(beside).toFixed(0)} ms, without it ${median(alone).toFixed(0)} ms`;
      const ratio = median(alone.map((ms, i) => ms / beside[i]!));
      line(`${CALLS} calls of next-to-go beside a replay at ${name}`, figures, ratio, ['at least', LEAST_BESIDE]);
    }
  } finally {
    server.stop();
  }
}

const calls = (server: KeyedServer): Promise<number> =>
  timed(async () => {
    for (let i = 0; i < CALLS; i++) {
      const { statusCode, body } = await request(`${server.url}/v1/racing/next-to-go`, {
        headers: { 'x-api-key': server.key },
      });
      await body.arrayBuffer();
      if (statusCode !== 200) throw new Error(`next-to-go: ${statusCode}`);
    }
  });

/** Replays the day again and again, read and thrown away, until it is stopped. */
async function playOn({ url, key }: KeyedServer, path: string): Promise<() => void> {
  const reader = fork(join(__dirname, '../reading-on.ts'), [url + path, key], { execArgv: ['--import', 'tsx'] });
  await once(reader, 'message');
  return () => void reader.kill();
}
