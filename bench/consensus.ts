// `consensus`: the power method against multiplicative on realistic fields, and everything the operation does for one
// race of 11 runners at 15 books, from the query to the bytes and their tag, against its one SQL statement alone. The
// two take turns; medians. It makes and drops a database of its own. Run: DATABASE_URL=… node --import tsx
// bench/consensus.ts [--calls 4000]
import { parseArgs } from 'node:util';
import type { Pool, QueryConfig } from 'pg';
import { CUSTOMERS } from '../src/api/kernel/endpoint/visibility';
import { taggerOf } from '../src/api/kernel/http/tag';
import { consensus } from '../src/api/operations/consensus/consensus';
import { type Normalisation, withoutMargin } from '../src/domain/market/no-vig';
import type { FeedRunner } from '../src/domain/race/feed-race';
import { findRaces } from '../src/store/reads/races/find-races';
import { createReads, type Reads } from '../src/store/reads/reads';
import { NOW } from '../test/support/api/api';
import { addRace } from '../test/support/races/board';
import { feedRunner } from '../test/support/races/builders';
import { createTestDatabase, type TestDatabase } from '../test/support/servers/database';
import { median, seeded } from './support/figures';

const RUNNERS = 11;
const BOOKS = CUSTOMERS.compared.slice(0, 15);
const FIELDS = 2_000;
const MATHS_TARGET = 8;
const WORK_TARGET = 2;

const calls = Number(parseArgs({ options: { calls: { type: 'string', default: '4000' } } }).values.calls);
const random = seeded(20261121);

async function bench(): Promise<void> {
  await maths();
  const db = await createTestDatabase();
  try {
    await work(db);
  } finally {
    await db.drop();
  }
}

/** 8 to 15 runners, from favourites to outsiders, in cents, with a margin of 8 to 28 per cent. */
function field(): number[] {
  const chances = Array.from({ length: 8 + Math.floor(random() * 8) }, () => Math.exp(-3.3 * random()));
  const total = chances.reduce((a, b) => a + b, 0);
  const margin = 1.08 + random() * 0.2;
  return chances.map((chance) => Math.max(1.01, cents(total / chance / margin)));
}

async function maths(): Promise<void> {
  const fields = Array.from({ length: FIELDS }, field);
  const nanos = (method: Normalisation) => () => {
    const started = performance.now();
    for (const prices of fields) withoutMargin(prices, method);
    return ((performance.now() - started) * 1e6) / FIELDS;
  };
  const [power, multiplicative] = await inTurns(nanos('power'), nanos('multiplicative'), calls / 20);
  print('power, a field', power, 'multiplicative', multiplicative, 'ns', MATHS_TARGET);
}

async function work(db: TestDatabase): Promise<void> {
  const raceId = await seed(db);
  const answer = operation(raceId, createReads(db.pool));
  const statement = await statementOf(db.pool, raceId);
  const [whole, alone] = await inTurns(
    () => millis(answer),
    () => millis(() => db.pool.query(statement)),
    calls,
  );
  const { json } = await answer();
  print(`consensus of ${RUNNERS} x ${BOOKS.length}`, whole, 'its SQL statement alone', alone, 'ms', WORK_TARGET);
  console.log(`  ${json.length} bytes an answer`);
}

/**
 * Every book prices every runner, except that the last one leaves out a runner and one is old, as on an ordinary race.
 */
async function seed({ pool }: TestDatabase): Promise<string> {
  const startTime = new Date(Date.parse(NOW) + 1_800_000).toISOString();
  const books = BOOKS.map((key, book) => [key, { runners: runners(book), at: polledAt(book) }] as const);
  const { raceId } = await addRace(pool, { startTime }, Object.fromEntries(books));
  await pool.query('ANALYZE');
  return raceId;
}

const polledAt = (book: number): string => new Date(Date.parse(NOW) - (book === 3 ? 400 : book) * 1000).toISOString();

function runners(book: number): FeedRunner[] {
  return Array.from({ length: RUNNERS }, (_, i) => {
    const win = book === BOOKS.length - 1 && i === 4 ? null : cents(2 + i * 1.9 + random() / 2);
    const card = { name: `Runner ${i}`, barrier: i + 1, jockey: `J. Rider ${i}`, trainer: `T. Trainer ${i}` };
    return feedRunner(i + 1, { ...card, weightKg: 54 + i / 2, form: '12x34', win, place: win && cents(1 + win / 4) });
  });
}

/** As the route does it: the handler, the bytes and their tag. */
function operation(raceId: string, reads: Reads): () => Promise<{ json: string }> {
  const query = { race_id: raceId, method: 'power', min_books: 2, include_stale: false };
  const call = { query, audience: CUSTOMERS, nowMs: Date.parse(NOW), services: { reads } };
  const tagOf = taggerOf(consensus.ok.schema);
  return async () => {
    const reply = (await consensus.handler(call as never)) as { body: unknown };
    const json = JSON.stringify(reply.body);
    return { json, tag: tagOf(json) };
  };
}

/** The statement that the read of one race sends, with its parameters. */
async function statementOf(pool: Pool, raceId: string): Promise<QueryConfig> {
  const sent: QueryConfig[] = [];
  const query = (one: QueryConfig) => {
    sent.push(one);
    return pool.query(one);
  };
  await findRaces({ query } as unknown as Pool, { raceId }, CUSTOMERS.compared);
  return sent[0]!;
}

async function millis(what: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await what();
  return performance.now() - started;
}

/** One after the other, so that other work on the machine affects both alike; the first tenth is for the compiler. */
async function inTurns(
  one: () => number | Promise<number>,
  other: () => number | Promise<number>,
  times: number,
): Promise<[number[], number[]]> {
  const taken: [number[], number[]] = [[], []];
  for (let i = -times / 10; i < times; i++) {
    const first = await one();
    const second = await other();
    if (i < 0) continue;
    taken[0].push(first);
    taken[1].push(second);
  }
  return taken;
}

const cents = (price: number): number => Math.round(price * 100) / 100;

function print(
  name: string,
  values: number[],
  against: string,
  reference: number[],
  unit: string,
  target: number,
): void {
  const value = median(values);
  const other = median(reference);
  const [own, beside] = [value, other].map((one) => `${one.toPrecision(3)} ${unit}`);
  const ratio = value / other;
  console.log(`${name}: ${own}, ${against} ${beside}, ratio ${ratio.toFixed(2)}, target at most ${target}`);
  if (ratio > target) process.exitCode = 1;
}

void bench();
