// The databases of `bench/archive`: their disk space is checked first, and none outlives the bench, whatever ends it.
import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { migrate } from '../../../src/store/pg/migrate';
import { createPool } from '../../../src/store/pg/pool';

export interface Databases {
  /** Migrated. */
  create(): Promise<BenchDatabase>;
  /** A copy of one that is not in use: its pool is ended, and a new one opened. */
  copy(of: BenchDatabase): Promise<BenchDatabase>;
  drop(): Promise<void>;
}

export interface BenchDatabase {
  readonly url: string;
  pool: Pool;
}

/** Rows, keys, the write-ahead log and the ticks of days that are not dropped yet. */
const BYTES_A_TICK = 500;
const SPARE_BYTES = 2e9;

/**
 * Throws where the server's disk has too little. Of a server on another machine it only prints that it is not checked.
 */
export async function requireSpace(admin: Pool, ticks: number): Promise<void> {
  const needed = ticks * BYTES_A_TICK + SPARE_BYTES;
  const free = await freeBytes(admin);
  const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
  if (free === null) console.log(`needs ${gigabytes(needed)}; the disk of this server cannot be seen from here`);
  else if (free < needed) throw new Error(`needs ${gigabytes(needed)} of disk, and ${gigabytes(free)} are free`);
  else console.log(`needs ${gigabytes(needed)} of disk; ${gigabytes(free)} are free`);
}

/** A server's process stands in its data folder, also one in a root of its own. */
async function freeBytes(admin: Pool): Promise<number | null> {
  const { rows } = await admin.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  try {
    const { bavail, bsize } = statfsSync(`/proc/${rows[0]!.pid}/cwd`);
    return bavail * bsize;
  } catch {
    return null;
  }
}

export function benchDatabases(server: string, admin: Pool): Databases {
  const all: { name: string; database: BenchDatabase }[] = [];
  const add = (name: string): BenchDatabase => {
    const url = new URL(server);
    url.pathname = `/${name}`;
    const database = { url: url.toString(), pool: createPool(url.toString(), 8) };
    all.push({ name, database });
    return database;
  };
  const nameOne = (): string => `bench_archive_${randomBytes(4).toString('hex')}`;
  return {
    async create() {
      const name = nameOne();
      await admin.query(`CREATE DATABASE ${name}`);
      const database = add(name);
      await migrate(database.pool);
      return database;
    },
    async copy(of) {
      const name = nameOne();
      const source = all.find(({ database }) => database === of)!.name;
      await of.pool.end();
      await onceLeft(admin, source, `CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY FILE_COPY`);
      of.pool = createPool(of.url, 8);
      return add(name);
    },
    async drop() {
      for (const { name, database } of all.splice(0)) {
        if (!database.pool.ended) void database.pool.end();
        await onceLeft(admin, name, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }
    },
  };
}

const IN_USE = '55006';

/** TimescaleDB's own workers come back to a database until it is gone. */
async function onceLeft(admin: Pool, name: string, statement: string): Promise<void> {
  for (;;) {
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    try {
      await admin.query(statement);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== IN_USE) throw error;
      await sleep(100);
    }
  }
}
