// Streams of the archive against slow clients (D46): a stalled reader occupies no connection and no transaction; twenty
// that wait in the database take none of the connections of live calls; a client that leaves ends the read; a statement
// that fails in mid-stream breaks the connection.
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Pool } from 'pg';
import { FREE_METER, type Meter } from '../../../../src/api/kernel/endpoint/meter';
import { createReads } from '../../../../src/store/reads/reads';
import { memoryKeys, startApi, type TestApi } from '../../../support/api/api';
import { archivedRace } from '../../../support/races/archived-race';
import { until } from '../../../support/races/stream-lab';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';
import { poolAs } from '../../../support/servers/roles';

const READERS = 20;
const RACES = 12;
const ROWS_PER_RACE = 1000;
/** Makes 14 MB of CSV of these rows: more than the buffers of a connection take. */
const VENUE = 'Flemington '.repeat(80).trim();
const PATH = '/v1/racing/price-paths?date=2026-11-20&format=csv&limit=200000';
const ONE = PATH.replace('200000', '1');
const LIVE = ['/v1/racing/events', '/v1/racing/venues', '/v1/racing/results'];
let db: TestDatabase;
let live: Pool;
let streams: Pool;
let api: TestApi;
/** Statements of streams, those that count a page as one; and the one that fails. */
let ran = 0;
let fails = Number.POSITIVE_INFINITY;
let charged = 0;
const given: string[] = [];
const meter: Meter = {
  ...FREE_METER,
  charge: async () => {
    charged++;
    return () => void given.push('back');
  },
};
const keys = memoryKeys();
const plus = Array.from({ length: READERS / 4 }, () => keys.add({ plan: 'plus' }));

beforeAll(async () => {
  db = await createTestDatabase();
  const race = { startTime: '2026-11-20T01:00:00.000Z', meetingDate: '2026-11-20', raceNumber: 100, venue: VENUE };
  const raceId = await archivedRace(db.pool, race, { tab: [[3590, 3, 2.2]] });
  for (const statement of COPIES) await db.pool.query(statement, statement.includes('$2') ? [raceId, RACES] : [raceId]);
  [live, streams] = [poolAs(db, 'racing_api', 2), poolAs(db, 'racing_api', 2)];
  const query = streams.query.bind(streams) as (...sent: unknown[]) => Promise<never>;
  streams.query = (...sent: unknown[]) => {
    ran++;
    return ran === fails ? Promise.reject(new Error('the statement failed')) : query(...sent);
  };
  const connect = streams.connect.bind(streams) as (...sent: unknown[]) => Promise<never>;
  // A pool connects for its own statements with a callback.
  streams.connect = (...sent: unknown[]) => {
    if (sent.length === 0) ran++;
    return connect(...sent);
  };
  api = await startApi({ reads: createReads(live, streams), keys, meter });
});
afterAll(async () => {
  await api.close();
  await Promise.all([live.end(), streams.end()]);
  await db.drop();
});

/** The archived race many times over, with many more prices. */
const COPIES = [
  `INSERT INTO races SELECT (jsonb_populate_record(r, jsonb_build_object('race_id', gen_random_uuid(), 'race_number', n))).*
     FROM races r, generate_series(1, $2::integer) n WHERE race_id = $1`,
  `INSERT INTO archived_races SELECT (jsonb_populate_record(a, jsonb_build_object('race_id', r.race_id, 'race_number', r.race_number))).*
     FROM archived_races a, races r WHERE a.race_id = $1 AND r.race_id <> $1`,
  `INSERT INTO archived_runners SELECT (jsonb_populate_record(u, jsonb_build_object('race_id', r.race_id))).*
     FROM archived_runners u, races r WHERE u.race_id = $1 AND r.race_id <> $1`,
  `INSERT INTO price_path_rows (start_time, race_id, runner, bookmaker_key, captured_at, secs_to_jump, win_price)
   SELECT start_time, race_id, 1 + n % 2, 'tab', start_time - make_interval(secs => n), n, 2 + n / 10.0
     FROM archived_races, generate_series(1, ${ROWS_PER_RACE}) n WHERE race_id <> $1`,
  `SELECT count_archived_race(race_id) FROM archived_races WHERE race_id <> $1`,
];

const opened: IncomingMessage[] = [];
afterEach(() => {
  for (const response of opened.splice(0)) response.destroy();
});

const requested = (key: string, path = PATH): ClientRequest =>
  get(api.url + path, { agent: false, headers: { 'X-API-Key': key } }).on('error', () => {});

/** Resolves with the headers. Nothing of the body is read until the caller reads. */
async function open(key: string): Promise<IncomingMessage> {
  const [response] = await once(requested(key), 'response');
  opened.push(response as IncomingMessage);
  return response as IncomingMessage;
}

const isQuiet = (): boolean => streams.idleCount === streams.totalCount && streams.waitingCount === 0;
/**
 * The statements of one whole stream: its counts and races, then the rows of each, a thousand at a time; the first race
 * has its own.
 */
const STATEMENTS = 2 + RACES;

test('stalled readers occupy no connection, and a client that leaves ends the read', async () => {
  ran = 0;
  const readers = await Promise.all([1, 2, 3, 4].map(() => open(plus[0]!)));
  await until(isQuiet);
  expect(readers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  expect(ran).toBeLessThan(4 * STATEMENTS);
  const { rows } = await db.pool.query(
    `SELECT state FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
  );
  expect(rows).toEqual([]);
  const refused = await api.get(PATH, plus[0]);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);

  const [one, ...others] = readers;
  for (const reader of others) reader.destroy();
  const whole = await text(one!);
  expect(whole.split('\r\n')).toHaveLength(1 + 2 + RACES * ROWS_PER_RACE + 1);
  await until(isQuiet);
  expect(ran).toBeLessThan(4 * STATEMENTS);
  ran = 0;
  expect(await text(await open(plus[0]!))).toBe(whole);
  expect(ran).toBe(STATEMENTS);
  const unlimited = await api.get(PATH.replace('&limit=200000', ''), plus[0]);
  expect([unlimited.text === whole, unlimited.headers.get('link')]).toEqual([true, null]);
});

test('readers that wait in the database take no connection from live calls', async () => {
  const owner = await db.pool.connect();
  const readers: ClientRequest[] = [];
  try {
    await owner.query('BEGIN; LOCK TABLE price_path_rows IN ACCESS EXCLUSIVE MODE');
    for (const key of plus.flatMap((each) => [each, each, each, each])) readers.push(requested(key, ONE));
    await until(() => streams.waitingCount >= READERS - 2);
    const calls = Array.from({ length: 3 }, () => LIVE.map((path) => api.get(path, plus[0])));
    for (const { status } of await Promise.all(calls.flat())) expect(status).toBe(200);
    charged = 0;
    const connections = await api.connections();
    for (const reader of readers) reader.destroy();
    await until(async () => (await api.connections()) <= connections - READERS);
  } finally {
    await owner.query('ROLLBACK');
    owner.release();
  }
  await until(isQuiet);
  // They got no byte.
  expect(charged).toBe(0);
});

test('HEAD runs no statement', async () => {
  ran = 0;
  const { status, headers } = await api.send('HEAD', PATH, { key: plus[0] });
  expect([status, headers.get('content-type'), ran]).toEqual([200, 'text/csv; charset=utf-8; header=present', 0]);
});

test('a statement that fails in mid-stream breaks the connection and is refunded; before the first byte it is a 500', async () => {
  [ran, fails] = [0, STATEMENTS - 1];
  await expect(open(plus[0]!).then(text)).rejects.toThrow('aborted');
  await until(() => given.length === 1);
  [ran, fails] = [0, 2];
  const answer = await api.get(PATH, plus[0]);
  expect([answer.status, answer.body.code]).toEqual([500, 'internal']);
  expect(given).toHaveLength(1);
  fails = Number.POSITIVE_INFINITY;
});
