// `scan`: the intelligence scan of 40 races inside the capture window (11 runners, 15 books, about 30 captured prices
// per book and runner once a race is near), from the database to the bytes of the answer, against the pure analysis of
// the same data in memory. Rounds alternate; it makes and drops a database of its own. Run: DATABASE_URL=… node
// --import tsx bench/scan.ts [--rounds 15]
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { CUSTOMERS } from '../src/api/kernel/endpoint/visibility';
import { taggerOf } from '../src/api/kernel/http/tag';
import { createIntelligence } from '../src/api/operations/intelligence/analysis';
import { intelligenceScan } from '../src/api/operations/intelligence/intelligence-scan';
import type { Analysed, ScanFilters } from '../src/api/operations/intelligence/present-intelligence-scan';
import { createIntelligenceScanner } from '../src/api/operations/intelligence/scanner';
import { analyse } from '../src/domain/market/intelligence/analyse';
import { type CapturedBook, captureBound } from '../src/store/reads/prices/captured-prices';
import type { BoardRace } from '../src/store/reads/races/board';
import { createReads } from '../src/store/reads/reads';
import type { SharedAnswers } from '../src/store/redis/shared-answers';
import { NOW } from '../test/support/api/api';
import { addRace } from '../test/support/races/board';
import { feedField } from '../test/support/races/builders';
import { createTestDatabase } from '../test/support/servers/database';
import { median, seeded } from './support/figures';

const RACES = 40;
const RUNNERS = 11;
const BOOKS = CUSTOMERS.compared.slice(0, 15);
const POLL_MS = 20_000;
const WINDOW_MS = 3_600_000;
/** A third of the polls reprice a book, and then half of its runners: 30 prices an hour. */
const REPRICED = 1 / 3;
const MOVED = 1 / 2;
const WARM_UPS = 5;
const TARGET = 5;

const rounds = Number(parseArgs({ options: { rounds: { type: 'string', default: '15' } } }).values.rounds);
const random = seeded(20261121);
const nowMs = Date.parse(NOW);

const FILTERS: ScanFilters = {
  window: '60m',
  minMovePct: 7,
  minBooks: 3,
  direction: null,
  signals: null,
  countries: null,
  categories: null,
  limit: 50,
};

/** Computes every time: the cache is not measured. */
const UNSHARED: SharedAnswers = {
  get: async (_question, _heldMs, atMs, compute) => ({ value: await compute(), computedAtMs: atMs, fresh: true }),
};

async function bench(): Promise<void> {
  const db = await createTestDatabase();
  try {
    for (let i = 0; i < RACES; i++) await seedRace(db.pool, i);
    await db.pool.query('ANALYZE');
    await measure(db.pool);
  } finally {
    await db.drop();
  }
}

async function measure(pool: Pool): Promise<void> {
  const reads = createReads(pool);
  const data = await readAll(reads);
  const ticks = data.captured.reduce(
    (sum, { runners }) => sum + runners.reduce((n, one) => n + one.prices.length, 0),
    0,
  );
  const scanner = createIntelligenceScanner({
    reads,
    intelligence: createIntelligence(reads),
    sharedAnswers: UNSHARED,
  });
  const tagOf = taggerOf(intelligenceScan.ok.schema);
  const scan = async () => {
    const json = JSON.stringify((await scanner.scan(FILTERS, CUSTOMERS, nowMs)).scan);
    tagOf(json);
    return Buffer.from(json).length;
  };
  const pure = async () => analysed(data);
  const read = () => readAll(reads);
  for (let i = 0; i < WARM_UPS; i++) for (const work of [scan, pure, read]) await work();
  const ms = { scan: [] as number[], pure: [] as number[], read: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    ms.scan.push(await millis(scan));
    ms.pure.push(await millis(pure));
    ms.read.push(await millis(read));
  }
  // Round by round, so that other work on the machine affects both alike.
  const ratio = median(ms.scan.map((whole, round) => whole / ms.pure[round]!));
  console.log(
    `scan: ${RACES} races x ${RUNNERS} runners x ${BOOKS.length} books, ${ticks} captured prices, ${rounds} rounds`,
  );
  console.log(
    `scan: ${median(ms.scan).toFixed(1)} ms from the database to ${await scan()} bytes, reference: the analysis in memory ` +
      `${median(ms.pure).toFixed(1)} ms, ratio ${ratio.toFixed(2)}, target at most ${TARGET}`,
  );
  console.log(
    `analysis: ${((median(ms.pure) * 1000) / RACES).toFixed(0)} µs a race; the two reads ${median(ms.read).toFixed(1)} ms`,
  );
  if (ratio > TARGET) process.exitCode = 1;
}

interface ScanData {
  readonly races: readonly BoardRace[];
  readonly captured: readonly CapturedBook[];
}

async function readAll(reads: ReturnType<typeof createReads>): Promise<ScanData> {
  const races = await reads.board({
    at: new Date(nowMs).toISOString(),
    from: new Date(nowMs).toISOString(),
    until: new Date(nowMs + WINDOW_MS + 1).toISOString(),
    includeUnresolved: true,
    bookmakers: BOOKS,
    limit: RACES,
  });
  const from = captureBound(races.map((race) => race.startMs));
  const raceIds = races.map((race) => race.race_id);
  return { races, captured: await reads.capturedPrices({ raceIds, bookmakers: BOOKS, from }) };
}

function analysed({ races, captured }: ScanData): Analysed[] {
  const byRace = new Map<string, CapturedBook[]>(races.map((race) => [race.race_id, []]));
  for (const book of captured) byRace.get(book.raceId)!.push(book);
  return races.map((race) => ({ race, runners: analyse(race, byRace.get(race.race_id)!, 2, nowMs).runners }));
}

/** The nearest race has the whole hour behind it, the furthest has just entered it. */
async function seedRace(pool: Pool, index: number): Promise<void> {
  const startMs = nowMs + Math.round(((index + 1) / RACES) * WINDOW_MS);
  const books = BOOKS.map((key) => ({ key, ...history(startMs - WINDOW_MS, index) }));
  const listed = { venue: `Track ${index % 15}`, raceNumber: 1 + Math.floor(index / 15) };
  const quoted = books.map(({ key, last }) => [
    key,
    { at: new Date(nowMs - 5000).toISOString(), runners: feedField(...last) },
  ]);
  const { raceId } = await addRace(
    pool,
    { ...listed, startTime: new Date(startMs).toISOString() },
    Object.fromEntries(quoted),
  );
  await pool.query('DELETE FROM price_ticks WHERE race_id = $1', [raceId]);
  const ticks = books.flatMap(({ key, ticks: own }) => own.map((tick) => ({ key, ...tick })));
  ticks.sort((a, b) => a.atMs - b.atMs);
  await pool.query(
    `INSERT INTO price_ticks (captured_at, race_id, bookmaker_key, runner_number, runner_key, secs_to_jump, win_price)
     SELECT to_timestamp(t.at_ms / 1000.0), $1, t.book, t.number, 'runner' || t.number, 0, t.price
     FROM unnest($2::float8[], $3::text[], $4::int[], $5::float8[]) AS t (at_ms, book, number, price)`,
    [raceId, ticks.map((t) => t.atMs), ticks.map((t) => t.key), ticks.map((t) => t.number), ticks.map((t) => t.price)],
  );
}

/** What one book's polls captured since the window opened. */
function history(opensMs: number, race: number) {
  const last = Array.from({ length: RUNNERS }, (_, i) => 2.4 + i * 1.7 + ((race + i) % 5) / 10);
  const ticks: { atMs: number; number: number; price: number }[] = [];
  for (let atMs = opensMs + Math.floor(random() * POLL_MS); atMs < nowMs; atMs += POLL_MS) {
    const isFirst = ticks.length === 0;
    if (!isFirst && random() > REPRICED) continue;
    last.forEach((price, i) => {
      if (!isFirst && random() > MOVED) return;
      const moved = Math.max(1.2, Math.round(price * (0.96 + random() * 0.08) * 100) / 100);
      if (!isFirst && moved === price) return;
      last[i] = moved;
      ticks.push({ atMs, number: i + 1, price: moved });
    });
  }
  return { last, ticks };
}

async function millis(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

void bench();
