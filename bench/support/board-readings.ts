// What one reading of the board costs the streams of a process, by the size of the board: as it is read four times a
// second, with the cache and what it shares, against the whole board read without a cache.
import type { Pool } from 'pg';
import { windowOf } from '../../src/api/kernel/endpoint/board-window';
import { CUSTOMERS } from '../../src/api/kernel/endpoint/visibility';
import { createBetslipBoard, noneWithoutDatabase } from '../../src/api/operations/betslip/betslip-links';
import { type BoardReading, readWholeBoard } from '../../src/api/operations/changes/board-reading';
import { createShelf } from '../../src/api/operations/changes/board-view';
import { REAL_TIME } from '../../src/domain/time/clock';
import { MAX_HORIZON_HOURS } from '../../src/plans/plans';
import { readBoard } from '../../src/store/reads/races/board';
import { createReads } from '../../src/store/reads/reads';
import { median } from './figures';

/** A reading takes over what the one before had: so many races are polled and moved in between. */
const MOVED = 8;

/** The newest poll of some races, and one price of each. */
const MOVE = `
  UPDATE race_books b SET polled_at = clock_timestamp(), changed_at = clock_timestamp(), win[1] = b.win[1] + 0.1
    FROM (SELECT race_id FROM races WHERE left_board_at IS NULL AND start_time > now() ORDER BY random() LIMIT $1) r
   WHERE b.race_id = r.race_id AND b.bookmaker_key = 'tab'`;

/** As many copies of each of these races, with their runners and books, as other venues'. */
export async function multiply(pool: Pool, raceIds: readonly string[], copies: number): Promise<void> {
  const tables = {
    races: ", 'venue_id', t.venue_id || '-' || i",
    race_runners: '',
    race_books: ", 'source_race_id', t.source_race_id || '-' || i",
  };
  for (const [table, of] of Object.entries(tables))
    await pool.query(
      `INSERT INTO ${table} SELECT made.* FROM ${table} t, generate_series(1, $2::int) i,
         jsonb_populate_record(t, jsonb_build_object('race_id', md5(t.race_id::text || i)${of})) made WHERE t.race_id = ANY ($1)`,
      [raceIds, copies],
    );
  await pool.query('ANALYZE');
}

interface ReadingCost {
  readonly races: number;
  readonly cachedMs: number;
  readonly wholeMs: number;
}

/** Median milliseconds of a reading with its comparison, and of the whole board. */
export async function readingCost(pool: Pool, rounds: number): Promise<ReadingCost> {
  const reads = createReads(pool);
  const betslip = createBetslipBoard(reads, {}, noneWithoutDatabase);
  const deps = { reads, betslip, clock: REAL_TIME, now: Date.now, isDoubtful: () => false, slewMs: 1000 };
  const shelf = createShelf(() => null);
  let last: BoardReading | null = null;
  const [cached, whole]: [number[], number[]] = [[], []];
  for (let i = -2; i < rounds; i++) {
    await pool.query(MOVE, [MOVED]);
    const beganMs = performance.now();
    last = await readWholeBoard(deps, last, { withLinks: false, begins: false });
    shelf.update(last);
    const readMs = performance.now();
    const window = windowOf(MAX_HORIZON_HOURS, Date.now());
    await readBoard(pool, { ...window, bookmakers: CUSTOMERS.bookmakers, includeUnresolved: true, limit: null });
    if (i < 0) continue;
    cached.push(readMs - beganMs);
    whole.push(performance.now() - readMs);
  }
  return { races: last!.races.size, cachedMs: median(cached), wholeMs: median(whole) };
}
