// The archive of a race through the real store: what is written, that a second run changes nothing, and what new facts
// replace.
import { signalOf } from '../../../src/domain/market/intelligence/signal';
import { createArchiveStore } from '../../../src/store/archive/archive';
import { type PolledRace, polledRace, type TimedQuotes } from '../../support/races/polled-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { after, everything, leave, lines, START } from './archived-rows';

let db: TestDatabase;
let raceNumber = 0;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const BOOKS: Readonly<Record<string, readonly TimedQuotes[]>> = {
  pointsbetau: [
    [3590, 3, 2.2, 5],
    [400, 2.8, 2.3, 5.5],
    [10, 2.8, 2.3, 5.5],
  ],
  tab: [
    [3580, 3.1, 2.1, 5],
    [20, 2.7, 2.3, 5.4],
    [4, 2.7, 2.3, 5.4],
  ],
  neds: [[900, 3, 2.2, 5]],
  pinnacle: [
    [3570, 3.2, 2.3, 5.2],
    [30, 2.9, 2.4, 5.6],
  ],
};

/** Jumped 40 s after its start, off the board ten minutes later. */
async function past(books = BOOKS): Promise<PolledRace> {
  raceNumber++;
  const race = await polledRace(db.pool, { startTime: START, raceNumber, country: 'AU' }, books);
  await leave(db.pool, race.raceId, 40);
  return race;
}

const store = () => createArchiveStore(db.pool);
const AT = after(700);
const archive = (raceId: string) => store().archive(raceId, AT);

test('a past race gets a line per runner and book, counted to the jump, and paths and a summary without withheld books', async () => {
  const { raceId } = await past();
  expect(await archive(raceId)).toEqual({ verdict: 'written', jumpAt: after(40), jumpWas: null });
  const found = await lines(db.pool, raceId);
  expect(found).toContain('1 tab 3.1@3620 2.7@44 poll 60 of 2');
  expect(found).toContain('1 neds 3@940 3@940 none 940 of 1');
  expect(found).toContain('2 pointsbetau 2.2@3630 2.3@50 poll 440 of 2');
  expect(found).toHaveLength(9);
  expect(await lines(db.pool, raceId, 'withheld_closing_lines')).toContain('1 pinnacle 3.2@3610 2.9@70 tick 70 of 2');
  const rows = await everything(db.pool, raceId);
  expect(rows.price_path_rows).toHaveLength(15);
  expect(rows.withheld_path_rows).toHaveLength(6);
  expect(JSON.stringify([rows.price_path_rows, rows.archived_counts, rows.archived_summaries])).not.toContain(
    'pinnacle',
  );
  expect(rows.archived_summaries).toHaveLength(3);
  expect(rows.archived_summaries![0]).toMatchObject({ close_source: 'archive', books_close: 2, ticks_total: 5 });
});

test('a second run over the same facts writes nothing', async () => {
  const { raceId } = await past();
  await archive(raceId);
  const before = await everything(db.pool, raceId);
  expect(await archive(raceId)).toMatchObject({ verdict: 'same' });
  expect(await everything(db.pool, raceId)).toEqual(before);
});

test('a race on the board or with a poller is not archived', async () => {
  const { raceId } = await past();
  await db.pool.query('UPDATE races SET left_board_at = NULL WHERE race_id = $1', [raceId]);
  expect(await archive(raceId)).toMatchObject({ verdict: 'not_past' });
  await leave(db.pool, raceId, 40);
  await db.pool.query(
    `INSERT INTO race_control (race_id, epoch, tier, advertised_start, updated_at) VALUES ($1, 1, 'live', $2, $2)`,
    [raceId, START],
  );
  expect(await archive(raceId)).toMatchObject({ verdict: 'not_past' });
  await db.pool.query(`UPDATE race_control SET tier = 'none' WHERE race_id = $1`, [raceId]);
  expect(await archive(raceId)).toMatchObject({ verdict: 'written' });
});

test('a changed jump replaces the race’s rows and is reported, and the counts of the days stay correct', async () => {
  const { raceId } = await past();
  await archive(raceId);
  await leave(db.pool, raceId, 100);
  expect(await store().due(10)).toContain(raceId);
  expect(await archive(raceId)).toEqual({ verdict: 'replaced', jumpAt: after(100), jumpWas: after(40) });
  expect(await lines(db.pool, raceId)).toContain('1 tab 3.1@3680 2.7@104 poll 120 of 2');
  const { rows } = await db.pool.query('SELECT secs_to_jump FROM archived_price_paths WHERE race_id = $1', [raceId]);
  expect(rows.map((row) => row.secs_to_jump)).toContain(3680);
  expect(rows).toHaveLength(15);
  expect(await store().due(10)).not.toContain(raceId);
  await expectDaysRight();
});

test('a late result fills in positions and scratchings, and takes the scratched runner out of consensus and summary', async () => {
  const { raceId } = await past();
  await archive(raceId);
  const consensus = async () =>
    (
      await db.pool.query(
        'SELECT number, consensus_close_prob AS p FROM archived_runners WHERE race_id = $1 ORDER BY runner',
        [raceId],
      )
    ).rows;
  expect((await consensus()).every(({ p }) => p !== null)).toBe(true);
  const ran = (number: number, position: number | null, status: string) => ({
    number,
    name: `x${number}`,
    position,
    status,
    runner_ref: `ra:${number}`,
  });
  await db.pool.query(
    `INSERT INTO race_results (race_id, status, placings, placings_key, placings_since, field_status, runners, updated_at)
     VALUES ($1, 'final', $2, '2', $3, 'complete', $4, $3)`,
    [
      raceId,
      JSON.stringify([{ position: 1, number: 2 }]),
      AT,
      JSON.stringify([ran(1, 2, 'ran'), ran(2, 1, 'ran'), ran(3, null, 'late_scratching')]),
    ],
  );
  expect(await archive(raceId)).toMatchObject({ verdict: 'replaced', jumpWas: null });
  const { rows } = await db.pool.query(
    `SELECT number, finish_position, scratched, runner_ref, consensus_close_prob IS NULL AS out FROM archived_runners WHERE race_id = $1 ORDER BY runner`,
    [raceId],
  );
  expect(rows).toEqual([
    { number: 1, finish_position: 2, scratched: false, runner_ref: 'ra:1', out: false },
    { number: 2, finish_position: 1, scratched: false, runner_ref: 'ra:2', out: false },
    { number: 3, finish_position: null, scratched: true, runner_ref: 'ra:3', out: true },
  ]);
  const found = await consensus();
  expect(found[0].p + found[1].p).toBeCloseTo(1, 12);
  expect((await everything(db.pool, raceId)).archived_summaries).toHaveLength(2);
  await expectDaysRight();
});

test('an abandoned race keeps its price paths and has no close; reinstated, it is archived anew', async () => {
  const { raceId } = await past();
  await db.pool.query(`UPDATE races SET status = 'abandoned' WHERE race_id = $1`, [raceId]);
  await archive(raceId);
  const rows = await everything(db.pool, raceId);
  expect([rows.price_path_rows!.length, rows.closing_line_rows!.length]).toEqual([15, 0]);
  expect(rows.archived_races![0]).toMatchObject({ outcome: 'abandoned' });
  await db.pool.query(`UPDATE races SET status = 'open' WHERE race_id = $1`, [raceId]);
  expect(await archive(raceId)).toMatchObject({ verdict: 'replaced' });
  expect(await lines(db.pool, raceId)).toHaveLength(9);
  await expectDaysRight();
});

test('a race abandoned after its ticks are deleted counts in no day’s marks; reinstated, it counts again', async () => {
  const { raceId } = await past();
  await archive(raceId);
  const marks = async () =>
    (await db.pool.query('SELECT * FROM archived_day_marks WHERE races <> 0 ORDER BY category, bookmaker_key, minutes'))
      .rows;
  const whole = await marks();
  await db.pool.query('UPDATE archived_races SET ticks_dropped_at = $2 WHERE race_id = $1', [raceId, AT]);
  await db.pool.query('DELETE FROM price_ticks WHERE race_id = $1', [raceId]);
  const becomes = async (status: string) => {
    await db.pool.query('UPDATE races SET status = $2 WHERE race_id = $1', [raceId, status]);
    expect(await archive(raceId)).toMatchObject({ verdict: 'facts' });
    await expectDaysRight();
  };
  const others = whole.map(({ races }) => races - 1);
  await becomes('abandoned');
  expect((await marks()).map(({ races }) => races)).toEqual(others.filter((races) => races > 0));
  // Once more, by another fact.
  await db.pool.query('UPDATE race_runners SET scratched = true WHERE race_id = $1 AND number = 3', [raceId]);
  await becomes('abandoned');
  expect((await marks()).map(({ races }) => races)).toEqual(others.filter((races) => races > 0));
  await becomes('open');
  expect(await marks()).toEqual(whole);
});

test('after its ticks are deleted a race takes new facts, but keeps its archived prices', async () => {
  const { raceId } = await past();
  await archive(raceId);
  const before = await everything(db.pool, raceId);
  await db.pool.query('UPDATE archived_races SET ticks_dropped_at = $2 WHERE race_id = $1', [raceId, AT]);
  await db.pool.query('DELETE FROM price_ticks WHERE race_id = $1', [raceId]);
  await db.pool.query('UPDATE race_runners SET scratched = true WHERE race_id = $1 AND number = 3', [raceId]);
  expect(await archive(raceId)).toMatchObject({ verdict: 'facts' });
  const now = await everything(db.pool, raceId);
  expect([now.price_path_rows, now.closing_line_rows]).toEqual([before.price_path_rows, before.closing_line_rows]);
  const consensus = await closes(raceId);
  expect(consensus.map(({ number, p }) => [number, p])).toEqual([
    [1, expect.any(Number)],
    [2, expect.any(Number)],
    [3, null],
  ]);
  // The summary has the same close, and the figures counted to it; a runner outside the field has none.
  expect(consensus[2]).toMatchObject({ close: null, signal: null });
  for (const { p, books, ...summary } of consensus.slice(0, 2)) {
    expect(summary).toMatchObject({ close: 1 / p!, source: 'archive', booksClose: books });
    expect(summary.move).toBeCloseTo((summary.close! / summary.t60! - 1) * 100, 9);
    expect(summary.vs).toBeCloseTo((summary.best! / summary.close! - 1) * 100, 9);
    expect(summary.signal).toBe(signalOf(summary.move, summary.breadth!));
  }
  const was = before.archived_summaries as { runner: number; consensus_close: number }[];
  expect(was.find(({ runner }) => runner === 1)!.consensus_close).not.toBeCloseTo(consensus[0]!.close!, 3);
  await expectDaysRight();
  expect(await archive(raceId)).toMatchObject({ verdict: 'same' });

  // A runner that leaves the card keeps its name, its reference and its place in the consensus.
  await db.pool.query('DELETE FROM race_runners WHERE race_id = $1 AND number = 2', [raceId]);
  expect(await archive(raceId)).toMatchObject({ verdict: 'facts' });
  expect(await closes(raceId)).toEqual(consensus);
  expect(await archive(raceId)).toMatchObject({ verdict: 'same' });
});

interface Closes {
  readonly number: number;
  readonly name: string | null;
  readonly p: number | null;
  readonly books: number;
  /** In its summary, null without one: */
  readonly close: number | null;
  readonly source: string | null;
  readonly booksClose: number | null;
  readonly t60: number | null;
  readonly move: number;
  readonly best: number | null;
  readonly vs: number;
  readonly signal: string | null;
  readonly breadth: {
    readonly withHistory: number;
    readonly firming: number;
    readonly drifting: number;
    readonly unchanged: number;
  };
}

/** The runners' part of the close, and their summaries' part. */
const closes = async (raceId: string): Promise<Closes[]> =>
  (
    await db.pool.query<Closes>(
      `SELECT u.number, u.name, u.runner_ref AS ref, u.consensus_close_prob AS p, u.books_in_consensus_close AS books, s.consensus_close AS close,
              s.close_source AS source, s.books_close AS "booksClose", s.consensus_t60 AS t60, s.move_from_t60_pct AS move,
              s.best_close_price AS best, s.best_vs_consensus_pct AS vs, s.signal,
              json_build_object('withHistory', s.books_with_history, 'firming', s.books_firming, 'drifting', s.books_drifting,
                'unchanged', s.books_unchanged) AS breadth
         FROM archived_runners u LEFT JOIN archived_summaries s USING (race_id, runner) WHERE u.race_id = $1 ORDER BY u.runner`,
      [raceId],
    )
  ).rows;

test('two races with the same runners at the same time are flagged as duplicates', async () => {
  const one = await past();
  const other = await polledRace(
    db.pool,
    { startTime: START, raceNumber, country: 'AU', venue: 'Elsewhere Park' },
    BOOKS,
  );
  await leave(db.pool, other.raceId, 40);
  expect(await archive(one.raceId)).toMatchObject({ verdict: 'written' });
  const { rows } = await db.pool.query('SELECT venue_split_suspect AS suspect FROM archived_races WHERE race_id = $1', [
    one.raceId,
  ]);
  expect(rows).toEqual([{ suspect: true }]);
});

test('the exchange is archived separately, with the lay prices of its own ticks', async () => {
  const exchange: readonly TimedQuotes[] = [
    [3000, 3, 2],
    [20, 3.2, 2.1],
  ];
  const { raceId } = await past({ ...BOOKS, betfair_ex_au: exchange });
  await db.pool.query(
    `INSERT INTO exchange_markets (market_id, race_id, market_type, version, status, in_play, bsp_reconciled, observed_at)
     VALUES ($2, $1, 'WIN', 1, 'CLOSED', false, false, $3)`,
    [raceId, `1.${raceId}`, START],
  );
  await db.pool.query(
    `INSERT INTO exchange_runners (market_id, selection_id, number, status) VALUES ($1, 77, 1, 'ACTIVE')`,
    [`1.${raceId}`],
  );
  await db.pool.query(
    `INSERT INTO exchange_ticks (at, market_id, selection_id, lay_price) VALUES ($2, $1, 77, 3.1), ($3, $1, 77, 3.4)`,
    [`1.${raceId}`, after(-3000), after(-19)],
  );
  await archive(raceId);
  const laid = (table: string, column: string) =>
    db.pool.query(
      `SELECT ${column} AS lay FROM ${table} WHERE race_id = $1 AND runner = 1 AND bookmaker_key = 'betfair_ex_au'`,
      [raceId],
    );
  expect((await laid('withheld_closing_lines', 'close_lay_price')).rows).toEqual([{ lay: 3.4 }]);
  expect((await laid('withheld_price_paths', 'lay_price')).rows).toEqual([{ lay: 3.1 }, { lay: 3.1 }]);
  expect(JSON.stringify(await lines(db.pool, raceId))).not.toContain('betfair');
});

/** The days' counts are the sums of the races' counts, and these equal the rows themselves. */
async function expectDaysRight(): Promise<void> {
  const { rows } = await db.pool.query(`
    SELECT what, sum(n) FILTER (WHERE series <> '')::integer AS n, sum(n) FILTER (WHERE series = '')::integer AS all FROM archived_day_counts GROUP BY what
    ORDER BY what`);
  const count = async (table: string) => (await db.pool.query(`SELECT count(*)::integer AS n FROM ${table}`)).rows[0].n;
  const line = await count('archived_closing_lines');
  const path = await count('price_path_rows');
  const summary = await count('archived_summaries');
  expect(rows).toEqual([
    { what: 'line', n: line, all: line },
    { what: 'path', n: path, all: path },
    { what: 'summary', n: summary, all: summary },
  ]);
  const days = await db.pool.query('SELECT sum(races)::integer AS n FROM archived_days');
  expect(days.rows[0].n).toBe(await count('archived_races'));
}
