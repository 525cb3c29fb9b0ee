// Brings a database to the newest schema, forward only. Two processes that start at once take turns; a second run
// changes nothing. Numbered files run once and are never edited. Functions (`migrations/functions`) run after them,
// again whenever their text changes; so do seeds. Uses only what the Apache edition of TimescaleDB has, so that both
// editions end with the same schema.
//
// A statement that waits for a lock makes every later reader and writer of the table wait behind it. So each waits for
// a second at most, and is tried again (`lock-patience.ts`): the service goes on beside a migration, however long
// somebody else reads.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import { ROOT } from '../../root';
import { SEED_NAMES } from '../sports/seed-names';
import { adopt, filesBeforeBaseline } from './adopt';
import { type LockPatience, USUAL_PATIENCE, withoutBlocking } from './lock-patience';
import { blocksNobody, isOutside, statementsOf } from './outside-transaction';

/** Any number that no other advisory lock of this database has. */
const MIGRATION_LOCK = 7_205_231_119;
const TURN_MS = 200;
const FUNCTIONS = 'functions/';
const SEEDS: readonly (readonly [name: string, sql: string])[] = [['seeds/sport_names', SEED_NAMES]];

export interface Migration {
  /** `0201_card.sql`, or `functions/write_poll.sql`: that one is repeatable. */
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

export interface MigrationReport {
  /** Names of the migrations that this run applied, in order; empty when there was nothing to do. */
  readonly applied: readonly string[];
  /** The database had the files before the baseline, and now lists the baseline too. */
  readonly adopted: boolean;
  readonly edition: 'apache' | 'community';
}

/** Numbered files, then functions, each by name, then seeds. */
export function readMigrations(folder = join(ROOT, 'migrations')): readonly Migration[] {
  const numbered = readdirSync(folder).filter((name) => /^\d{4}_.+\.sql$/.test(name));
  const functions = readdirSync(join(folder, FUNCTIONS)).filter((name) => name.endsWith('.sql'));
  const files = [...numbered.sort(), ...functions.sort().map((name) => FUNCTIONS + name)];
  const read = (name: string): readonly [string, string] => [name, readFileSync(join(folder, name), 'utf8')];
  return [...files.map(read), ...SEEDS].map(([name, sql]) => {
    return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
  });
}

type Grant = (client: ClientBase) => Promise<unknown>;

/**
 * `grant`: commits with the functions, which may need a table or a sequence that others have no right to yet. Not on a
 * newer release's database.
 */
export async function migrate(
  pool: Pool,
  migrations = readMigrations(),
  grant: Grant = async () => {},
  patience: LockPatience = USUAL_PATIENCE,
): Promise<MigrationReport> {
  const client = await pool.connect();
  try {
    await takeTurn(client);
    return await migrateLocked(client, migrations, grant, patience);
  } finally {
    // Closing the session releases the lock, also after a failure.
    client.release(true);
  }
}

/**
 * Asks again and again. A session that waits for a lock keeps a snapshot, for whose end an index that is built
 * CONCURRENTLY waits: a deadlock.
 */
async function takeTurn(client: ClientBase): Promise<void> {
  const text = 'SELECT pg_try_advisory_lock($1) AS taken';
  while (!(await client.query<{ taken: boolean }>(text, [MIGRATION_LOCK])).rows[0]!.taken) await delay(TURN_MS);
}

export const isNumbered = ({ name }: Pick<Migration, 'name'>): boolean => !isRepeatable({ name });

/** Functions and seeds. */
const isRepeatable = ({ name }: Pick<Migration, 'name'>): boolean =>
  name.startsWith(FUNCTIONS) || SEEDS.some(([seed]) => seed === name);

async function migrateLocked(
  client: ClientBase,
  migrations: readonly Migration[],
  grant: Grant,
  patience: LockPatience,
): Promise<MigrationReport> {
  await client.query('CREATE EXTENSION IF NOT EXISTS timescaledb');
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
    name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  const numbered = migrations.filter(isNumbered);
  const functions = migrations.filter(isRepeatable);
  const adopted = await adopt(client, numbered);
  const ofNumbers = await applyNumbered(client, numbered, patience);
  const applied = [...ofNumbers, ...(await applyFunctions(client, numbered, functions, grant, patience))];
  return { applied, adopted, edition: await edition(client) };
}

async function applyNumbered(
  client: ClientBase,
  migrations: readonly Migration[],
  patience: LockPatience,
): Promise<string[]> {
  const recorded = await recordedMigrations(client);
  const applied: string[] = [];
  if (migrations.some(({ name }) => !recorded.has(name))) await refuseBesideDump(client);
  for (const migration of migrations) {
    const sha256 = recorded.get(migration.name);
    if (sha256 === undefined) {
      const apply = isOutside(migration) ? applyOutside : applyInside;
      await naming(migration, () => apply(client, migration, patience));
      applied.push(migration.name);
    } else if (sha256 !== migration.sha256) {
      throw new Error(
        `${migration.name} was edited after it was applied to this database; add a new migration instead`,
      );
    }
  }
  return applied;
}

/** It reads every table until it ends, so no statement that changes one would get its lock. */
async function refuseBesideDump(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'pg_dump' LIMIT 1`,
  );
  if (rows[0]) throw new Error(`pg_dump (process ${rows[0].pid}) reads this database: migrate when it has ended`);
}

const applyInside = (client: ClientBase, migration: Migration, patience: LockPatience): Promise<void> =>
  withoutBlocking(client, patience, () => inOneTransaction(client, () => applyOnce(client, migration)));

/** Statement by statement. The next run repeats what an interrupted run had done. */
async function applyOutside(client: ClientBase, migration: Migration, patience: LockPatience): Promise<void> {
  for (const statement of statementsOf(migration)) {
    if (blocksNobody(statement)) await client.query(statement);
    else await withoutBlocking(client, patience, () => client.query(statement));
  }
  await inOneTransaction(client, () => applyOnce(client, { ...migration, sql: '' }));
}

/** It may drop or replace a function, so in the same transaction every function becomes due again. */
async function applyOnce(client: ClientBase, migration: Migration): Promise<void> {
  await run(client, migration);
  await client.query('DELETE FROM schema_migrations WHERE starts_with(name, $1)', [FUNCTIONS]);
}

/**
 * In one transaction, because they call each other: all of this release's functions or all of the previous one's. A
 * database with a numbered migration that this release lacks belongs to a newer release, and so do its functions.
 */
async function applyFunctions(
  client: ClientBase,
  numbered: readonly Migration[],
  functions: readonly Migration[],
  grant: Grant,
  patience: LockPatience,
): Promise<string[]> {
  const recorded = await recordedMigrations(client);
  const ours = new Set([...numbered.map(({ name }) => name), ...filesBeforeBaseline().keys()]);
  if ([...recorded.keys()].some((name) => isNumbered({ name }) && !ours.has(name))) return [];
  const due = functions.filter(({ name, sha256 }) => recorded.get(name) !== sha256);
  const apply = async () => {
    for (const each of due) await naming(each, () => run(client, each));
    await grant(client);
  };
  await withoutBlocking(client, patience, () => inOneTransaction(client, apply));
  return due.map(({ name }) => name);
}

async function recordedMigrations(client: ClientBase): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; sha256: string }>('SELECT name, sha256 FROM schema_migrations');
  return new Map(rows.map((row) => [row.name, row.sha256]));
}

async function run(client: ClientBase, { name, sql, sha256 }: Migration): Promise<void> {
  await client.query(sql);
  await client.query(
    `INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET sha256 = EXCLUDED.sha256, applied_at = now()`,
    [name, sha256],
  );
}

async function naming({ name }: Migration, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function inOneTransaction(client: ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function edition(client: ClientBase): Promise<MigrationReport['edition']> {
  const { rows } = await client.query<{ license: string }>(`SELECT current_setting('timescaledb.license') AS license`);
  return rows[0]?.license === 'timescale' ? 'community' : 'apache';
}
