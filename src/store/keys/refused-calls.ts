// Refused calls of an account's keys: how many by key and code, and the newest of each. Kept for 30 days.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { KEPT_REFUSED_CALLS } from '../../plans/limits';
import { inTransaction } from '../pg/transaction';

interface OfKey {
  readonly accountId: string;
  readonly keyId: string;
  readonly code: string;
}

/** Of one API process in five minutes, all of it: a later count of the same five minutes replaces it. */
export interface RefusedCount extends OfKey {
  readonly fromAt: Instant;
  readonly calls: number;
}

export interface RefusedCall extends OfKey {
  readonly at: Instant;
  readonly requestId: string;
  /** `GET /v1/racing/best-odds`; null: there is none at the address. */
  readonly operation: string | null;
  readonly status: number;
  readonly detail: string;
}

/** By key and code, most calls of the week first. */
export interface RefusedSum {
  readonly keyId: string;
  readonly code: string;
  readonly lastDay: number;
  readonly lastWeek: number;
}

export interface RefusedCallStore {
  /** Repeatable. `process`: a UUID. */
  save(process: string, counts: readonly RefusedCount[], calls: readonly RefusedCall[]): Promise<void>;
  /** And those that a process stored after their account was closed. */
  removeBefore(at: Instant): Promise<void>;
  sums(accountId: string, at: Instant): Promise<readonly RefusedSum[]>;
  /** The newest 50; of a key, a code or a request where these are named. */
  newest(accountId: string, of: NewestOf): Promise<readonly RefusedCall[]>;
}

interface NewestOf {
  readonly keyId: string | null;
  readonly code: string | null;
  readonly requestId: string | null;
}

const SAVE_COUNTS = `
  INSERT INTO refused_counts AS stored (account_id, key_id, code, from_at, process, calls)
  SELECT account_id, key_id, code, from_at, $1, calls
    FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::integer[]) AS t(account_id, key_id, code, from_at, calls)
  ON CONFLICT (account_id, from_at, key_id, code, process)
  DO UPDATE SET calls = EXCLUDED.calls WHERE stored.calls < EXCLUDED.calls`;

const SAVE_CALLS = `
  INSERT INTO refused_calls (account_id, key_id, code, at, request_id, operation, status, detail)
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::smallint[], $8::text[])
  ON CONFLICT DO NOTHING`;

const TRIM = `
  DELETE FROM refused_calls c
   USING unnest($1::uuid[], $2::uuid[], $3::text[]) AS p(account_id, key_id, code),
         LATERAL (SELECT at, request_id FROM refused_calls n
                   WHERE n.account_id = p.account_id AND n.key_id = p.key_id AND n.code = p.code
                   ORDER BY at DESC, request_id DESC OFFSET $4 LIMIT 1) AS old
   WHERE c.account_id = p.account_id AND c.key_id = p.key_id AND c.code = p.code
     AND (c.at, c.request_id) <= (old.at, old.request_id)`;

const REMOVE_OF_CLOSED = ['refused_counts', 'refused_calls'].map(
  (table) => `DELETE FROM ${table} r USING accounts a WHERE a.account_id = r.account_id AND a.closed_at IS NOT NULL`,
);

const SUMS = `
  SELECT key_id AS "keyId", code, sum(calls)::int AS "lastWeek",
         COALESCE(sum(calls) FILTER (WHERE from_at > $2::timestamptz - interval '1 day'), 0)::int AS "lastDay"
    FROM refused_counts WHERE account_id = $1 AND from_at > $2::timestamptz - interval '7 days'
   GROUP BY 1, 2 ORDER BY 3 DESC, 2, 1`;

const NEWEST = `
  SELECT account_id AS "accountId", key_id AS "keyId", code, instant_text(at) AS at, request_id AS "requestId", operation, status, detail
    FROM refused_calls
   WHERE account_id = $1 AND ($2::uuid IS NULL OR key_id = $2) AND ($3::text IS NULL OR code = $3)
     AND ($4::text IS NULL OR request_id = $4)
   ORDER BY refused_calls.at DESC, request_id LIMIT ${KEPT_REFUSED_CALLS}`;

export function createRefusedCallStore(pool: Pool): RefusedCallStore {
  return {
    async save(process, counts, calls) {
      const ofKeys = (rows: readonly OfKey[]) => columnsOf(rows, 'accountId', 'keyId', 'code');
      await inTransaction(pool, async (client) => {
        await client.query(SAVE_COUNTS, [process, ...ofKeys(counts), ...columnsOf(counts, 'fromAt', 'calls')]);
        const facts = columnsOf(calls, 'at', 'requestId', 'operation', 'status', 'detail');
        await client.query(SAVE_CALLS, [...ofKeys(calls), ...facts]);
      });
      const pairs = new Map(calls.map((call) => [`${call.keyId} ${call.code}`, call]));
      if (pairs.size > 0) await pool.query(TRIM, [...ofKeys([...pairs.values()]), KEPT_REFUSED_CALLS]);
    },
    async removeBefore(at) {
      await pool.query('DELETE FROM refused_counts WHERE from_at < $1', [at]);
      await pool.query('DELETE FROM refused_calls WHERE at < $1', [at]);
      for (const text of REMOVE_OF_CLOSED) await pool.query(text);
    },
    sums: async (accountId, at) => (await pool.query<RefusedSum>(SUMS, [accountId, at])).rows,
    newest: async (accountId, { keyId, code, requestId }) =>
      (await pool.query<RefusedCall>(NEWEST, [accountId, keyId, code, requestId])).rows,
  };
}

const columnsOf = <R>(rows: readonly R[], ...names: readonly (keyof R)[]) =>
  names.map((name) => rows.map((row) => row[name]));
