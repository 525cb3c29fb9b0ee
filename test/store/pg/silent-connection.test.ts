// A connection that goes silent, as behind a failed router, costs only its own queries: no lane waits for it, and it
// leaves the pool.

import { inBatches } from '../../../src/store/pg/in-batches';
import { createPool } from '../../../src/store/pg/pool';
import { inTransaction } from '../../../src/store/pg/transaction';
import { isUnreachable } from '../../../src/store/pg/unreachable';
import { createControlStore } from '../../../src/store/polls/control';
import { feedField } from '../../support/races/builders';
import { storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { type TcpLine, tcpLine } from '../../support/servers/tcp-line';

/** A silent connection costs this and two seconds; a busy machine stores a poll well within that. */
const QUERY_MS = 1500;
let db: TestDatabase;
let line: TcpLine;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  line = await tcpLine(db.url);
  pool = createPool(line.url, 2, { timeouts: { connectMs: 60_000, queryMs: QUERY_MS } });
});
afterEach(async () => {
  await line.close();
  await pool.end();
});
afterAll(() => db.drop());

const unreachable = async (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (error: unknown) => isUnreachable(error),
  );

test('a read of control rows fails once, a poll goes alone over a new connection, and the silent ones are dropped', async () => {
  const { raceId, poll } = await storeRace({ ...db, pool });
  const control = createControlStore(pool);
  await Promise.all([control.readControl(raceId), poll(1800, { runners: feedField(2) })]);
  line.swallow();
  const [isLost, saved] = await Promise.all([
    unreachable(control.readControl(raceId)),
    poll(1790, { runners: feedField(3) }),
  ]);
  expect([isLost, saved]).toEqual([true, expect.objectContaining({ changed: 1, fenced: false })]);
  const [row, written] = await Promise.all([control.readControl(raceId), poll(1780, { runners: feedField(4) })]);
  expect(row).toMatchObject({ raceId });
  expect(written).toMatchObject({ changed: 1, fenced: false });
  expect(pool.totalCount).toBe(2);
});

test('a transaction on it fails without a further statement and leaves no connection behind', async () => {
  const statements: string[] = [];
  const failed = inTransaction(pool, async (client) => {
    await client.query('SELECT 1');
    line.swallow();
    const query = client.query.bind(client) as (text: string) => Promise<unknown>;
    client.query = ((text: string) => {
      statements.push(text);
      return query(text);
    }) as typeof client.query;
    await client.query('SELECT 2');
  });
  expect(await unreachable(failed)).toBe(true);
  expect(statements).toEqual(['SELECT 2']);
  expect(pool.totalCount).toBe(0);
});

test('the server ends a statement that takes too long', async () => {
  const { rows } = await pool.query('SHOW statement_timeout');
  expect(rows).toEqual([{ statement_timeout: `${QUERY_MS}ms` }]);
  await expect(pool.query('SELECT pg_sleep(600)')).rejects.toMatchObject({ code: '57014' });
  expect(isUnreachable({ code: '57014' })).toBe(true);
});

test('a connection to a server that became a standby is not reused', async () => {
  const pid = async () => (await pool.query('SELECT pg_backend_pid() AS pid')).rows[0].pid;
  const before = await pid();
  const write = inTransaction(pool, async (client) => {
    await client.query('SET TRANSACTION READ ONLY');
    await client.query('CREATE TABLE demoted (id integer)');
  });
  await expect(write).rejects.toMatchObject({ code: '25006' });
  expect(await pid()).not.toBe(before);
});

test('a batch without a reply fails, and the next one of its lane runs', async () => {
  const ran: number[][] = [];
  const load = inBatches<number, number>(
    (numbers) => {
      ran.push([...numbers]);
      return ran.length === 1 ? new Promise(() => {}) : Promise.resolve(numbers);
    },
    { lanes: 1, most: 2, replyWithinMs: 20 },
  );
  const first = Promise.allSettled([load(1), load(2)]);
  const next = load(3);
  expect((await first).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await next).toBe(3);
  expect(ran).toEqual([[1, 2], [3]]);
});
