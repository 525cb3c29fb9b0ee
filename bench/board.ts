// `board`: best-odds for 150 races x 11 runners x 4 books. How long it takes from SQL to bytes, and how many answers a second are
// served against a bare Koa route that sends the same bytes. Uncompressed, over loopback, one server process, one client process,
// rounds alternating. Run: DATABASE_URL=… node --import tsx bench/board.ts
import { type ChildProcess, fork } from 'node:child_process';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { Pool } from 'undici';
import { createApi } from '../src/api/app';
import { type BestOddsQuestion, createBestOddsBoard } from '../src/api/services/best-odds-board';
import { createBetslipBoard } from '../src/api/services/betslip-links';
import { CUSTOMERS } from '../src/api/visibility';
import type { FeedRunner } from '../src/domain/feed-race';
import { createStores } from '../src/store/create-stores';
import { hashApiKey } from '../src/store/keys';
import { createReads } from '../src/store/reads/reads';
import { createSharedAnswers } from '../src/store/shared-answers';
import { keyRow, NOW, newKey } from '../test/support/api';
import { addRace } from '../test/support/board';
import { feedRunner } from '../test/support/builders';
import { createTestDatabase, type TestDatabase } from '../test/support/database';

const RACES = 150;
const RUNNERS = 11;
const BOOKS = ['ladbrokes_au', 'neds', 'pointsbetau', 'tab'];
const COMPUTATIONS = 30;
const WARM_UPS = 3;
const ROUNDS = 15;
const ROUND_MS = 800;
const CONNECTIONS = 4;
const TARGET = 0.7;

async function bench(): Promise<void> {
  const db = await createTestDatabase();
  const client = fork(__filename, ['client'], { execArgv: ['--import', 'tsx'] });
  try {
    await seed(db);
    console.log(`board: ${RACES} races x ${RUNNERS} runners x ${BOOKS.length} books, ${COMPUTATIONS} computations`);
    await compute(db);
    await serve(db, client);
  } finally {
    client.kill();
    await db.drop();
  }
}

async function seed(db: TestDatabase): Promise<void> {
  for (let i = 0; i < RACES; i++) {
    const startTime = new Date(Date.parse(NOW) + (i + 1) * 120_000).toISOString();
    const listed = { venue: `Track ${i % 15}`, raceNumber: 1 + Math.floor(i / 15), startTime, raceName: `Race ${i}` };
    const says = BOOKS.map((key, b) => {
      const sourceUrl = `https://${key}.example/racing/${i}`;
      return [key, { runners: field(i, b), sourceUrl, facts: FACTS }] as const;
    });
    await addRace(db.pool, listed, Object.fromEntries(says));
  }
  await db.pool.query('ANALYZE');
}

const FACTS = {
  raceName: 'Spring Handicap',
  distanceM: 1600,
  trackCondition: 'Good (4)',
  weather: 'Fine',
  raceClass: 'Benchmark 84',
  conditions: null,
  prizeTotal: 150_000,
  rail: 'True',
  trackName: null,
  placesPaid: 3,
};

/** Prices that differ by race, book and runner; one tote in four books, one scratching a race. */
function field(race: number, book: number): FeedRunner[] {
  return Array.from({ length: RUNNERS }, (_, i) => {
    const win = 2 + i * 1.5 + ((race + book * 3 + i) % 7) / 10;
    const card = { name: `Runner ${race} ${i}`, barrier: i + 1, jockey: `J. Rider ${i}`, trainer: `T. Trainer ${i}` };
    const legs = { place: 1 + win / 5, ...(book === 3 && { top2: 1 + win / 3, toteWin: { PROV: win * 0.9 } }) };
    return feedRunner(i + 1, { ...card, weightKg: 54 + i / 2, form: '12x34', win, ...legs });
  });
}

const question = (nowMs: number): BestOddsQuestion => ({
  key: 'all',
  betslip: false,
  board: {
    from: new Date(nowMs - 3_600_000).toISOString(),
    until: new Date(nowMs + 24 * 3_600_000).toISOString(),
    includeUnresolved: false,
    bookmakers: CUSTOMERS.compared,
    limit: RACES,
  },
});

/** From SQL to bytes, every time anew: each computation is 21 seconds of racing time after the one before. */
async function compute(db: TestDatabase): Promise<void> {
  const reads = createReads(db.pool);
  const board = createBestOddsBoard(reads, createBetslipBoard(reads, {}), createSharedAnswers(null, 'bench'));
  const whole: number[] = [];
  const sql: number[] = [];
  let bytes = 0;
  for (let i = 0; i < COMPUTATIONS; i++) {
    const nowMs = Date.parse(NOW) + i * 21_000;
    sql.push(await timed(() => reads.board(question(nowMs).board)));
    whole.push(await timed(async () => (bytes = (await board.answer(question(nowMs), nowMs)).bytes.length)));
  }
  console.log(
    `computed: ${median(whole).toFixed(1)} ms from SQL to ${bytes} bytes (of it the read ${median(sql).toFixed(1)} ms)`,
  );
}

async function serve(db: TestDatabase, client: ChildProcess): Promise<void> {
  const key = newKey();
  const { keys, ingest, health } = createStores(db.pool);
  await keys.insert(hashApiKey(key), keyRow(key, { plan: 'plus' }));
  const started = Date.now();
  const now = () => Date.parse(NOW) + Date.now() - started;
  const log = { error: console.error };
  const app = createApi({
    reads: createReads(db.pool),
    keys,
    ingest,
    health,
    now,
    baseUrl: 'https://api.example.com',
    log,
  });
  const api = await listen(app);
  const path = `/v1/racing/best-odds?num_races=${RACES}&hours_ahead=24`;
  const body = Buffer.from(await (await fetch(api.url + path, { headers: { 'X-API-Key': key } })).arrayBuffer());
  const bare = await listen(bareRoute(body));

  const rates = { api: [] as number[], bare: [] as number[] };
  const cpuMs = { api: [] as number[], bare: [] as number[] };
  const headers = { 'x-api-key': key, 'accept-encoding': 'identity' };
  // A server that has been up for a while: many small answers of either, so that neither is measured while it is compiled.
  const bareSmall = await listen(bareRoute(Buffer.from('[]')));
  for (let i = 0; i < WARM_UPS; i++) {
    await load(client, { url: bareSmall.url, path, headers });
    await load(client, { url: api.url, path: '/v1/racing/best-odds?num_races=1', headers });
  }
  bareSmall.server.close();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, { url }] of [
      ['bare', bare],
      ['api', api],
    ] as const) {
      const before = process.cpuUsage();
      const rate = await load(client, { url, path, headers });
      const { user, system } = process.cpuUsage(before);
      rates[name].push(rate);
      cpuMs[name].push((user + system) / 1000 / ((rate * ROUND_MS) / 1000));
    }
  }
  api.server.close();
  bare.server.close();
  // Round by round, so that whatever else the machine does meets both alike.
  const ratio = median(rates.api.map((rate, round) => rate / rates.bare[round]!));
  console.log(
    `served: api ${list(rates.api)} req/s, bare Koa route with the same ${body.length} bytes ${list(rates.bare)} req/s`,
  );
  console.log(
    `ratio: ${ratio.toFixed(2)} of the bare route (target ${TARGET}), median of ${ROUNDS} pairs of rounds of ${ROUND_MS} ms`,
  );
  console.log(`server CPU: api ${median(cpuMs.api).toFixed(2)} ms an answer, bare ${median(cpuMs.bare).toFixed(2)} ms`);
  if (ratio < TARGET) process.exitCode = 1;
}

function bareRoute(body: Buffer): Koa {
  const app = new Koa();
  app.use((ctx) => {
    ctx.type = 'application/json';
    ctx.body = body;
  });
  return app;
}

async function listen(app: Koa): Promise<{ url: string; server: Server }> {
  const server = app.listen(0, '127.0.0.1');
  await new Promise((ready) => server.once('listening', ready));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

interface Load {
  readonly url: string;
  readonly path: string;
  readonly headers: Record<string, string>;
}

/** Answers a second that the client process gets. */
function load(client: ChildProcess, what: Load): Promise<number> {
  return new Promise((done, fail) => {
    client.once('message', (rate) => (typeof rate === 'number' ? done(rate) : fail(new Error(String(rate)))));
    client.send(what);
  });
}

function clientProcess(): void {
  process.on('message', (what: Load) => {
    run(what).then(
      (rate) => process.send!(rate),
      (error) => process.send!(String(error)),
    );
  });
}

async function run({ url, path, headers }: Load): Promise<number> {
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  let answers = 0;
  const started = performance.now();
  const worker = async (): Promise<void> => {
    while (performance.now() - started < ROUND_MS) {
      const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
      for await (const _ of body);
      if (statusCode !== 200) throw new Error(`status ${statusCode}`);
      answers++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const rate = (answers * 1000) / (performance.now() - started);
  await pool.close();
  return rate;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;
const list = (values: readonly number[]): string =>
  `${median(values).toFixed(0)} (${values.map((v) => v.toFixed(0)).join(', ')})`;

if (process.argv[2] === 'client') clientProcess();
else void bench();
