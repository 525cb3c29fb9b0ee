// Removes what has expired: sessions, known browsers, links, and mails whose text is gone. In small statements, beside those of other processes.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

/** For some days an expired link is refused as expired, and a mail shows when it was sent. */
const KEPT = `interval '7 days'`;
const MOST = 1000;

const EXPIRED: Readonly<Record<string, readonly [id: string, where: string]>> = {
  sessions: ['token_hash', 'expires_at <= $1'],
  known_browsers: ['token_hash', 'expires_at <= $1'],
  mailed_links: ['token_hash', `expires_at <= $1::timestamptz - ${KEPT}`],
  mails: ['mail_id', `body IS NULL AND created_at <= $1::timestamptz - ${KEPT}`],
};

export interface ExpiredStore {
  /** At most `MOST` rows of each table; true: there may be more. */
  remove(at: Instant): Promise<boolean>;
}

export function createExpiredStore(pool: Pool): ExpiredStore {
  return { remove: (at) => removeExpired(pool, at) };
}

async function removeExpired(pool: Pool, at: Instant): Promise<boolean> {
  const removed: number[] = [];
  for (const [table, [id, where]] of Object.entries(EXPIRED)) {
    const some = `SELECT ${id} FROM ${table} WHERE ${where} LIMIT ${MOST}`;
    const { rowCount } = await pool.query(`DELETE FROM ${table} WHERE ${id} IN (${some})`, [at]);
    removed.push(rowCount ?? 0);
  }
  return removed.some((rows) => rows === MOST);
}
