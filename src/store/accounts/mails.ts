// The outbox of mail (D40): a row is written in the transaction of its cause, and sent after it. Any number of
// processes share the work: a mail belongs to the one that claimed it until its lease is over, so a mail may be sent
// twice after a crash, and is never lost. The text, which may hold the token of a link, goes as soon as the mail is
// sent or given up.
import { randomUUID } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { idOfKey } from '../business-key';
import type { SealedPlace } from '../secrets/seal';
import type { OpenedText, Sealer } from '../secrets/sealer';

/** Mails that an owner may switch off: of price alerts, and at 80 and 100 percent of a month's credits. */
export type MailList = 'alerts' | 'credits';

export interface NewMail {
  readonly recipient: string;
  readonly subject: string;
  /** Plain text. */
  readonly body: string;
  readonly at: Instant;
  /** Not sent after that. */
  readonly giveUpAt: Instant;
  /** The fact that it reports: of two mails of one fact only the first is written. Absent: it is a mail by itself. */
  readonly fact?: string;
  /** Its text has the link that stops mails of this list. Absent: its kind cannot be stopped. */
  readonly list?: MailList;
}

export interface ClaimedMail {
  readonly mailId: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: OpenedText;
  readonly list: MailList | null;
  readonly createdAt: Instant;
  readonly giveUpAt: Instant;
  /** This one included. */
  readonly attempts: number;
}

export interface MailStore {
  /** At most `most` mails that are due, longest due first; no other process gets them before `leaseUntil`. */
  claim(at: Instant, leaseUntil: Instant, most: number): Promise<readonly ClaimedMail[]>;
  sent(mailId: string, at: Instant): Promise<void>;
  /** `dueAt` null: it is given up. */
  failed(mailId: string, dueAt: Instant | null, problem: string): Promise<void>;
  /** Mails that are still to be sent. */
  waiting(): Promise<{ readonly count: number; readonly oldestAt: Instant | null }>;
}

/** One mail; `from`: the rows that it is written for, one at most. Parameters begin at `first`. */
export const insertMailText = (first: number, from = ''): string => `
  INSERT INTO mails (mail_id, recipient, subject, body, created_at, due_at, give_up_at, list)
  SELECT $${first}::uuid, $${first + 1}, $${first + 2}, $${first + 3}, $${first + 4}::timestamptz, $${first + 4}::timestamptz,
         $${first + 5}::timestamptz, $${first + 6} ${from}`;

/** In the transaction in which it is written. */
export async function mailValues(client: ClientBase, sealer: Sealer, mail: NewMail): Promise<unknown[]> {
  const { recipient, subject, body, at, giveUpAt, fact, list = null } = mail;
  const mailId = fact === undefined ? randomUUID() : idOfKey(fact);
  return [mailId, recipient, subject, await sealer.sealed(client, placeOf(mailId), body), at, giveUpAt, list];
}

const placeOf = (mailId: string): SealedPlace => ({ table: 'mails', column: 'body', row: mailId });

/** In a transaction of the caller's. False: the mail of its fact is there already. */
export async function insertMail(client: ClientBase, sealer: Sealer, mail: NewMail): Promise<boolean> {
  const text = `${insertMailText(1)} ON CONFLICT DO NOTHING`;
  return (await client.query(text, await mailValues(client, sealer, mail))).rowCount === 1;
}

const CLAIM = `
  UPDATE mails SET due_at = $2, attempts = attempts + 1
   WHERE mail_id IN (SELECT mail_id FROM mails WHERE sent_at IS NULL AND body IS NOT NULL AND due_at <= $1
                      ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
  RETURNING mail_id AS "mailId", recipient, subject, body, list, created_at AS "createdAt", attempts,
            COALESCE(give_up_at, created_at + interval '3 days') AS "giveUpAt"`;

interface ClaimedRow extends Omit<ClaimedMail, 'text'> {
  readonly body: string;
}

export function createMailStore(pool: Pool, sealer: Sealer): MailStore {
  return {
    async claim(at, leaseUntil, most) {
      const { rows } = await pool.query<ClaimedRow>({
        name: 'mails-claim',
        text: CLAIM,
        values: [at, leaseUntil, most],
      });
      return rows.map(({ body, ...mail }) => ({ ...mail, text: sealer.open(placeOf(mail.mailId), body) }));
    },
    async sent(mailId, at) {
      const text = 'UPDATE mails SET sent_at = $2, body = NULL, problem = NULL WHERE mail_id = $1 AND sent_at IS NULL';
      await pool.query(text, [mailId, at]);
    },
    async failed(mailId, dueAt, problem) {
      const text = `
        UPDATE mails SET problem = $3, due_at = COALESCE($2, due_at), body = CASE WHEN $2::timestamptz IS NOT NULL THEN body END
         WHERE mail_id = $1 AND sent_at IS NULL`;
      await pool.query(text, [mailId, dueAt, problem]);
    },
    async waiting() {
      const text = `
        SELECT count(*) AS count, min(created_at) AS "oldestAt" FROM mails WHERE sent_at IS NULL AND body IS NOT NULL`;
      const { rows } = await pool.query<{ count: number; oldestAt: Instant | null }>({ name: 'mails-waiting', text });
      return rows[0]!;
    },
  };
}
