// How a process uses PostgreSQL.
import type { Environment } from './environment';

export interface DatabaseSettings {
  readonly databaseUrl: string;
  /** Without a pooler: for what needs a session of its own. `databaseUrl`, if that has none. */
  readonly databaseDirectUrl: string;
  readonly databasePoolMax: number;
  /** Of an API process, beside those. */
  readonly databaseStreamPoolMax: number;
  readonly databaseTimeouts: DatabaseTimeouts;
  /** For an API process's reads of the past; null: all reads run on the primary. */
  readonly databaseReplica: ReplicaSettings | null;
}

interface DatabaseTimeouts {
  /** For a connection, whether new or from the pool. */
  readonly connectMs: number;
  /** Null: a statement may take as long as it needs. */
  readonly queryMs: number | null;
}

interface ReplicaSettings {
  readonly url: string;
  /** Wall. While more than this cannot be excluded, the primary is read. */
  readonly maxAgeMs: number;
}

export const databaseOf = (env: Environment): DatabaseSettings => ({
  databaseUrl: env.DATABASE_URL,
  databaseDirectUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
  databasePoolMax: env.DATABASE_POOL_MAX,
  databaseStreamPoolMax: env.DATABASE_STREAM_POOL_MAX,
  databaseTimeouts: { connectMs: env.DATABASE_CONNECT_TIMEOUT_MS, queryMs: env.DATABASE_QUERY_TIMEOUT_MS },
  databaseReplica:
    env.DATABASE_READ_URL === undefined ? null : { url: env.DATABASE_READ_URL, maxAgeMs: env.DATABASE_READ_MAX_AGE_MS },
});
