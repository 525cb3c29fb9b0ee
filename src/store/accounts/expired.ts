// Removes what has expired: sessions, known browsers, links, challenges, mails and keys; and what nothing needs any
// more of rows that stay for some days. In small statements, beside those of other processes. Never what is still
// good by the database's clock, however far ahead the process is (D37).
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

/** For some days an expired link is refused as expired, and a mail shows when it was sent. */
const KEPT = `interval '7 days'`;
/** An owner who asks why a program of last quarter fails still finds its key. */
const KEYS_KEPT = `interval '90 days'`;
/** A process that claimed a mail in its last moment has sent it by then. */
const CLAIMED = `interval '1 hour'`;
const MOST = 1000;

const AT = 'LEAST($1::timestamptz, now())';

const EXPIRED: Readonly<Record<string, readonly [id: string, where: string]>> = {
  sessions: ['token_hash', `expires_at <= ${AT}`],
  known_browsers: ['token_hash', `expires_at <= ${AT}`],
  mailed_links: ['token_hash', `expires_at <= ${AT} - ${KEPT}`],
  passkey_challenges: ['challenge_hash', `expires_at <= ${AT}`],
  // As long as an Idempotency-Key counts.
  webhook_replays: ['ctid', `created_at <= ${AT} - interval '1 day'`],
  // Of the last minute, and for a call that is taken back late.
  shared_charges: ['ctid', `begun_at <= ${AT} - interval '2 days'`],
  // Their use counts for further accounts of the mailbox until the month ends.
  closed_mailboxes: ['ctid', `period < date_trunc('month', ${AT} AT TIME ZONE 'UTC')`],
  mail_minutes: ['minute', `minute <= ${AT} - interval '1 day'`],
  // Before their mails: an alert shows what became of its mail.
  price_alerts: ['alert_id', `COALESCE(reached_at, ended_at) <= ${AT} - ${KEPT}`],
  price_alert_days: ['ctid', `day < (${AT} - ${KEPT})::date`],
  mails: ['mail_id', `body IS NULL AND created_at <= ${AT} - ${KEPT}`],
};

const some = (table: string, id: string, where: string): string =>
  `${id} IN (SELECT ${id} FROM ${table} WHERE ${where} LIMIT ${MOST})`;

const STATEMENTS: readonly string[] = [
  ...Object.entries(EXPIRED).map(([table, [id, where]]) => `DELETE FROM ${table} WHERE ${some(table, id, where)}`),
  // A link that was not pressed keeps no password, if only as its hash.
  `UPDATE mailed_links SET signup = signup - 'passwordHash'
    WHERE ${some('mailed_links', 'token_hash', `expires_at <= ${AT} AND signup ? 'passwordHash'`)}`,
  // Without a way out for mail no process gives them up.
  `UPDATE mails SET body = NULL, problem = 'not sent in time'
    WHERE ${some('mails', 'mail_id', `sent_at IS NULL AND body IS NOT NULL AND COALESCE(give_up_at, created_at + interval '3 days') <= ${AT} - ${CLAIMED}`)}`,
];

const FORGET_KEYS = `SELECT forget_ended_keys(${AT} - ${KEYS_KEPT}, ${MOST}) AS keys`;

export interface ExpiredStore {
  /** At most `MOST` rows of each table; true: there may be more. */
  remove(at: Instant): Promise<boolean>;
}

export function createExpiredStore(pool: Pool): ExpiredStore {
  return { remove: (at) => removeExpired(pool, at) };
}

async function removeExpired(pool: Pool, at: Instant): Promise<boolean> {
  const changed: number[] = [];
  for (const text of STATEMENTS) changed.push((await pool.query(text, [at])).rowCount ?? 0);
  const { rows } = await pool.query<{ keys: number }>(FORGET_KEYS, [at]);
  return [...changed, rows[0]!.keys].some((count) => count >= MOST);
}
