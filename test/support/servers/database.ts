// A fresh, migrated database per test file on the real server. It is copied from a template that is migrated once per
// schema, under a lock, so that parallel test processes neither wait for migrations nor collide.
import { createHash, randomBytes } from 'node:crypto';
import { Pool, type PoolClient } from 'pg';
import { migrate, readMigrations } from '../../../src/store/pg/migrate';
import { createPool } from '../../../src/store/pg/pool';
import { AFTER_ROLLOUT, grantRights, readRights } from '../../../src/store/pg/roles';
import { ensureLogins } from './roles';

export interface TestDatabase {
  readonly url: string;
  readonly pool: Pool;
  drop(): Promise<void>;
}

/** The server that `npm test` names. Throws with the reason, so that no store test passes without one. */
export function serverUrl(): string {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL is not set: run the tests through `npm test`, which starts a server');
  return url;
}

export async function createTestDatabase(max = 10): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(async (admin) => {
    const template = await ensureTemplate(admin);
    await onceLeft(admin, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY ${await cheapest(admin)}`);
  });
  return openDatabase(name, max);
}

/** Copying the files takes half of the time, unless each must be on the disk before the next. */
async function cheapest(admin: PoolClient): Promise<string> {
  const { rows } = await admin.query(`SELECT current_setting('fsync') AS fsync`);
  return rows[0].fsync === 'off' ? 'FILE_COPY' : 'WAL_LOG';
}

/** An empty database without a schema, for tests that migrate one themselves. */
export async function createEmptyDatabase(max = 10): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin((admin) => admin.query(`CREATE DATABASE ${name}`));
  return openDatabase(name, max);
}

function openDatabase(name: string, max: number): TestDatabase {
  const url = databaseUrl(name);
  const pool = createPool(url, max);
  const drop = async (): Promise<void> => {
    await pool.end();
    await dropDatabase(url);
  };
  return { url, pool, drop };
}

export async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await asAdmin((admin) => onceLeft(admin, `DROP DATABASE ${name} WITH (FORCE)`));
}

const IN_USE = '55006';

/**
 * The server waits five seconds for the connections that it has terminated, including its own workers, and then
 * refuses.
 */
async function onceLeft(admin: PoolClient, statement: string): Promise<void> {
  for (;;) {
    try {
      await admin.query(statement);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== IN_USE) throw error;
    }
  }
}

function databaseUrl(name: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return url.toString();
}

/**
 * A few connections for all databases of a process: a login takes a quarter of the time of a new database. By server,
 * because a test may start its own.
 */
const admins = new Map<string, Pool>();

function adminsOf(connectionString: string): Pool {
  const known = admins.get(connectionString);
  if (known) return known;
  const pool = new Pool({ connectionString, idleTimeoutMillis: 5000, allowExitOnIdle: true });
  // A test that ends its server ends its idle connections.
  pool.on('error', () => undefined);
  admins.set(connectionString, pool);
  return pool;
}

async function asAdmin<T>(work: (admin: PoolClient) => Promise<T>): Promise<T> {
  const admin = await adminsOf(serverUrl()).connect();
  try {
    const done = await work(admin);
    admin.release();
    return done;
  } catch (error) {
    // Destroys the connection, which may still hold the lock.
    admin.release(true);
    throw error;
  }
}

/**
 * Named after its schema, and after the server's password, from which those of the logins are derived: the logins exist
 * before the template does.
 */
async function ensureTemplate(admin: PoolClient): Promise<string> {
  const schema = createHash('sha256').update(
    readMigrations()
      .map((m) => m.sha256)
      .join() +
      readRights() +
      readRights(AFTER_ROLLOUT) +
      new URL(serverUrl()).password,
  );
  const template = `test_template_${schema.digest('hex').slice(0, 12)}`;
  const isThere = async () =>
    (await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [template])).rowCount !== 0;
  if (await isThere()) return template;
  await admin.query('SELECT pg_advisory_lock(hashtext($1))', [template]);
  if (!(await isThere())) {
    await ensureLogins(admin, serverUrl());
    await buildTemplate(admin, template);
  }
  await admin.query('SELECT pg_advisory_unlock(hashtext($1))', [template]);
  return template;
}

async function buildTemplate(admin: PoolClient, template: string): Promise<void> {
  const building = `${template}_building`;
  await onceLeft(admin, `DROP DATABASE IF EXISTS ${building} WITH (FORCE)`);
  await admin.query(`CREATE DATABASE ${building}`);
  const pool = createPool(databaseUrl(building), 1);
  await migrate(pool);
  await grantRights(pool);
  await pool.end();
  // TimescaleDB's own workers connect to every database that allows connections, but the source of a copy may have
  // none.
  await admin.query(`ALTER DATABASE ${building} ALLOW_CONNECTIONS false`);
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [building]);
  await onceLeft(admin, `ALTER DATABASE ${building} RENAME TO ${template}`);
}
