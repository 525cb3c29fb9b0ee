// Past races in a separate database per test file, whose days of ticks a worker archives and drops.
import type { Pool } from 'pg';
import { createStores } from '../../../src/store/create-stores';
import { polledRace, type TimedQuotes } from '../../support/races/polled-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';

export const DAY_MS = 24 * 3_600_000;
/** Its window spans two UTC days. */
const START = '2026-11-21T00:20:00.000Z';
export const startMs = Date.parse(START);
export const after = (seconds: number): string => new Date(startMs + seconds * 1000).toISOString();

const ARCHIVED = [
  'archived_closing_lines',
  'archived_price_paths',
  'archived_summaries',
  'archived_marks',
  'withheld_closing_lines',
  'withheld_price_paths',
];

const TABLES = [
  'races',
  'price_ticks',
  'price_breaks',
  'poll_gaps',
  'kept_ticks',
  'kept_breaks',
  'kept_gaps',
  'exchange_ticks',
  'kept_exchange_ticks',
  ...ARCHIVED.filter((table) => !/_(price_paths|closing_lines)$/.test(table)),
  'price_path_rows',
  'packed_price_paths',
  'withheld_path_rows',
  'packed_withheld_paths',
  'closing_line_rows',
  'packed_closing_lines',
  'withheld_line_rows',
  'packed_withheld_lines',
  'archived_day_counts',
  'archived_day_marks',
  'archived_days',
  'archived_month_counts',
  'archived_totals',
];

/** A market of the exchange for a race, of a type: `[marketId, raceId, type]`. */
export const ADD_MARKET = `INSERT INTO exchange_markets (market_id, race_id, market_type, version, status, in_play, bsp_reconciled, observed_at)
     VALUES ($1, $2, $3, 1, 'CLOSED', false, false, '${START}')`;

/** Call it once; every test begins without races. */
export function retainedDays() {
  let db: TestDatabase;
  let worker: Pool;
  let raceNumber = 0;
  const logged: string[] = [];
  beforeAll(async () => {
    db = await createTestDatabase();
    // Only the owner of a table may drop a part of it: a worker can, by the function that verifies first.
    worker = poolAs(db, 'racing_worker');
  });
  afterAll(async () => {
    await worker.end();
    await db.drop();
  });
  beforeEach(async () => {
    logged.length = 0;
    await db.pool.query(`TRUNCATE ${TABLES.join()} CASCADE`);
  });

  const note = (_: unknown, what: string) => void logged.push(what);
  const log = { debug: note, info: note, warn: note, error: note } as never;
  const query = (text: string, values: unknown[] = []) => db.pool.query(text, values);

  async function leftBoard(books: Readonly<Record<string, readonly TimedQuotes[]>>): Promise<string> {
    raceNumber++;
    const { raceId } = await polledRace(db.pool, { startTime: START, raceNumber, country: 'AU' }, books);
    await query('UPDATE races SET left_board_at = $2, jumped_at = start_time WHERE race_id = $1', [raceId, after(640)]);
    return raceId;
  }

  return {
    logged,
    query,
    database: () => db,
    worker: () => worker,
    /** Days after the race. */
    deps: (days: number) => ({ stores: createStores(worker), now: () => startMs + days * DAY_MS, log }),
    /** Ticks on 20 and 21 November, and a withdrawal. */
    past: () =>
      leftBoard({
        tab: [
          [3000, 3, 2],
          [600, 2.8, 2],
          [60, null, 2.1],
        ],
        pinnacle: [[2000, 3, 2]],
      }),
    /** `past`, also quoted by the exchange: its own ticks are on both days, at and between the captured prices. */
    async pastAtExchange(): Promise<string> {
      const raceId = await leftBoard({
        betfair_ex_au: [
          [3000, 3, 2],
          [600, 2.8, 2],
          [60, 2.9, 2.1],
        ],
      });
      const market = `1.${raceId}`;
      await query(ADD_MARKET, [market, raceId, 'WIN']);
      await query(
        `INSERT INTO exchange_runners (market_id, selection_id, number, status) VALUES ($1, 11, 1, 'ACTIVE'), ($1, 12, 2, 'ACTIVE')`,
        [market],
      );
      await query(
        `INSERT INTO exchange_ticks (at, market_id, selection_id, back_price, lay_price)
         SELECT $2::timestamptz - s * interval '1 s', $1, 10 + n, 3, 3 + n + s / 1000.0
           FROM generate_series(1, 2) n, unnest(ARRAY[3500, 3000, 1500, 600, 30]) s`,
        [market, START],
      );
      return raceId;
    },
    /** The archive's rows of prices. */
    async archiveOf(raceId: string): Promise<Record<string, unknown[]>> {
      const found: Record<string, unknown[]> = {};
      for (const table of ARCHIVED) {
        const { rows } = await query(
          `SELECT to_jsonb(t) - 'race_id' AS row FROM ${table} t WHERE race_id = $1 ORDER BY 1`,
          [raceId],
        );
        found[table] = rows.map(({ row }) => row);
      }
      return found;
    },
    count: async (table: string): Promise<number> =>
      (await query(`SELECT count(*)::integer AS n FROM ${table}`)).rows[0].n,
  };
}

/** Damages the archive of `past`, on the second of its days. */
export const DAMAGES: [string, string][] = [
  ['a row is missing', 'DELETE FROM price_path_rows WHERE race_id = $1 AND win_price = 2.8'],
  ['a price differs', 'UPDATE price_path_rows SET win_price = 9 WHERE race_id = $1 AND win_price = 2.8'],
  [
    'a row is too many',
    `INSERT INTO price_path_rows (start_time, race_id, runner, bookmaker_key, captured_at, secs_to_jump, win_price)
     SELECT start_time, race_id, runner, bookmaker_key, captured_at + interval '1 s', secs_to_jump, 2 FROM archived_price_paths
      WHERE race_id = $1 AND win_price = 2.8`,
  ],
  [
    'an instant differs',
    `UPDATE price_path_rows SET captured_at = captured_at - interval '1 ms' WHERE race_id = $1 AND win_price = 2.8`,
  ],
  ['a closing line is missing', 'DELETE FROM closing_line_rows WHERE race_id = $1 AND runner = 2'],
  ['a closing line has another flag', 'UPDATE closing_line_rows SET open_is_baseline = true WHERE race_id = $1'],
  ['a closing line of a withheld book is missing', 'DELETE FROM withheld_line_rows WHERE race_id = $1 AND runner = 2'],
  ['the summaries are missing', 'DELETE FROM archived_summaries WHERE race_id = $1'],
];

/** Damages the lay prices of `pastAtExchange`. */
export const LAY_DAMAGES: [string, string][] = [
  ['at a captured price', 'UPDATE withheld_path_rows SET lay_price = 9 WHERE race_id = $1 AND lay_price = 4.6'],
  ['at the jump', 'UPDATE withheld_line_rows SET close_lay_price = NULL WHERE race_id = $1 AND runner = 1'],
];
