// `stream`: from the commit of a price to the last of 1,000 connections of `changes/stream`, against a bare HTTP server
// that writes the same number of bytes to as many connections when it is given them, in alternating rounds; and what an
// open connection costs each server in CPU. Servers and readers are processes of their own, over loopback; calls are
// not metered, but streams are counted, twenty for each key. The poller reports its prices through Redis; without it
// the service finds them four times a second. Then 200 calls a second, without streams and beside them, while twenty
// prices a second move. Fails if a target is missed. Run: DATABASE_URL=… REDIS_URL=… node --import tsx bench/stream.ts
// [--connections 1000] [--rounds 100, 0: no events] [--races 60] [--calls 200, 0: none]
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
import { cpuMsOf, usageOf } from './support/process-usage';
import { type Server, startApiServer } from './support/servers';
import { monotonicMs, type StreamReaders, startReaders } from './support/stream-readers';

const PATH = '/v1/racing/changes/stream';
const PAUSE_MS = 400;
/** Until V8 has compiled what runs for each event. */
const WARM_UPS = 20;
/** As many as one account of the largest plan may have. */
const STREAMS_OF_KEY = 20;
/** Milliseconds from the commit to the last reader, half of the time; CPU of an event, and what is idle in a minute. */
const TARGETS = { lastMs: 80, timesBare: 1.7, idleMs: 0.75, callMs: 50 };
/** About what an event with one row has. */
const EVENT_BYTES = 900;
const AFTER_MS = 50;
const SETTLE_MS = 15_000;
/** Each connection charges one minute in it. */
const QUIET_MS = 60_000;
/** Prices move as in the last hour of a Saturday: 135 polls a second, of which 15 % move one. */
const MOVES_A_SECOND = 20;
const CALLS_WARM_MS = 3000;
const CALLS_MS = 20_000;

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '100' },
    races: { type: 'string', default: '60' },
    readings: { type: 'boolean', default: false },
    calls: { type: 'string', default: '200' },
  },
});
const connections = Number(values.connections);
const rounds = Number(values.rounds);
const random = seeded(20261123);

type Move = (win: number) => Promise<void>;

/** Polls of one race: each moves a price to the next number, which no other event has. */
async function mover({ db, redis }: Pick<Setting, 'db' | 'redis'>, raceNumber: number): Promise<Move> {
  const startTime = new Date(Date.now() + 3_600_000).toISOString();
  const runners = (win: number) => [feedRunner(1, { win }), feedRunner(2, { win: 3 })];
  const { raceId } = await addRace(
    db.pool,
    { venue: `Stream Park ${raceNumber}`, startTime },
    { tab: { runners: runners(2) } },
  );
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

interface Round {
  /** Milliseconds from `send` to the first and to the last reader. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** CPU of the server, from `send` until shortly after the last reader: what it does afterwards is part of it. */
  readonly cpuMs: number;
}

async function round(pid: number, readers: StreamReaders, text: string, send: () => unknown): Promise<Round> {
  const { ready, arrival } = readers.await(text);
  await ready;
  // At any moment between two readings.
  await delay(PAUSE_MS * random());
  const before = cpuMsOf(pid);
  await send();
  const sentMs = monotonicMs();
  const { firstMs, lastMs } = await arrival;
  await delay(AFTER_MS);
  return { firstMs: firstMs - sentMs, lastMs: lastMs - sentMs, cpuMs: cpuMsOf(pid) - before };
}

const share = (all: readonly number[], part: number): number =>
  [...all].sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))]!;

/** The median until the last reader, and the CPU of an event, in microseconds. */
function row(name: string, all: readonly Round[]): readonly [lastMs: number, cpu: number] {
  const last = all.map(({ lastMs }) => lastMs);
  const cpu = (1000 * all.reduce((sum, { cpuMs }) => sum + cpuMs, 0)) / all.length / connections;
  const spread = median(all.map(({ firstMs, lastMs }) => lastMs - firstMs));
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

/** The service with its database, and one that writes bare events. */
interface Setting {
  readonly db: TestDatabase;
  readonly redis: Redis | null;
  readonly api: Server;
  readonly keys: readonly string[];
  readonly servers: { stop(): void }[];
}

async function benchWith(work: (setting: Setting) => Promise<void>): Promise<void> {
  const db = await createTestDatabase();
  const redis = process.env.REDIS_URL ? createRedis(process.env.REDIS_URL) : null;
  const servers: { stop(): void }[] = [];
  try {
    await seedFullCard(db.pool, Number(values.races), Date.now());
    const api = await startApiServer(db.url, newKey());
    servers.push(api);
    await work({ db, redis, api, keys: await addKeys(db), servers });
  } finally {
    for (const server of servers) server.stop();
    redis?.disconnect();
    await db.drop();
  }
}

async function bench(setting: Setting): Promise<void> {
  const { api, keys, servers } = setting;
  const moves = await Promise.all(Array.from({ length: MOVES_A_SECOND }, (_, i) => mover(setting, i)));
  const perSecond = Number(values.calls);
  const loads = perSecond > 0 ? { moves, perSecond } : null;
  if (loads) await callsBeside(setting, loads, 'no stream');
  const ofApi = startReaders();
  servers.push(ofApi);
  await ofApi.open(api.url, PATH, keys, connections, 'event: state');
  if (rounds > 0) await benchEvents(setting, ofApi, moves[0]!);
  await judgeIdle(api);
  if (loads)
    judge('ms of a call beside the streams, p99', await callsBeside(setting, loads, 'the streams'), TARGETS.callMs);
}

/** Alternating rounds. */
async function benchEvents({ api, servers }: Setting, ofApi: StreamReaders, move: Move): Promise<void> {
  const bare = await startBareEvents();
  const ofBare = startReaders();
  servers.push(bare, ofBare);
  await ofBare.open(bare.url, '/', [''], connections, 'event: state');
  const figures = { stream: [] as Round[], bare: [] as Round[] };
  for (let i = -WARM_UPS; i < rounds; i++) {
    const win = 1000 + i;
    const stream = await round(api.pid, ofApi, `"win_price":${win},`, () => move(win));
    const event = `data: ${'x'.repeat(EVENT_BYTES)}"win_price":${win},\n\n`;
    const reference = await round(bare.pid, ofBare, `"win_price":${win},`, () => bare.send(event));
    if (i < 0) continue;
    figures.stream.push(stream);
    figures.bare.push(reference);
  }
  console.log(`${connections} connections, ${rounds} alternating rounds; ${loadText()}`);
  const [lastMs, eventCpu] = row('the stream', figures.stream);
  const [, bareCpu] = row('bare HTTP', figures.bare);
  judge('ms from the commit to the last reader, p50', lastMs, TARGETS.lastMs);
  judge('times the CPU of bare HTTP per event', eventCpu / bareCpu, TARGETS.timesBare);
}

/** The process settles first: the garbage of what came before is collected, and its code compiled. */
async function judgeIdle(api: Server): Promise<void> {
  await delay(SETTLE_MS);
  const before = usageOf(api.pid).cpuSeconds;
  await delay(QUIET_MS);
  const idle = usageOf(api.pid).cpuSeconds - before;
  judge('ms CPU per connection and minute without changes', (idle * 6e7) / QUIET_MS / connections, TARGETS.idleMs);
}

interface Loads {
  readonly moves: readonly Move[];
  readonly perSecond: number;
}

/** Milliseconds of a call, 99 %, while prices of as many races move in turn. */
async function callsBeside({ api, keys, servers }: Setting, { moves, perSecond }: Loads, beside: string) {
  const callers = startCallers({ url: api.url, key: keys[0]!, perSecond });
  let moved = 0;
  const moving = setInterval(() => {
    void moves[moved % moves.length]!(5000 + moved / 10);
    moved++;
  }, 1000 / MOVES_A_SECOND);
  const stop = (): void => {
    clearInterval(moving);
    callers.stop();
  };
  servers.push({ stop });
  await delay(CALLS_WARM_MS);
  await callers.since();
  const [beganSeconds, beganMoved] = [usageOf(api.pid).cpuSeconds, moved];
  await delay(CALLS_MS);
  const { calls, failed, p50Ms, p99Ms } = await callers.since();
  stop();
  const cpu = (100_000 * (usageOf(api.pid).cpuSeconds - beganSeconds)) / CALLS_MS;
  const load = `${calls} calls, ${failed} failed, ${moved - beganMoved} moves, API ${cpu.toFixed(0)} % of a core; ${loadText()}`;
  console.log(`beside ${beside.padEnd(12)} p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms; ${load}`);
  if (failed > 0) judge('failed calls', failed, 0);
  return p99Ms;
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
else void benchWith(bench);
