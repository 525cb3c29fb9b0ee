// Book-polls per second through the real store (fence, comparison, ticks), against a raw unnest insert of the same 11
// rows into a hypertable of the same shape, in alternating rounds of one run. Makes and drops its own database.
//   DATABASE_URL=… node --import tsx bench/ingest.ts [--books 15] [--races 120] [--connections 8] [--lanes 64]
//   [--seconds 24] [--changes 0.15]
// `--paced 400 --changes 0.5`: so many polls a second at random moments, as a panel makes them (`paced-polls.ts`).
// Prints what a poll costs and fails if its CPU in PostgreSQL is above the target.
import { randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import type { FeedRunner } from '../src/domain/race/feed-race';
import type { BookPoll } from '../src/store/card/book-poll';
import { createStores } from '../src/store/create-stores';
import { migrate } from '../src/store/pg/migrate';
import { createPool } from '../src/store/pg/pool';
import type { Stores } from '../src/store/stores';
import { feedRunner, placedRace, raceSnapshot } from '../test/support/races/builders';
import { median, seeded } from './support/figures';
import { exchangeReport, measurePaced } from './support/paced-polls';
import { rawInsert, rawTable } from './support/raw-insert';

const RUNNERS = 11;
const ROUND_MS = 400;
const START = '2026-11-21T03:00:00.000Z';
const START_MS = Date.parse(START);
/** Each poll of a race and book comes this much after the last, in race time: inside the capture window throughout. */
const POLL_EVERY_MS = 5000;

const EXCHANGE = 'betfair_ex_au';
const STATE_SOURCE = 'pointsbetau';
const START_SOURCE = 'ladbrokes_au';
const KEYS = [EXCHANGE, STATE_SOURCE, START_SOURCE];

const { values } = parseArgs({
  options: {
    books: { type: 'string', default: '15' },
    races: { type: 'string', default: '120' },
    connections: { type: 'string', default: '8' },
    lanes: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '24' },
    changes: { type: 'string', default: '0.15' },
    paced: { type: 'string' },
  },
});
const books = Number(values.books);
const connections = Number(values.connections);
/** Polls under way at once: a worker has many more of them than connections. */
const lanes = Number(values.lanes);
const changes = Number(values.changes);
const random = seeded(20261121);

/** One book's current market on one race; `ticks` is what the store must have captured of it. */
interface Market {
  readonly raceId: string;
  readonly bookmakerKey: string;
  runners: FeedRunner[];
  atMs: number;
  ticks: number;
}

async function openCard(stores: Stores): Promise<Market[]> {
  const markets: Market[] = [];
  for (let i = 0; i < Number(values.races); i++) {
    const race = placedRace({ venue: `Track ${i}`, startTime: new Date(START_MS).toISOString() });
    for (let b = 0; b < books; b++) {
      const bookmakerKey = KEYS[b] ?? `book_${b}`;
      await stores.races.saveCard(bookmakerKey, [race], new Date(START_MS - 86_400_000).toISOString());
      const runners = Array.from({ length: RUNNERS }, (_, n) => priced(feedRunner(n + 1, { name: `Horse ${i} ${n}` })));
      markets.push({ raceId: race.raceId, bookmakerKey, runners, atMs: START_MS - 3_500_000, ticks: 0 });
    }
    await claim(stores, race.raceId);
  }
  return markets;
}

async function claim({ control }: Stores, raceId: string): Promise<void> {
  const at = new Date(START_MS - 86_400_000).toISOString();
  const advertisedStart = new Date(START_MS).toISOString();
  await control.setControl({ raceId, epoch: 1, tier: 'live', advertisedStart, closed: false }, at);
  if (!(await control.claim(raceId, 1, 1, at))) throw new Error('the race was not ours');
}

const cents = (price: number): number => Math.round(price * 100) / 100;

function priced(runner: FeedRunner): FeedRunner {
  const win = cents(1.5 + random() * 40);
  const leg = (share: number): number => cents(1.01 + (win - 1) * share);
  return { ...runner, win, place: leg(0.3), top2: leg(0.5), top3: leg(0.3), top4: leg(0.2) };
}

/** The next poll of the market: some share of polls find one runner's price moved. */
function next(market: Market, runners = 1): void {
  market.atMs += POLL_EVERY_MS;
  if (random() >= changes) return;
  const moved = Math.floor(random() * RUNNERS);
  market.runners = market.runners.map((runner, i) =>
    (i - moved + RUNNERS) % RUNNERS < runners ? priced(runner) : runner,
  );
}

/** Polls the market as it is, so that the store agrees with it. */
function lookAgain(stores: Stores, market: Market): Promise<void> {
  market.atMs += POLL_EVERY_MS;
  return poll(stores, market);
}

type Urgency = Pick<BookPoll, 'isNear' | 'mayWait'>;

async function poll({ quotes }: Stores, market: Market, urgency: Urgency = {}): Promise<void> {
  const { raceId, bookmakerKey, runners, atMs } = market;
  const outcome = await quotes.savePoll({
    raceId,
    bookmakerKey,
    fence: { epoch: 1, attempt: 1 },
    observedAt: new Date(atMs).toISOString(),
    bookAt: null,
    snapshot: raceSnapshot({
      marketStatus: 'OPEN',
      startTime: START,
      inPlay: bookmakerKey === EXCHANGE ? false : null,
      runners,
    }),
    marketStateSource: bookmakerKey === STATE_SOURCE,
    startSource: bookmakerKey === START_SOURCE,
    ...urgency,
  });
  if (outcome.fenced) throw new Error('fenced');
  market.ticks += outcome.ticks;
}

/** Calls per second with every lane busy. A market is never polled twice at once, as in the service. */
async function round(markets: readonly Market[], call: (market: Market) => Promise<void>, ms: number): Promise<number> {
  const began = performance.now();
  let calls = 0;
  const lane = async (mine: readonly Market[]): Promise<void> => {
    for (let i = Math.floor(random() * mine.length); performance.now() - began < ms; i++) {
      const market = mine[i % mine.length]!;
      next(market);
      await call(market);
      calls++;
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, n) => lane(markets.filter((_, i) => i % lanes === n))));
  return calls / ((performance.now() - began) / 1000);
}

async function verify(pool: Pool, markets: readonly Market[]): Promise<number> {
  const counted = await pool.query('SELECT race_id, bookmaker_key, count(*) AS ticks FROM price_ticks GROUP BY 1, 2');
  const ticks = new Map(counted.rows.map((row) => [`${row.race_id}/${row.bookmaker_key}`, row.ticks as number]));
  const { rows } = await pool.query('SELECT race_id, bookmaker_key, win, ticked_win FROM race_books');
  const stored = new Map(rows.map((row) => [`${row.race_id}/${row.bookmaker_key}`, row]));
  for (const market of markets) {
    const key = `${market.raceId}/${market.bookmakerKey}`;
    if (ticks.get(key) !== market.ticks) throw new Error(`${key}: ${ticks.get(key)} ticks, ${market.ticks} reported`);
    const row = stored.get(key)!;
    if (String(row.ticked_win) !== String(row.win)) throw new Error(`${key}: a stored price was not captured`);
  }
  return [...ticks.values()].reduce((sum, n) => sum + n, 0);
}

async function measure(pool: Pool): Promise<void> {
  const stores = createStores(pool);
  const markets = await openCard(stores);
  await pool.query(rawTable());
  // Its own copy of the same markets: the store has not yet polled a change that the reference made.
  const copies = markets.map((market) => ({ ...market }));
  const store = (ms: number) => round(markets, (market) => poll(stores, market), ms);
  const raw = (ms: number) => round(copies, (market) => rawInsert(pool, market), ms);
  for (const market of markets) await lookAgain(stores, market);
  for (const warm of [store, raw, store, raw]) await warm(700);
  await pool.query('ANALYZE');
  if (values.paced) return pacedCosts(pool, stores, markets);
  const pairs: { store: number; raw: number }[] = [];
  for (const until = performance.now() + Number(values.seconds) * 1000; performance.now() < until; ) {
    // The order alternates too: other work on the machine burdens both alike.
    const storeFirst = pairs.length % 2 === 0;
    const first = await (storeFirst ? store : raw)(ROUND_MS);
    const second = await (storeFirst ? raw : store)(ROUND_MS);
    pairs.push(storeFirst ? { store: first, raw: second } : { store: second, raw: first });
  }
  // Every market is polled once more, so that the stored prices can be compared.
  for (const market of markets) await lookAgain(stores, market);
  const ticks = await verify(pool, markets);
  report(pairs, ticks);
}

/** A moved reply has other prices of so many runners. */
const MOVED_RUNNERS = 4;
const TARGET_MS = 0.35;

/** As the service's workers do it. Fails if a poll costs PostgreSQL more than the target. */
async function pacedCosts(pool: Pool, stores: Stores, markets: readonly Market[]): Promise<void> {
  const costs = await measurePaced(pool, {
    markets,
    random,
    perSecond: Number(values.paced),
    seconds: Number(values.seconds),
    async poll(market, isNear) {
      next(market, MOVED_RUNNERS);
      await poll(stores, market, { isNear, mayWait: !isNear });
      if (market.bookmakerKey === EXCHANGE)
        await stores.exchange.saveMarkets({ ...exchangeReport(market.raceId, market.atMs, RUNNERS), mayWait: !isNear });
    },
  });
  for (const [label, cost] of Object.entries(costs)) console.log(`${label} a poll`.padEnd(36), cost.toFixed(2));
  const inPostgres = costs['CPU in PostgreSQL, ms']!;
  console.log('target of the CPU in PostgreSQL, ms'.padEnd(36), TARGET_MS.toFixed(2));
  console.log('load average'.padEnd(36), loadavg()[0]!.toFixed(1));
  for (const market of markets) await lookAgain(stores, market);
  console.log('ticks written, all accounted for'.padEnd(36), await verify(pool, markets));
  if (inPostgres > TARGET_MS) throw new Error(`a poll costs PostgreSQL ${inPostgres.toFixed(2)} ms`);
}

function report(pairs: readonly { store: number; raw: number }[], ticks: number): void {
  const ratio = median(pairs.map((pair) => pair.store / pair.raw));
  const print = (label: string, value: string): void => console.log(label.padEnd(44), value);
  print(
    'races x books x runners',
    `${values.races} x ${books} x ${RUNNERS}, ${lanes} at once, ${connections} connections`,
  );
  print('share of polls that move a price', `${changes}`);
  print('store: book-polls per second (median)', median(pairs.map((pair) => pair.store)).toFixed(0));
  print('raw unnest insert of the same rows (median)', median(pairs.map((pair) => pair.raw)).toFixed(0));
  print('rounds', `${pairs.length} pairs of ${ROUND_MS} ms`);
  print('ticks written, all accounted for', `${ticks}`);
  print('ratio store / raw (median of pairs)', ratio.toFixed(2));
}

async function main(): Promise<void> {
  const server = process.env.DATABASE_URL;
  if (!server) throw new Error('DATABASE_URL names the server to measure on');
  const name = `bench_${randomBytes(4).toString('hex')}`;
  const admin = createPool(server, 1);
  const url = new URL(server);
  url.pathname = `/${name}`;
  await admin.query(`CREATE DATABASE ${name}`);
  // Commits wait for the log on both sides, as far as the server's own settings make them.
  await admin.query(`ALTER DATABASE ${name} SET synchronous_commit = on`);
  const pool = createPool(url.toString(), connections);
  try {
    await migrate(pool);
    await measure(pool);
  } finally {
    await pool.end();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
