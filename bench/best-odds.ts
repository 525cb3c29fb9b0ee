// `best-odds`: a full card (150 races x 11 runners x 15 books), from SQL to bytes, against the pure maths of its lines
// on the same data in memory, in alternating rounds; and next-to-go of 200 races, against JSON of its body. Separate
// figures for what changed since the last read: one price; every freshness stamp; a price of every book of every race;
// everything (cold). Run: DATABASE_URL=… node --import tsx bench/best-odds.ts [--races 150] [--rounds 15]
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { CUSTOMERS } from '../src/api/kernel/endpoint/visibility';
import { createBetslipBoard } from '../src/api/operations/betslip/betslip-links';
import { createBestOddsBoard } from '../src/api/operations/prices/best-odds-board';
import { bestLines } from '../src/api/operations/prices/present-best-lines';
import { presentNext } from '../src/api/operations/prices/present-next-race';
import { agedRace, raceText, serialiseRaces } from '../src/api/wire/aged-race';
import { type BoardQuery, readBoard } from '../src/store/reads/races/board';
import { createReads } from '../src/store/reads/reads';
import { createSharedAnswers } from '../src/store/redis/shared-answers';
import { createTestDatabase } from '../test/support/servers/database';
import { median } from './support/figures';
import { seedFullCard } from './support/full-card';

const { values } = parseArgs({
  options: { races: { type: 'string', default: '150' }, rounds: { type: 'string', default: '15' } },
});
const races = Number(values.races);
const rounds = Number(values.rounds);
const TARGET = 10;
const WARM_UPS = 3;
/** Longer than an answer is cached. */
const STEP_MS = 21_000;
const HOUR_MS = 3_600_000;

type Happening = (pool: Pool, at: string) => Promise<unknown>;

const HAPPENINGS: Readonly<Record<string, Happening>> = {
  'one price moved': (pool, at) =>
    moved(
      pool,
      at,
      "= (SELECT race_id FROM races WHERE jumped_at IS NULL ORDER BY start_time LIMIT 1) AND bookmaker_key = 'tab'",
    ),
  'every book confirmed again': (pool, at) => pool.query('UPDATE race_books SET polled_at = $1', [at]),
  'every book of every race moved': (pool, at) => moved(pool, at, 'IS NOT NULL'),
};

const moved = (pool: Pool, at: string, whose: string) =>
  pool.query(`UPDATE race_books SET win[1] = win[1] + 0.01, changed_at = $1, polled_at = $1 WHERE race_id ${whose}`, [
    at,
  ]);

async function bench(): Promise<void> {
  const db = await createTestDatabase();
  try {
    const startMs = Date.now();
    await seedFullCard(db.pool, races, startMs, 1);
    await bestOdds(db.pool, startMs);
    await nextToGo(db.pool, startMs);
  } finally {
    await db.drop();
  }
}

const window = (nowMs: number): BoardQuery => ({
  at: iso(nowMs),
  from: iso(nowMs - HOUR_MS),
  until: iso(nowMs + 24 * HOUR_MS),
  includeUnresolved: false,
  bookmakers: CUSTOMERS.compared,
  limit: races,
});

async function bestOdds(pool: Pool, startMs: number): Promise<void> {
  const board = fromSqlToBytes(pool);
  const inMemory = await readBoard(pool, window(startMs));
  let nowMs = startMs;
  const maths = async () => void inMemory.map((race) => bestLines(race, nowMs));
  for (const [name, happen] of Object.entries(HAPPENINGS)) {
    const taken = await inTurns(
      async () => {
        nowMs += STEP_MS;
        await happen(pool, iso(nowMs));
      },
      () => board(nowMs),
      maths,
    );
    print(`best-odds, ${name}`, taken, 'pure maths', name === 'one price moved' ? TARGET : null);
  }
  const cold = await inTurns(
    async () => undefined,
    () => fromSqlToBytes(pool)(nowMs),
    maths,
  );
  print('best-odds, cold', cold, 'pure maths', null);
}

function fromSqlToBytes(pool: Pool): (nowMs: number) => Promise<unknown> {
  const reads = createReads(pool);
  const board = createBestOddsBoard(reads, createBetslipBoard(reads, {}), createSharedAnswers(null, 'bench'));
  return (nowMs) => board.racesFor({ key: 'all', betslip: false, board: window(nowMs) }, nowMs);
}

async function nextToGo(pool: Pool, startMs: number): Promise<void> {
  const reads = createReads(pool);
  let nowMs = startMs;
  const answer = async () => {
    const board = await reads.board(window(nowMs));
    return serialiseRaces(
      board.map((race) =>
        agedRace(
          race,
          raceText(race, (holes) => presentNext(race, CUSTOMERS, holes, null)),
        ),
      ),
      nowMs,
      null,
    ).bytes;
  };
  const body: unknown = JSON.parse((await answer()).toString());
  for (const [name, happen] of Object.entries(HAPPENINGS)) {
    const taken = await inTurns(
      async () => {
        nowMs += STEP_MS;
        await happen(pool, iso(nowMs));
      },
      answer,
      async () => Buffer.from(JSON.stringify(body)),
    );
    print(`next-to-go, ${name}`, taken, 'JSON.stringify of the body', null);
  }
}

interface Taken {
  readonly own: number[];
  readonly reference: number[];
}

async function inTurns(
  before: () => Promise<void>,
  own: () => Promise<unknown>,
  reference: () => Promise<unknown>,
): Promise<Taken> {
  const taken: Taken = { own: [], reference: [] };
  for (let round = -WARM_UPS; round < rounds; round++) {
    await before();
    const a = await timed(own);
    const b = await timed(reference);
    if (round < 0) continue;
    taken.own.push(a);
    taken.reference.push(b);
  }
  return taken;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function print(name: string, { own, reference }: Taken, what: string, target: number | null): void {
  const ratio = median(own.map((ms, round) => ms / reference[round]!));
  const a = median(own).toFixed(1);
  const b = median(reference).toFixed(1);
  console.log(
    `${name}: ${a} ms, ${what} ${b} ms, ratio ${ratio.toFixed(2)}${target ? `, target at most ${target}` : ''}`,
  );
  if (target && ratio > target) process.exitCode = 1;
}

const iso = (ms: number): string => new Date(ms).toISOString();

void bench();
