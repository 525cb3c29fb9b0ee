// Brings a database to the newest schema, forward only. Two processes that start at once take turns; a second run changes nothing.
// Uses only what the Apache edition of TimescaleDB has, so that both editions end with the same schema.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientBase, Pool } from 'pg';

/** Any number, as long as nobody else in this database takes it for an advisory lock. */
const MIGRATION_LOCK = 7_205_231_119;

export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

export interface MigrationReport {
  /** Names of the migrations that this run applied, in order; empty when there was nothing to do. */
  readonly applied: readonly string[];
  readonly edition: 'apache' | 'community';
}

export function readMigrations(folder = join(__dirname, '../../../migrations')): readonly Migration[] {
  const names = readdirSync(folder).filter((name) => /^\d{4}_.+\.sql$/.test(name));
  return names.sort().map((name) => {
    const sql = readFileSync(join(folder, name), 'utf8');
    return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
  });
}

export async function migrate(pool: Pool, migrations = readMigrations()): Promise<MigrationReport> {
  const client = await pool.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await migrateLocked(client, migrations);
  } finally {
    // Closing the session is what lets the lock go, also after a failure half way.
    client.release(true);
  }
}

async function migrateLocked(client: ClientBase, migrations: readonly Migration[]): Promise<MigrationReport> {
  await client.query('CREATE EXTENSION IF NOT EXISTS timescaledb');
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
    name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  const held = await appliedMigrations(client);
  const applied: string[] = [];
  for (const migration of migrations) {
    const sha256 = held.get(migration.name);
    if (sha256 === undefined) {
      await apply(client, migration);
      applied.push(migration.name);
    } else if (sha256 !== migration.sha256) {
      throw new Error(
        `${migration.name} was edited after it was applied to this database; add a new migration instead`,
      );
    }
  }
  return { applied, edition: await edition(client) };
}

async function appliedMigrations(client: ClientBase): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; sha256: string }>('SELECT name, sha256 FROM schema_migrations');
  return new Map(rows.map((row) => [row.name, row.sha256]));
}

/** One migration, one transaction: all of it is there or none. */
async function apply(client: ClientBase, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(migration.sql);
    await client.query('INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)', [
      migration.name,
      migration.sha256,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`${migration.name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** What the server may be asked for beyond the common ground; a later migration that wants more asks the same. */
async function edition(client: ClientBase): Promise<MigrationReport['edition']> {
  const { rows } = await client.query<{ license: string }>(`SELECT current_setting('timescaledb.license') AS license`);
  return rows[0]?.license === 'timescale' ? 'community' : 'apache';
}
