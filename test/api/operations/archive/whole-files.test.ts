// A CSV without `limit` over more rows than one file may have (D8, D64): the maximum number of rows, and the next page
// in `Link`. Also market summaries, all of which fit in one file.
import type { Pool } from 'pg';
import { createReads } from '../../../../src/store/reads/reads';
import { memoryKeys, startApi, type TestApi } from '../../../support/api/api';
import { nextPath } from '../../../support/api/next-link';
import { archivedRace } from '../../../support/races/archived-race';
import type { TimedQuotes } from '../../../support/races/polled-race';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';
import { poolAs } from '../../../support/servers/roles';

const BOOKS = ['tab', 'neds', 'sportsbet', 'ladbrokes_au', 'pointsbetau', 'betr_au', 'betright', 'unibet'];
const RUNNERS = 20;
const MOST = 50_000;
/** Ends in the middle of a race. */
const RACES = Math.ceil(MOST / (BOOKS.length * RUNNERS)) + 1;
const LINES = RACES * BOOKS.length * RUNNERS;

let db: TestDatabase;
let pool: Pool;
let api: TestApi;
const keys = memoryKeys();
const plus = keys.add({ plan: 'plus' });

beforeAll(async () => {
  db = await createTestDatabase();
  const startTime = '2026-11-20T01:00:00.000Z';
  const quotes: readonly TimedQuotes[] = [[5, ...new Array(RUNNERS).fill(20)]];
  const books = Object.fromEntries(BOOKS.map((book) => [book, quotes]));
  const raceId = await archivedRace(db.pool, { startTime, meetingDate: '2026-11-20', raceNumber: 1 }, books);
  await copyRace(raceId);
  pool = poolAs(db, 'racing_api', 4);
  api = await startApi({ reads: createReads(pool), keys });
});
afterAll(async () => {
  await api.close();
  await pool.end();
  await db.drop();
});

const COPIED = ['archived_runners', 'closing_line_rows', 'archived_summaries'];

/** Copies, a minute apart, until there are this many. */
async function copyRace(raceId: string): Promise<void> {
  const own = (race: string) =>
    `jsonb_build_object('race_id', ${race}, 'start_time', r.start_time + n * interval '1 min')`;
  await db.pool.query(
    `INSERT INTO races SELECT (jsonb_populate_record(r, jsonb_build_object('race_id', gen_random_uuid(), 'race_number', n + 1))).*
       FROM races r, generate_series(1, ${RACES - 1}) n WHERE race_id = $1`,
    [raceId],
  );
  await db.pool.query(
    `INSERT INTO archived_races SELECT (jsonb_populate_record(r, ${own('c.race_id')})).*
       FROM archived_races r, (SELECT race_id, race_number - 1 AS n FROM races) c WHERE r.race_id = $1 AND c.race_id <> $1`,
    [raceId],
  );
  for (const table of COPIED) {
    const { rows } = await db.pool.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
      [table],
    );
    const names = rows.map(({ name }) => name);
    const values = names.map((name) => (['race_id', 'start_time'].includes(name) ? `r.${name}` : `t.${name}`));
    await db.pool.query(
      `INSERT INTO ${table} (${names.join()}) SELECT ${values.join()} FROM ${table} t, archived_races r WHERE t.race_id = $1 AND r.race_id <> $1`,
      [raceId],
    );
  }
  await db.pool.query('SELECT count_archived_race(race_id) FROM archived_races WHERE race_id <> $1', [raceId]);
}

const linesOf = (text: string): string[] => text.split('\r\n').slice(1, -1);

test('closing lines over the maximum are split into this file and the next page', async () => {
  const path = '/v1/racing/closing-lines?format=csv';
  const first = await api.get(path, plus);
  const sizeOf = ({ headers }: typeof first) => [headers.get('x-total-rows'), headers.get('x-rows-offset')];
  expect([first.status, ...sizeOf(first)]).toEqual([200, `${LINES}`, '0']);
  const link = nextPath(first.headers)!;
  expect(Object.fromEntries(new URLSearchParams(link.split('?')[1]))).toMatchObject({
    format: 'csv',
    to: '2026-11-21T03:00:00.000Z',
  });
  const second = await api.get(link, plus);
  expect([second.status, ...sizeOf(second), second.headers.get('link')]).toEqual([200, `${LINES}`, `${MOST}`, null]);
  const [before, after] = [linesOf(first.text), linesOf(second.text)];
  expect([before.length, after.length]).toEqual([MOST, LINES - MOST]);
  expect(new Set([...before, ...after]).size).toBe(LINES);
});

test('a file below the maximum is complete, and JSON has its page', async () => {
  const path = '/v1/racing/market-summary';
  const file = await api.get(`${path}?format=csv`, plus);
  expect([linesOf(file.text).length, file.headers.get('link')]).toEqual([RACES * RUNNERS, null]);
  expect(file.headers.get('x-total-rows')).toBe(`${RACES * RUNNERS}`);
  const { body, headers } = await api.get(path, plus);
  expect([body.rows_returned, body.limit, body.total_rows]).toEqual([500, 500, RACES * RUNNERS]);
  expect(headers.get('link')).toContain('after=');
  const explicit = await api.get(`${path}?format=csv&limit=500`, plus);
  expect([linesOf(explicit.text).length, explicit.headers.get('link')]).toEqual([
    500,
    expect.stringContaining('limit=500'),
  ]);
});
