// `changes`: what one call costs, from SQL to bytes, with the same number of moved prices on boards of 75, 150, 300 and
// 600 races, and on the largest with more and more of them. One database per board, rounds alternating between them, so
// that other work on the machine burdens all alike. Also shows the plan's scans, after the server has switched to its
// generic plan.
//   DATABASE_URL=… node --import tsx bench/changes.ts [--books 15] [--moves 60] [--rounds 25]
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { CUSTOMERS } from '../src/api/kernel/endpoint/visibility';
import { presentChanges } from '../src/api/operations/changes/present-changes';
import { CUSTOMER_BOOKMAKER_KEYS } from '../src/domain/bookmakers';
import { REAL_TIME } from '../src/domain/time/clock';
import type { PlacedRace } from '../src/store/card/card';
import { createStores } from '../src/store/create-stores';
import { CHANGES } from '../src/store/reads/races/changes';
import { createReads } from '../src/store/reads/reads';
import type { Stores } from '../src/store/stores';
import { feedRunner, placedRace, raceSnapshot } from '../test/support/races/builders';
import { createTestDatabase, type TestDatabase } from '../test/support/servers/database';
import { median, seeded } from './support/figures';

const SIZES = [75, 150, 300, 600];
const MOVES = [0, 15, 60, 240, 960];
const RUNNERS = 11;
const AT_ONCE = 48;
const START_MS = Date.parse('2026-11-21T06:00:00.000Z');
const TARGET = 1.3;

const { values } = parseArgs({
  options: {
    books: { type: 'string', default: '15' },
    moves: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '25' },
  },
});
const rounds = Number(values.rounds);
const random = seeded(20261121);
const print = (label: string, value: string): void => console.log(label.padEnd(52), value);

interface Board {
  readonly size: number;
  readonly db: TestDatabase;
  readonly stores: Stores;
  readonly markets: readonly Market[];
}

/** One book's market on one race. */
interface Market {
  readonly race: PlacedRace;
  readonly book: string;
  readonly prices: number[];
  polls: number;
}

async function openBoard(size: number): Promise<Board> {
  const db = await createTestDatabase(12);
  const stores = createStores(db.pool);
  const startTime = new Date(START_MS).toISOString();
  const races = Array.from({ length: size }, (_, i) => placedRace({ venue: `Track ${i}`, startTime }));
  const markets: Market[] = [];
  for (const book of CUSTOMER_BOOKMAKER_KEYS.slice(0, Number(values.books))) {
    const listed = races.map((race) => ({
      ...race,
      listed: { ...race.listed, sourceRaceId: `${book} ${race.raceId}` },
    }));
    await stores.races.saveCard(book, listed, startTime);
    const prices = (): number[] => Array.from({ length: RUNNERS }, (_, i) => 2 + i);
    markets.push(...listed.map((race) => ({ race, book, prices: prices(), polls: 0 })));
  }
  const board = { size, db, stores, markets };
  await together(markets, (market) => poll(board, market));
  await db.pool.query('VACUUM ANALYZE');
  return board;
}

async function together<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items];
  const lane = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

async function poll({ stores }: Board, market: Market): Promise<void> {
  const { race, book, prices } = market;
  await stores.quotes.savePoll({
    raceId: race.raceId,
    bookmakerKey: book,
    fence: { epoch: 1, attempt: 1 },
    observedAt: new Date(START_MS - 7_200_000 + market.polls++ * 5000).toISOString(),
    bookAt: null,
    snapshot: raceSnapshot({ runners: prices.map((win, i) => feedRunner(i + 1, { win, place: 1 + win / 5 })) }),
    marketStateSource: false,
    startSource: false,
  });
}

/** Moves one price in each of so many markets of the board. */
async function moveSome(board: Board, moves: number): Promise<void> {
  const from = Math.floor(random() * board.markets.length);
  // Strides over the board: in practice most moves are of different races.
  const stride = 7;
  const moved = Array.from({ length: moves }, (_, i) => board.markets[(from + i * stride) % board.markets.length]!);
  for (const market of moved) market.prices[Math.floor(random() * RUNNERS)]! += 0.1;
  await together(moved, (market) => poll(board, market));
}

interface Call {
  readonly ms: number;
  readonly rows: number;
}

/** One request, handled as the operation handles it: read, presented, written. */
async function send(board: Board, sinceMs: number): Promise<Call> {
  const began = performance.now();
  const { races } = await createReads(board.db.pool).changes({
    at: new Date(sinceMs).toISOString(),
    sinceMs,
    oldestMs: 1_800_000,
    aheadMs: 60_000,
    includeUnresolved: false,
    bookmakers: CUSTOMERS.bookmakers,
  });
  const body = presentChanges(races!, CUSTOMERS, REAL_TIME, null);
  Buffer.from(JSON.stringify(body));
  return { ms: performance.now() - began, rows: body.reduce((sum, race) => sum + race.changed_runners.length, 0) };
}

async function databaseNow(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
  );
  return rows[0]!.ms;
}

async function round(board: Board, moves: number): Promise<Call> {
  const sinceMs = Math.ceil(await databaseNow(board.db.pool)) + 1;
  while ((await databaseNow(board.db.pool)) < sinceMs);
  await moveSome(board, moves);
  const call = await send(board, sinceMs);
  if (call.rows !== moves) throw new Error(`${call.rows} rows for ${moves} moves`);
  return call;
}

async function bySize(boards: readonly Board[], moves: number): Promise<void> {
  const costs = new Map<number, number[]>(boards.map(({ size }) => [size, []]));
  for (let i = -3; i < rounds; i++) {
    for (const board of boards) {
      const { ms } = await round(board, moves);
      if (i >= 0) costs.get(board.size)!.push(ms);
    }
  }
  const reference = median(costs.get(boards[0]!.size)!);
  for (const [size, each] of costs) {
    const value = median(each);
    print(
      `${size} races, ${moves} moves`,
      `${value.toFixed(2)} ms, ${(value / reference).toFixed(2)} of ${boards[0]!.size}`,
    );
  }
  const ratio = median(costs.get(boards.at(-1)!.size)!) / reference;
  print('ratio 600 : 75', `${ratio.toFixed(2)} (reference: the same moves on 75 races; target at most ${TARGET})`);
  if (ratio > TARGET) process.exitCode = 1;
}

async function byMoves(board: Board): Promise<void> {
  const costs = new Map<number, number[]>(MOVES.map((moves) => [moves, []]));
  for (let i = -1; i < rounds; i++) {
    for (const moves of MOVES) {
      const { ms } = await round(board, moves);
      if (i >= 0) costs.get(moves)!.push(ms);
    }
  }
  const none = median(costs.get(0)!);
  for (const [moves, each] of costs) {
    const value = median(each);
    const per = moves === 0 ? '' : `, ${(((value - none) / moves) * 1000).toFixed(0)} µs a moved price`;
    print(`${board.size} races, ${moves} moves`, `${value.toFixed(2)} ms${per}`);
  }
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Every scan of a table or an index in the plan that serves any `since`. */
async function scans({ pool }: TestDatabase): Promise<readonly string[]> {
  const client = await pool.connect();
  try {
    await client.query(
      `SET plan_cache_mode = force_generic_plan; PREPARE page (timestamptz, text[], text[], text[], boolean) AS ${CHANGES.text}`,
    );
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE page (now(), '{tab}', NULL, NULL, false)`);
    const found = new Set<string>();
    const walk = (node: PlanNode): void => {
      if (/Scan/.test(node['Node Type']) && (node['Index Name'] ?? node['Relation Name']))
        found.add(`${node['Node Type']} ${node['Index Name'] ?? node['Relation Name']}`);
      node.Plans?.forEach(walk);
    };
    walk(rows[0]['QUERY PLAN'][0].Plan);
    return [...found].sort();
  } finally {
    client.release(true);
  }
}

async function bench(): Promise<void> {
  const boards: Board[] = [];
  try {
    for (const size of SIZES) boards.push(await openBoard(size));
    print('books x runners', `${values.books} x ${RUNNERS}; median of ${rounds} rounds, SQL to bytes`);
    await bySize(boards, Number(values.moves));
    await byMoves(boards.at(-1)!);
    const found = await scans(boards.at(-1)!.db);
    for (const scan of found) print('plan', scan);
    if (found.some((scan) => scan.startsWith('Seq Scan'))) process.exitCode = 1;
  } finally {
    for (const { db } of boards) await db.drop();
  }
}

void bench();
