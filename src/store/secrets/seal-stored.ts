// `ops secrets seal`: every stored secret is sealed under the first key of the ring. Each value is replaced in its own
// statement, which changes nothing if the value has changed by then: the command may be killed at any row, repeated and
// run twice at once. A rotation moves a secret from `secret` to `previous_secret`, so the columns are passed in that
// order.
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { inTransaction } from '../pg/transaction';
import { isSealed, type KeyRing, NONCE_BYTES, open, type SealedPlace, seal, sealedUnder } from './seal';
import { SECRET_COLUMNS, type SecretColumn, textOf } from './stored-secrets';

export interface SealReport {
  /** Values that were stored in plain. */
  sealed: number;
  /** Values that were sealed under another key. */
  resealed: number;
  /** Values that no key of the ring opens, and why. They are unchanged. */
  readonly unopened: string[];
}

/** Of `sealing_key`. */
const SEALING_LOCK = 7_205_231_140;
/** Writers of secrets wait for this command while it waits for the earlier ones. */
const WAITS_MS = 5000;
const AT_ONCE = 200;

/** `ring` has a key. */
export async function sealStored(pool: Pool, ring: KeyRing, random = randomBytes): Promise<SealReport> {
  await turnOn(pool, ring[0]!.id);
  const report: SealReport = { sealed: 0, resealed: 0, unopened: [] };
  for (const column of SECRET_COLUMNS) await sealColumn({ pool, ring, random, report }, column);
  return report;
}

/** From here on every process seals its writes under this key; earlier values are visible to the search. */
async function turnOn(pool: Pool, keyId: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query(`SET LOCAL lock_timeout = ${WAITS_MS}`);
    await client.query('SELECT pg_advisory_xact_lock($1)', [SEALING_LOCK]);
    await client.query('UPDATE secret_sealing SET key_id = $1', [keyId]);
  });
}

interface Pass {
  readonly pool: Pool;
  readonly ring: KeyRing;
  readonly random: (size: number) => Buffer;
  readonly report: SealReport;
}

interface StoredValue {
  readonly id: string;
  readonly value: string | Buffer;
}

async function sealColumn(pass: Pass, column: SecretColumn): Promise<void> {
  const { table, id, where } = column;
  const text = `
    SELECT ${id}::text AS id, ${column.column} AS value FROM ${table}
     WHERE ${where} AND NOT starts_with(${textOf(column)}, $1) AND ($2::text IS NULL OR ${id}::text > $2)
     ORDER BY ${id}::text LIMIT ${AT_ONCE}`;
  let after: string | null = null;
  for (;;) {
    const values: unknown[] = [sealedUnder(pass.ring[0]!.id), after];
    const { rows }: { rows: StoredValue[] } = await pass.pool.query<StoredValue>(text, values);
    for (const row of rows) await sealValue(pass, column, row);
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)!.id;
  }
}

/** A value that changes meanwhile is sealed by the process that writes it. */
async function sealValue({ pool, ring, random, report }: Pass, column: SecretColumn, row: StoredValue): Promise<void> {
  const { table, id, isBytes, sealedFor } = column;
  const place: SealedPlace = { table, column: sealedFor, row: row.id };
  const stored = typeof row.value === 'string' ? row.value : row.value.toString('latin1');
  const opened = isBytes && !isSealed(stored) ? { plain: row.value as Buffer } : open(stored, place, ring);
  if ('problem' in opened) {
    report.unopened.push(`${table} ${row.id}: ${opened.problem}`);
    return;
  }
  const sealed = seal(opened.plain, place, ring[0]!, random(NONCE_BYTES));
  const text = `UPDATE ${table} SET ${column.column} = $3 WHERE ${id} = $1 AND ${column.column} = $2`;
  const { rowCount } = await pool.query(text, [row.id, row.value, isBytes ? Buffer.from(sealed) : sealed]);
  if (rowCount === 0) return;
  if (isSealed(stored)) report.resealed += 1;
  else report.sealed += 1;
}
