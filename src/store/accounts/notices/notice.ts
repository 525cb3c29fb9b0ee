// What is written of a fact of an account, in the transaction of the fact: a mail to its owner, if there is one, and an
// event for webhooks (D65). Neither is written without the fact, and the fact happens once, so neither is written
// twice.
import type { ClientBase } from 'pg';
import type { AccountEvent } from '../../../domain/events/account-event';
import type { Sealer } from '../../secrets/sealer';
import { insertMail, type NewMail } from '../mails';

/** Of a fact that was found by comparing a level with its mark. */
export interface Notice {
  /** Null: no mail is to be written. */
  readonly mail: NewMail | null;
  readonly event: AccountEvent;
}

/** Of a change, once what it changed and the address of the owner are known. */
export interface NoticeOf<Change = void> {
  mail(email: string, change: Change): NewMail;
  event(change: Change): AccountEvent;
}

const WRITE_EVENT = 'INSERT INTO events (kind, account_id, occurred_at, facts) VALUES ($1, $2, $3, $4)';

/** In the transaction of the fact, after what makes sure that no other writes it. */
export async function writeEvent(
  client: ClientBase,
  accountId: string,
  { kind, at, facts }: AccountEvent,
): Promise<void> {
  await client.query(WRITE_EVENT, [kind, accountId, at, JSON.stringify(facts)]);
}

/** In the transaction of the change. A fact whose mail is there was noticed before. */
export async function noticeChange<Change>(
  client: ClientBase,
  sealer: Sealer,
  accountId: string,
  notice: NoticeOf<Change>,
  change: Change,
): Promise<void> {
  const text = 'SELECT email FROM account_owners WHERE account_id = $1';
  const { rows } = await client.query<{ readonly email: string }>(text, [accountId]);
  if (rows[0] && !(await insertMail(client, sealer, notice.mail(rows[0].email, change)))) return;
  await writeEvent(client, accountId, notice.event(change));
}
