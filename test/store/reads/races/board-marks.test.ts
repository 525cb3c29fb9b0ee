// Every write of what the board shows about a race is marked: a client of the stream that was away finds it by the mark
// (D64).
import { readBoard } from '../../../../src/store/reads/races/board';
import { readBoardSince } from '../../../../src/store/reads/races/board-marks';
import { HEAD_COLUMNS } from '../../../../src/store/reads/races/race-window';
import { addRace } from '../../../support/races/board';
import { feedRunner } from '../../../support/races/builders';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';
import { plansOf } from '../../../support/servers/plans';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(async () => {
  await db.drop();
});

/** No customer sees them. */
const WITHHELD = ['inplay', 'inplay_at'];
const VALUES: Record<string, string> = {
  category: `'harness'`,
  status: `'abandoned'`,
  market_status: `'CLOSED'`,
  market_state_source: `'tab'`,
};
const BY_TYPE: Record<string, string> = {
  text: `'another'`,
  integer: '7',
  smallint: '7',
  boolean: 'true',
  'timestamp with time zone': `'2027-01-01'`,
};

const markOf = async (table: string, raceId: string): Promise<string> => {
  const { rows } = await db.pool.query(`SELECT max(board_written_at)::text AS at FROM ${table} WHERE race_id = $1`, [
    raceId,
  ]);
  return rows[0].at;
};

test('a change in any column that the board reads of a race or a book is marked, and a poll without changes is not', async () => {
  const { raceId } = await addRace(db.pool, {}, { tab: { runners: [feedRunner(1, { win: 3 })] } });
  const { rows } = await db.pool.query<{ column_name: string; data_type: string }>(
    `SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'races'`,
  );
  const types = new Map(rows.map((row) => [row.column_name, row.data_type]));
  const read = new Set([...HEAD_COLUMNS.matchAll(/r\.(\w+)/g)].map(([, name]) => name!));
  const columns = [...read, 'jumped_at', 'left_board_at'].filter(
    (name) => name !== 'race_id' && !WITHHELD.includes(name),
  );
  expect(columns.length).toBeGreaterThan(20);
  for (const name of columns) {
    const before = await markOf('races', raceId);
    await db.pool.query(`UPDATE races SET ${name} = ${VALUES[name] ?? BY_TYPE[types.get(name)!]} WHERE race_id = $1`, [
      raceId,
    ]);
    expect([name, (await markOf('races', raceId)) > before]).toEqual([name, true]);
  }
  const runners = ['SET jockey = $2', 'SET form = $2', 'SET emergency = true, name = $2'];
  for (const change of [...runners.map((set) => `UPDATE race_runners ${set}`), 'DELETE FROM race_runners']) {
    const before = await markOf('races', raceId);
    const values = change.startsWith('DELETE') ? [raceId] : [raceId, 'another'];
    await db.pool.query(`${change} WHERE race_id = $1`, values);
    expect([change, (await markOf('races', raceId)) > before]).toEqual([change, true]);
  }
  for (const change of [
    'win = ARRAY[4]',
    'place = ARRAY[4]',
    'top2 = ARRAY[4]',
    'top3 = ARRAY[4]',
    'top4 = ARRAY[4]',
    `tote = '{}'`,
    `source_url = 'x'`,
  ]) {
    const before = await markOf('race_books', raceId);
    await db.pool.query(`UPDATE race_books SET ${change} WHERE race_id = $1`, [raceId]);
    expect([change, (await markOf('race_books', raceId)) > before]).toEqual([change, true]);
  }
  const marks = await Promise.all(['races', 'race_books'].map((table) => markOf(table, raceId)));
  await db.pool.query('UPDATE race_books SET polled_at = now(), win = win, place = place WHERE race_id = $1', [raceId]);
  await db.pool.query('UPDATE races SET updated_at = now(), odds_open = true WHERE race_id = $1', [raceId]);
  expect(await Promise.all(['races', 'race_books'].map((table) => markOf(table, raceId)))).toEqual(marks);
});

test('the races of the board since an instant: in its order, and those of which a row that customers see was written', async () => {
  const later = { venue: 'Later', startTime: '2026-11-21T05:00:00.000Z' };
  const sooner = { venue: 'Sooner', startTime: '2026-11-21T04:00:00.000Z' };
  const books = {
    tab: { runners: [feedRunner(1, { win: 3 })] },
    betfair_ex_au: { runners: [feedRunner(1, { win: 4 })] },
  };
  const [second, first] = [
    (await addRace(db.pool, later, books)).raceId,
    (await addRace(db.pool, sooner, books)).raceId,
  ];
  const at = '2026-11-21T03:00:00.000Z';
  const window = { at, from: at, until: '2026-11-22T00:00:00.000Z', venues: ['Later', 'Sooner'] };
  const query = { ...window, bookmakers: ['tab'], includeUnresolved: true, limit: null };
  const since = async () => {
    const { rows } = await db.pool.query<{ ms: number }>(
      `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 + 1 AS ms, pg_sleep(0.002)`,
    );
    return () => readBoardSince(db.pool, { ...query, sinceMs: rows[0]!.ms, links: true });
  };
  const shown = (await readBoard(db.pool, query)).map(({ race_id }) => race_id).join();
  expect(shown).toBe(`${first},${second}`);
  const write = async (sql: string, raceId: string) => {
    const read = await since();
    await db.pool.query(sql, [raceId]);
    return read();
  };
  expect(await write('SELECT $1::uuid', first)).toEqual({ shown, written: [], linked: [] });
  const place = (book: string) =>
    `UPDATE race_books SET place = ARRAY[random()] WHERE race_id = $1 AND bookmaker_key = '${book}'`;
  expect(await write(place('tab'), second)).toEqual({ shown, written: [second], linked: [] });
  expect(await write(place('betfair_ex_au'), second)).toEqual({ shown, written: [], linked: [] });
  expect(await write(`UPDATE races SET race_class = 'x' WHERE race_id = $1`, first)).toEqual({
    shown,
    written: [first],
    linked: [],
  });
  expect(await write('UPDATE race_books SET polled_at = now() WHERE race_id = $1', first)).toEqual({
    shown,
    written: [],
    linked: [],
  });
  const relisted = await write(
    "UPDATE race_books SET source_race_id = 'other' WHERE race_id = $1 AND bookmaker_key = 'tab'",
    first,
  );
  expect(relisted).toEqual({ shown, written: [], linked: [first] });
  const jumped = await write('UPDATE races SET jumped_at = start_time WHERE race_id = $1', first);
  expect(jumped).toEqual({ shown: second, written: [], linked: [] });
});

test('books whose id was written are found by an index that has no other row', async () => {
  const { rows } = await db.pool.query<{ has: string }>(
    `SELECT pg_get_expr(indpred, indrelid) AS has FROM pg_index WHERE indexrelid = 'race_books_relinked'::regclass`,
  );
  expect(rows).toEqual([{ has: '(linked_written_at IS NOT NULL)' }]);
  const at = '2026-11-21T03:00:00.000Z';
  const window = { at, from: at, until: '2026-11-22T00:00:00.000Z', bookmakers: ['tab'] };
  const nodes = await plansOf(db.url, async (session) => {
    // As for a large table, and as a session plans a statement that it repeats.
    await session.query('SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off');
    await readBoardSince(session, { ...window, includeUnresolved: true, limit: null, sinceMs: 0, links: true });
  });
  expect(nodes.map((node) => node['Index Name'])).toContain('race_books_relinked');
});
