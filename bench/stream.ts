// `stream`: from the commit of a price to the last of 1,000 connections of `changes/stream`, against a bare HTTP server
// that writes the same number of bytes to as many connections when it is given them, in alternating rounds; and what an
// open connection costs each server in CPU. Servers and readers are processes of their own, over loopback; calls are
// not metered, but streams are counted, twenty for each key. The poller reports its prices through Redis; without it
// the service finds them four times a second. Fails if a target is missed. Run:
// DATABASE_URL=… REDIS_URL=… node --import tsx bench/stream.ts [--connections 1000] [--rounds 100] [--races 60]
// With --calls 200: so many calls a second beside the streams, while twenty prices a second move.
// With --readings: what one reading of the board costs at 200, 400 and 600 races, no connections.
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Redis } from 'ioredis';
import { REAL_TIME } from '../src/domain/time/clock';
import { createStores } from '../src/store/create-stores';
import { hashApiKey } from '../src/store/keys/keys';
import { createNoticeSender, withNotices } from '../src/store/redis/board-notices';
import { createRedis } from '../src/store/redis/redis';
import { keyRow, newKey } from '../test/support/api/api';
import { addRace } from '../test/support/races/board';
import { feedRunner, raceSnapshot } from '../test/support/races/builders';
import { createTestDatabase, type TestDatabase } from '../test/support/servers/database';
import { startBareEvents } from './support/bare-events';
import { multiply, readingCost } from './support/board-readings';
import { startCallers } from './support/callers';
import { median, seeded } from './support/figures';
import { seedFullCard } from './support/full-card';
import { usageOf } from './support/process-usage';
import { startApiServer } from './support/servers';
import { monotonicMs, type StreamReaders, startReaders } from './support/stream-readers';

const PATH = '/v1/racing/changes/stream';
const PAUSE_MS = 400;
const WARM_UPS = 5;
/** As many as one account of the largest plan may have. */
const STREAMS_OF_KEY = 20;
/** Milliseconds from the commit to the last reader, half of the time; CPU of an event, and what is idle in a minute. */
const TARGETS = { lastMs: 80, timesBare: 1.7, idleMs: 0.75, callMs: 50 };
/** About what an event with one row has. */
const EVENT_BYTES = 900;

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '100' },
    races: { type: 'string', default: '60' },
    readings: { type: 'boolean', default: false },
    calls: { type: 'string' },
  },
});
const connections = Number(values.connections);
const rounds = Number(values.rounds);
const random = seeded(20261123);

/** Polls of one race: each moves a price to the next number, which no other event has. */
async function mover(db: TestDatabase, redis: Redis | null): Promise<(win: number) => Promise<void>> {
  const startTime = new Date(Date.now() + 3_600_000).toISOString();
  const runners = (win: number) => [feedRunner(1, { win }), feedRunner(2, { win: 3 })];
  const { raceId } = await addRace(db.pool, { venue: 'Stream Park', startTime }, { tab: { runners: runners(2) } });
  const stores = createStores(db.pool);
  const quotes = redis
    ? withNotices(stores.quotes, createNoticeSender(redis, { databaseUrl: db.url, clock: REAL_TIME }))
    : stores.quotes;
  return async (win) => {
    await quotes.savePoll({
      raceId,
      bookmakerKey: 'tab',
      fence: { epoch: 1, attempt: 1 },
      observedAt: new Date().toISOString(),
      bookAt: null,
      snapshot: raceSnapshot({ runners: runners(win) }),
      marketStateSource: false,
      startSource: false,
    });
  };
}

/** Milliseconds from `send` to the first and to the last reader. */
async function round(readers: StreamReaders, text: string, send: () => unknown): Promise<readonly [number, number]> {
  const { ready, arrival } = readers.await(text);
  await ready;
  // At any moment between two readings.
  await delay(PAUSE_MS * random());
  await send();
  const sentMs = monotonicMs();
  const { firstMs, lastMs } = await arrival;
  return [firstMs - sentMs, lastMs - sentMs];
}

const share = (all: readonly number[], part: number): number =>
  [...all].sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))]!;

type Round = readonly [firstMs: number, lastMs: number];

/** The median until the last reader, and the CPU of an event, in microseconds. */
function row(name: string, all: readonly Round[], cpuSeconds: number): readonly [lastMs: number, cpu: number] {
  const last = all.map(([, ms]) => ms);
  const cpu = (cpuSeconds * 1e6) / all.length / connections;
  const spread = median(all.map(([first, ms]) => ms - first));
  const figures = [`p50 ${median(last).toFixed(0)} ms, p99 ${share(last, 0.99).toFixed(0)} ms to the last reader`];
  figures.push(`${spread.toFixed(1)} ms between first and last`, `${cpu.toFixed(1)} µs CPU per connection and event`);
  console.log(`${name.padEnd(12)} ${figures.join('; ')}`);
  return [median(last), cpu];
}

function judge(name: string, is: number, most: number): void {
  const isMet = is <= most;
  console.log(`${isMet ? 'met' : 'MISSED'}: ${name} ${is.toFixed(2)}, at most ${most}`);
  if (!isMet) process.exitCode = 1;
}

/** With a key for every twenty streams. */
async function addKeys(db: TestDatabase): Promise<readonly string[]> {
  const { keys } = createStores(db.pool);
  const all = Array.from({ length: Math.ceil(connections / STREAMS_OF_KEY) }, newKey);
  for (const key of all) await keys.insert(hashApiKey(key), keyRow(key, { plan: 'platform' }));
  return all;
}

async function bench(): Promise<void> {
  const db = await createTestDatabase();
  const redis = process.env.REDIS_URL ? createRedis(process.env.REDIS_URL) : null;
  const servers: { stop(): void }[] = [];
  try {
    await seedFullCard(db.pool, Number(values.races), Date.now());
    const move = await mover(db, redis);
    const keys = await addKeys(db);
    const api = await startApiServer(db.url, newKey());
    const bare = await startBareEvents();
    const ofApi = startReaders();
    const ofBare = startReaders();
    servers.push(api, bare, ofApi, ofBare);
    await ofApi.open(api.url, PATH, keys, connections, 'event: state');
    await ofBare.open(bare.url, '/', [''], connections, 'event: state');
    const figures = { stream: [] as Round[], bare: [] as Round[] };
    const cpu = { stream: 0, bare: 0 };
    for (let i = -WARM_UPS; i < rounds; i++) {
      const win = 1000 + i;
      const before = [usageOf(api.pid).cpuSeconds, usageOf(bare.pid).cpuSeconds] as const;
      const stream = await round(ofApi, `"win_price":${win},`, () => move(win));
      const event = `data: ${'x'.repeat(EVENT_BYTES)}"win_price":${win},\n\n`;
      const reference = await round(ofBare, `"win_price":${win},`, () => bare.send(event));
      if (i < 0) continue;
      figures.stream.push(stream);
      figures.bare.push(reference);
      cpu.stream += usageOf(api.pid).cpuSeconds - before[0];
      cpu.bare += usageOf(bare.pid).cpuSeconds - before[1];
    }
    const quietMs = 30_000;
    const quiet = usageOf(api.pid).cpuSeconds;
    await delay(quietMs);
    const idle = usageOf(api.pid).cpuSeconds - quiet;
    console.log(`stream: ${connections} connections, ${rounds} alternating rounds; ${loadText()}`);
    const [lastMs, eventCpu] = row('the stream', figures.stream, cpu.stream);
    const [, bareCpu] = row('bare HTTP', figures.bare, cpu.bare);
    judge('ms from the commit to the last reader, p50', lastMs, TARGETS.lastMs);
    judge('times the CPU of bare HTTP per event', eventCpu / bareCpu, TARGETS.timesBare);
    judge('ms CPU per connection and minute without changes', (idle * 6e7) / quietMs / connections, TARGETS.idleMs);
  } finally {
    for (const server of servers) server.stop();
    redis?.disconnect();
    await db.drop();
  }
}

/** Prices move as in the last hour of a Saturday: 135 polls a second, of which 15 % move one. */
const MOVES_A_SECOND = 20;
const CALLS_MS = 20_000;

async function benchCalls(perSecond: number): Promise<void> {
  const db = await createTestDatabase();
  const redis = createRedis(process.env.REDIS_URL!);
  const servers: { stop(): void }[] = [];
  try {
    await seedFullCard(db.pool, Number(values.races), Date.now());
    const move = await mover(db, redis);
    const keys = await addKeys(db);
    const api = await startApiServer(db.url, newKey());
    const readers = startReaders();
    const callers = startCallers({ url: api.url, key: keys[0]!, perSecond });
    servers.push(api, readers, callers);
    let win = 1000;
    const moves = setInterval(() => void move(win++), 1000 / MOVES_A_SECOND);
    servers.push({ stop: () => clearInterval(moves) });
    const measured = async (name: string): Promise<number> => {
      await callers.since();
      const [beganSeconds, beganWin] = [usageOf(api.pid).cpuSeconds, win];
      await delay(CALLS_MS);
      const { calls, failed, p50Ms, p99Ms } = await callers.since();
      const cpu = (100_000 * (usageOf(api.pid).cpuSeconds - beganSeconds)) / CALLS_MS;
      const load = `${calls} calls, ${failed} failed, ${win - beganWin} moves, API ${cpu.toFixed(0)} % of a core; ${loadText()}`;
      console.log(`${name.padEnd(14)} p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms; ${load}`);
      return p99Ms;
    };
    await delay(PAUSE_MS * WARM_UPS);
    await measured('no stream');
    await readers.open(api.url, PATH, keys, connections, 'event: state');
    judge('ms of a call beside the streams, p99', await measured(`${connections} streams`), TARGETS.callMs);
  } finally {
    for (const server of servers) server.stop();
    redis.disconnect();
    await db.drop();
  }
}

const loadText = (): string => `load average ${loadavg()[0]!.toFixed(1)}`;

const SIZES = [200, 400, 600];
const SEEDED = 20;

async function benchReadings(): Promise<void> {
  for (const races of SIZES) {
    const db = await createTestDatabase();
    try {
      const { raceIds } = await seedFullCard(db.pool, SEEDED, Date.now(), 1);
      await multiply(db.pool, raceIds, races / SEEDED - 1);
      const { cachedMs, wholeMs, races: read } = await readingCost(db.pool, rounds);
      const ratio = (cachedMs / wholeMs).toFixed(2);
      const each = `${cachedMs.toFixed(0)} ms a reading, ${((1000 * cachedMs) / read).toFixed(0)} µs a race`;
      console.log(`${read} races: ${each}; without a cache ${wholeMs.toFixed(0)} ms (ratio ${ratio})`);
    } finally {
      await db.drop();
    }
  }
}

if (values.readings) void benchReadings();
else if (values.calls) void benchCalls(Number(values.calls));
else void bench();
