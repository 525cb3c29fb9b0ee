import { createPool } from '../../../src/store/pg/pool';
import { serverUrl } from '../../support/servers/database';

const pool = createPool(serverUrl(), 2);
afterAll(() => pool.end());

test('a connection that the server ends in a transaction fails its queries, not the process', async () => {
  const client = await pool.connect();
  await client.query('BEGIN');
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const ended = new Promise((done) => client.once('end', done));
  await pool.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
  await ended;
  await expect(client.query('SELECT 1')).rejects.toThrow();
  client.release(true);
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('an idle transaction does not stay open forever', async () => {
  const { rows } = await pool.query('SHOW idle_in_transaction_session_timeout');
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '2min' }]);
});
