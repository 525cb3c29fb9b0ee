// Each book's list of a day, as discovery reads it: whose turn it is to place one, and how many readings in a row have
// failed. Lists are placed one after another, because a list is compared with the existing races, and two at once would
// create one race twice.
import { metrics } from '@opentelemetry/api';
import type { ClientBase, Pool, QueryConfig } from 'pg';
import type { Day, Instant } from '../../domain/race/race';
import { aetDay } from '../../domain/time/aet';
import { createWorkQueue, type WorkQueue } from '../../work-queue';
import { inTransaction } from '../pg/transaction';

interface ListReading {
  readonly bookmakerKey: string;
  readonly day: Day;
  readonly at: Instant;
  readonly ok: boolean;
  /** How many races the list has. Null: unknown. */
  readonly races: number | null;
}

export interface BookListStore {
  /** Runs the work when no other work places a list, in any process. */
  readonly inTurn: WorkQueue;
  note(reading: ListReading): Promise<void>;
}

/** Any number that no other advisory lock of this database has. */
const PLACING_LOCK = 86;

/**
 * Another process may place a dozen lists first, each longer than a statement may take. The waiting activity has no
 * longer.
 */
const WAIT_MS = 120_000;

async function waitForOthers(client: ClientBase): Promise<void> {
  await client.query(`SET LOCAL statement_timeout = ${WAIT_MS}`);
  const text = 'SELECT pg_advisory_xact_lock($1)';
  await client.query({ text, values: [PLACING_LOCK], query_timeout: WAIT_MS } as QueryConfig);
}

const NOTE = `
  INSERT INTO book_lists AS stored (bookmaker_key, day, tried_at, read_at, races, failing)
  VALUES ($1, $2, $3, CASE WHEN $4 THEN $3::timestamptz END, $5, CASE WHEN $4 THEN 0 ELSE 1 END)
  ON CONFLICT (bookmaker_key, day) DO UPDATE
     SET tried_at = EXCLUDED.tried_at, read_at = COALESCE(EXCLUDED.read_at, stored.read_at), races = COALESCE(EXCLUDED.races, stored.races),
         failing = CASE WHEN $4 THEN 0 ELSE stored.failing + 1 END`;

const PRUNE = `DELETE FROM book_lists WHERE bookmaker_key = $1 AND day < $2::date - 7`;

export function createBookListStore(pool: Pool): BookListStore {
  // In this process first, because each wait for the database's lock occupies a connection.
  const turns = createWorkQueue();
  return {
    inTurn: (work) =>
      turns(() =>
        inTransaction(pool, async (client) => {
          await waitForOthers(client);
          return work();
        }),
      ),
    note: async ({ bookmakerKey, day, at, ok, races }) => {
      await pool.query(NOTE, [bookmakerKey, day, at, ok, races]);
      await pool.query(PRUNE, [bookmakerKey, day]);
    },
  };
}

/** A list that succeeds for one day does not excuse the other: a book counts by the day that has failed most often. */
const READ = `
  SELECT bookmaker_key AS book, max(failing) AS failing, extract(epoch FROM $1::timestamptz - max(read_at))::float8 AS age,
         sum(races)::int AS races
    FROM book_lists WHERE day >= $2 GROUP BY 1 ORDER BY 1`;

export interface BookListState {
  readonly book: string;
  readonly failing: number;
  /** Seconds since a list of the book was placed. Null: never. */
  readonly age: number | null;
  /** Over all its days. Null: no list was read. */
  readonly races: number | null;
}

/** Of the lists of today and later. `nowMs`: race time. */
export async function readBookLists(pool: Pool, nowMs: number): Promise<readonly BookListState[]> {
  const { rows } = await pool.query<BookListState>(READ, [new Date(nowMs).toISOString(), aetDay(nowMs)]);
  return rows;
}

/** `now`: race time, epoch milliseconds. Without an answer of the database the gauges are missing. */
export function observeBookLists(pool: Pool, now: () => number): void {
  const meter = metrics.getMeter('racing-odds/store');
  const failing = meter.createObservableGauge('racing.lists.failing', {
    description: "Readings in a row of a book's list of races that failed",
  });
  const age = meter.createObservableGauge('racing.lists.age', {
    unit: 's',
    description: "Time since a book's list of races was last placed, race seconds",
  });
  const races = meter.createObservableGauge('racing.lists.races', {
    description: "Races in a book's lists of today and later, as last read",
  });
  meter.addBatchObservableCallback(
    async (gauges) => {
      for (const { book, ...list } of await readBookLists(pool, now()).catch(() => [])) {
        gauges.observe(failing, list.failing, { book });
        if (list.age !== null) gauges.observe(age, list.age, { book });
        if (list.races !== null) gauges.observe(races, list.races, { book });
      }
    },
    [failing, age, races],
  );
}
