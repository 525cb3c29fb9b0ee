// `stream`: from the commit of a price to the last of 1,000 connections of `changes/stream`, against a bare HTTP server
// that writes the same number of bytes to as many connections when it is given them, in alternating rounds; and the CPU
// of each server: idle for a minute, and of an event all that whole minutes of rounds cost beyond that, readings and
// freshness afterwards too. Servers and readers are processes of their own, over loopback; calls are not metered, but
// streams are counted, twenty for each key, and each key has a filter of its own. The poller reports its prices through
// Redis; without it the service finds them four times a second. Then 200 calls a second, without streams and beside
// them, while 140 books a second are polled, of which twenty move a price, and twenty keys of sports are fed and
// pushed; at the end the memory of the service. Fails if a target is missed. Run: DATABASE_URL=… REDIS_URL=… node
// --import tsx bench/stream.ts [--connections 1000] [--rounds 100, 0: no events] [--filters 50] [--races 60] [--calls
// 200] [--sports 20] [--only idle, events, calls or memory]
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
import { seedFullCard } from './support/full-card';
import { memoryOfOne } from './support/process-memory';
import { usageOf } from './support/process-usage';
import { type Server, startApiServer, startBuiltServer } from './support/servers';
import { type StreamReaders, startReaders } from './support/stream-readers';
import { printRounds, type Round, sendRound } from './support/streams/rounds';
import { startSportsBeside } from './support/streams/sports-beside';

const PATH = '/v1/racing/changes/stream';
/** Until V8 has compiled what runs for each event. */
const WARM_UPS = 20;
/** As many as one account of the largest plan may have. */
const STREAMS_OF_KEY = 20;
/**
 * Milliseconds from the commit to the last reader, half of the time; CPU of an event, and what is idle in a minute;
 * megabytes of the API with all streams.
 */
const TARGETS = { lastMs: 80, timesBare: 1.7, idleMs: 0.75, callMs: 50, apiMb: 300 };
/** About what an event with one row has. */
const EVENT_BYTES = 900;
const SETTLE_MS = 15_000;
/** Each connection charges one minute in it. */
const MINUTE_MS = 60_000;
/** Prices move as in the last hour of a Saturday: 135 polls a second, of which 15 % move one. */
const MOVES_A_SECOND = 20;
const UNMOVED_BESIDE_EACH = 6;
const CALLS_WARM_MS = 3000;
const CALLS_MS = 20_000;

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '100' },
    races: { type: 'string', default: '60' },
    filters: { type: 'string', default: '50' },
    readings: { type: 'boolean', default: false },
    calls: { type: 'string', default: '200' },
    sports: { type: 'string', default: '20' },
    only: { type: 'string' },
  },
});
const measures = (part: 'idle' | 'events' | 'calls' | 'memory'): boolean => (values.only ?? part) === part;
const connections = Number(values.connections);
const rounds = Number(values.rounds);

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
    ? withNotices(stores.quotes, createNoticeSender(redis, { databaseDirectUrl: db.url, clock: REAL_TIME }))
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
  if (values.only !== 'memory') await benchCpu(setting);
  if (measures('memory')) await benchMemory(setting);
}

/** Of the service as it is deployed: from its build, because the translator of its sources keeps its memory. */
async function benchMemory({ db, keys, servers }: Setting): Promise<void> {
  const [api, readers] = [await startBuiltServer(db.url, newKey(), 'api'), startReaders()];
  servers.push(api, readers);
  await readers.open(api.url, paths(), keys, connections, 'event: state');
  await delay(SETTLE_MS);
  const { proportional, resident, peak } = memoryOfOne(api.pid);
  console.log(
    `the API: ${resident.toFixed(0)} MB resident, at most ${peak.toFixed(0)} MB since its start; ${loadText()}`,
  );
  judge(`MB of the API beside ${connections} streams, every page once`, proportional, TARGETS.apiMb);
}

async function benchCpu(setting: Setting): Promise<void> {
  const { api, keys, servers } = setting;
  const moves = await Promise.all(Array.from({ length: MOVES_A_SECOND }, (_, i) => mover(setting, i)));
  const loads = measures('calls') ? { moves, perSecond: Number(values.calls) } : null;
  if (loads) await callsBeside(setting, loads, 'no stream');
  const ofApi = startReaders();
  servers.push(ofApi);
  await ofApi.open(api.url, paths(), keys, connections, 'event: state');
  if (rounds > 0 && measures('events')) await benchEvents(setting, ofApi, moves[0]!);
  else if (measures('idle')) judgeIdle((await idleOf([api]))[0]!);
  if (loads)
    judge('ms of a call beside the streams, p99', await callsBeside(setting, loads, 'the streams'), TARGETS.callMs);
}

/** Alternating rounds. */
async function benchEvents({ api, servers }: Setting, ofApi: StreamReaders, move: Move): Promise<void> {
  const bare = await startBareEvents();
  const ofBare = startReaders();
  servers.push(bare, ofBare);
  await ofBare.open(bare.url, ['/'], [''], connections, 'event: state');
  const figures = { stream: [] as Round[], bare: [] as Round[] };
  const both = async (win: number): Promise<void> => {
    figures.stream.push(await sendRound(ofApi, `"win_price":${win},`, () => move(win)));
    const event = `data: ${'x'.repeat(EVENT_BYTES)}"win_price":${win},\n\n`;
    figures.bare.push(await sendRound(ofBare, `"win_price":${win},`, () => bare.send(event)));
  };
  for (let i = 0; i < WARM_UPS; i++) await both(900 + i);
  for (const all of Object.values(figures)) all.length = 0;
  const idle = await idleOf([api, bare]);
  const [began, beganMs] = [[api, bare].map(cpuMsOf), performance.now()];
  for (let i = 0; i < rounds; i++) await both(1000 + i);
  const roundsMs = performance.now() - beganMs;
  // Whole minutes, as of what is idle.
  await delay(MINUTE_MS - (roundsMs % MINUTE_MS));
  const minutes = (performance.now() - beganMs) / MINUTE_MS;
  const spent = [api, bare].map((server, i) => cpuMsOf(server) - began[i]! - idle[i]! * minutes);
  const [eventCpu, bareCpu] = spent.map((ms) => (1000 * ms) / rounds / connections) as [number, number];
  const beat = `one every ${(roundsMs / rounds / 1000).toFixed(2)} s`;
  console.log(`${connections} connections, ${values.filters} filters, ${rounds} events, ${beat}; ${loadText()}`);
  const lastMs = printRounds('the stream', figures.stream, eventCpu);
  printRounds('bare HTTP', figures.bare, bareCpu);
  judge('ms from the commit to the last reader, p50', lastMs, TARGETS.lastMs);
  judge('times the CPU of bare HTTP per event', eventCpu / bareCpu, TARGETS.timesBare);
  judgeIdle(idle[0]!);
}

const cpuMsOf = ({ pid }: { readonly pid: number }): number => 1000 * usageOf(pid).cpuSeconds;

/** CPU of a minute without changes. The servers settle first: garbage is collected, and code compiled. */
async function idleOf(servers: readonly { readonly pid: number }[]): Promise<readonly number[]> {
  await delay(SETTLE_MS);
  const before = servers.map(cpuMsOf);
  await delay(MINUTE_MS);
  return servers.map((server, i) => cpuMsOf(server) - before[i]!);
}

const judgeIdle = (idleMs: number): void =>
  judge('ms CPU per connection and minute without changes', idleMs / connections, TARGETS.idleMs);

const letter = (at: number): string => String.fromCharCode('A'.charCodeAt(0) + (at % LETTERS));

/** Each selects every race of the bench, and a country that has none. */
const paths = (): readonly string[] =>
  Array.from(
    { length: Number(values.filters) },
    (_, i) => `${PATH}?country=AU,${letter(Math.floor(i / LETTERS))}${letter(i)}`,
  );

interface Loads {
  readonly moves: readonly Move[];
  readonly perSecond: number;
}

/** Milliseconds of a call, 99 %, while prices of as many races move in turn, beside the sports. */
async function callsBeside({ api, db, keys, servers }: Setting, { moves, perSecond }: Loads, beside: string) {
  const sports = await startSportsBeside(db, api.url, Number(values.sports));
  const callers = startCallers({ url: api.url, key: keys[0]!, perSecond });
  let moved = 0;
  const prices = moves.map(() => 2);
  const poll = (at: number): void => void moves[at % moves.length]!(prices[at % moves.length]!);
  const moving = setInterval(() => {
    prices[moved % moves.length] = 5000 + moved / 10;
    for (let i = UNMOVED_BESIDE_EACH; i >= 0; i--) poll(moved + i);
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
  await sports.stop();
  const cpu = (100_000 * (usageOf(api.pid).cpuSeconds - beganSeconds)) / CALLS_MS;
  const load = `${calls} calls, ${failed} failed, ${moved - beganMoved} moves, API ${cpu.toFixed(0)} % of a core; ${loadText()}`;
  console.log(`beside ${beside.padEnd(12)} p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms; ${load}`);
  const { fed, pushed, failed: unfed } = sports.counts();
  console.log(`  beside it ${values.sports} keys of sports: ${fed} replies of a feed, ${pushed} pushes`);
  const due = Math.floor(sports.aSecond * (CALLS_MS / 1000) * 0.75);
  if (fed + pushed < due) judge('replies and pushes of sports that are missing', due - fed - pushed, 0);
  if (failed + unfed > 0) judge('failed calls, replies and pushes', failed + unfed, 0);
  return p99Ms;
}

const loadText = (): string => `load average ${loadavg()[0]!.toFixed(1)}`;

const LETTERS = 26;
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
