// Counts everything: rows and bytes of every table with its chunks and partitions, keys and memory of Redis, files and
// bytes of the file store.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';

export interface TableSize {
  readonly rows: number;
  readonly bytes: number;
  /** Chunks or partitions. */
  readonly parts: number;
}

export interface Census {
  /** Days since the year began. */
  readonly day: number;
  readonly tables: ReadonlyMap<string, TableSize>;
  readonly redisKeys: number;
  readonly redisBytes: number;
  readonly files: number;
  readonly fileBytes: number;
}

/** Every table that is not part of another. The partitions of events, deliveries and attempts count for the whole. */
const SIZES = `
  WITH RECURSIVE roots AS (
    SELECT c.oid, c.oid AS root, false AS part FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     UNION ALL
    SELECT i.inhrelid, r.root, true FROM roots r JOIN pg_inherits i ON i.inhparent = r.oid)
  SELECT root::regclass::text AS name, sum(pg_total_relation_size(oid))::bigint AS bytes, count(*) FILTER (WHERE part) AS parts
    FROM roots GROUP BY 1 ORDER BY 1`;

export async function takeCensus(owner: Pool, redis: Redis, folder: string, day: number): Promise<Census> {
  // As on a server at rest: dead rows are not growth, because their space is reused.
  await owner.query('VACUUM');
  const { rows } = await owner.query<{ name: string; bytes: number; parts: number }>(SIZES);
  const tables = new Map<string, TableSize>();
  for (const { name, bytes, parts } of rows) {
    const count = await owner.query<{ n: number }>(`SELECT count(*) AS n FROM ${name}`);
    tables.set(name, { rows: count.rows[0]!.n, bytes, parts });
  }
  const memory = /used_memory:(\d+)/.exec(await redis.info('memory'))!;
  const files = await filesIn(folder);
  return {
    day,
    tables,
    redisKeys: await redis.dbsize(),
    redisBytes: Number(memory[1]),
    files: files.length,
    fileBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

export async function filesIn(folder: string): Promise<readonly { readonly name: string; readonly bytes: number }[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = found.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(
    files.map(async (path) => ({ name: path.slice(folder.length + 1), bytes: (await stat(path)).size })),
  );
}
