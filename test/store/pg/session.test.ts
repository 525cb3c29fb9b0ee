// What a session lacks is what it was not given; what `ops roles` gives a login, its sessions have when a pooler drops
// everything that a process asks for.
import { Pool } from 'pg';
import { createPool } from '../../../src/store/pg/pool';
import { giveLoginSettings } from '../../../src/store/pg/sessions/login-settings';
import { lackingSettings, suffices } from '../../../src/store/pg/sessions/session';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { asLogin, type Group } from '../../support/servers/roles';

const CLOCK = { anchorMs: 1_780_000_000_000, speed: 30 };
const NEEDS = { timeouts: { connectMs: 5000, queryMs: 5000 } };

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const named = (lacking: readonly string[]): string[] => lacking.map((text) => text.split(' ')[0]!).sort();

/** With what the login has, and `options`. The drop of its database ends it. */
function openBare(url: string, options: readonly string[] = []): Pool {
  const pool = new Pool({ connectionString: url, max: 1, options: options.map((each) => `-c ${each}`).join(' ') });
  return pool.on('error', () => undefined);
}

/** As a pooler opens them. */
async function bare(group: Group, needs: Parameters<typeof lackingSettings>[1]): Promise<string[]> {
  const pool = openBare(asLogin(db.url, group));
  try {
    return named(await lackingSettings(pool, needs));
  } finally {
    await pool.end();
  }
}

test('a session of a pool of ours lacks nothing, whatever is needed', async () => {
  for (const needs of [
    {},
    NEEDS,
    { ...NEEDS, clock: CLOCK, readOnly: true },
    { timeouts: { connectMs: 5000, queryMs: null } },
  ]) {
    const pool = createPool(db.url, 1, { ...needs });
    expect(await lackingSettings(pool, needs)).toEqual([]);
    await pool.end();
  }
});

test('each setting that a session was not given is named, and no other', async () => {
  const options = ['timezone=Australia/Sydney', 'racing.clock_anchor=1780000000000', 'racing.clock_speed=1', 'jit=off'];
  const pool = openBare(db.url, options);
  const lacking = await lackingSettings(pool, { clock: CLOCK, readOnly: true });
  await pool.end();
  expect(lacking).toContain('timezone is Australia/Sydney, not UTC');
  expect(lacking).toContain('racing.clock_speed is 1, not 30');
  const others = ['default_transaction_read_only', 'idle_in_transaction_session_timeout'];
  expect(named(lacking)).toEqual([...others, 'racing.clock_speed', 'timezone']);
});

test('a login has what its processes need, in this database alone, and the worker’s has its clock', async () => {
  const clocked = { ...NEEDS, clock: CLOCK };
  expect(await bare('racing_worker', clocked)).toContain('racing.clock_anchor');
  const given = await giveLoginSettings(db.pool, clocked);
  expect(given).toEqual({ given: ['racing_api_test', 'racing_worker_test'], kept: [] });
  expect(await giveLoginSettings(db.pool, clocked)).toEqual({ given: [], kept: [] });
  expect(await bare('racing_worker', clocked)).toEqual([]);
  expect(await bare('racing_api', NEEDS)).toEqual([]);
  expect(await bare('racing_api', clocked)).toEqual(['racing.clock_anchor', 'racing.clock_speed']);
  const other = await createTestDatabase();
  const pool = openBare(asLogin(other.url, 'racing_worker'));
  expect(named(await lackingSettings(pool, clocked))).toContain('racing.clock_anchor');
  await pool.end();
  await other.drop();
});

test('a login keeps the limits and the clock that it has, with a line for each; owner and superusers get none', async () => {
  const other = { timeouts: { queryMs: 60_000 }, clock: { ...CLOCK, speed: 1 } };
  expect(await giveLoginSettings(db.pool, other)).toEqual({
    given: [],
    kept: [
      'racing_api_test keeps statement_timeout 5000, not 60000',
      'racing_worker_test keeps statement_timeout 5000, not 60000',
      'racing_worker_test keeps racing.clock_speed 30, not 1',
    ],
  });
  expect(await bare('racing_worker', { ...NEEDS, clock: CLOCK })).toEqual([]);
  const owners = `SELECT rolname FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole
    JOIN pg_database d ON d.oid = s.setdatabase WHERE d.datname = current_database() ORDER BY 1`;
  const { rows } = await db.pool.query<{ rolname: string }>(owners);
  expect(rows.map(({ rolname }) => rolname)).toEqual(['racing_api_test', 'racing_worker_test']);
});

test.each([
  ['statement_timeout', '0', '5000', false],
  ['statement_timeout', '5001', '5000', false],
  ['statement_timeout', '4999', '5000', true],
  ['statement_timeout', '5000', '0', true],
  ['racing.clock_speed', '1.0', '1', true],
  ['racing.clock_speed', '', '0', false],
  ['timezone', 'Etc/UTC', 'UTC', false],
])('%s %p where %p is needed: %p', (name, value, needed, does) => {
  expect(suffices(name, value, needed)).toBe(does);
});
