// What the owner of an account was last mailed about, by kind. A mark is compared with the fact and set in the
// transaction that writes the mail and the event, and only from the mark that was compared: of two processes one writes
// them.
import type { ClientBase, Pool } from 'pg';
import { inTransaction } from '../../pg/transaction';
import type { Sealer } from '../../secrets/sealer';
import { insertMail } from '../mails';
import { type Notice, writeEvent } from './notice';

/** A fact that the owner was not mailed about. */
export interface Unmailed {
  readonly accountId: string;
  /** Of its owner; null: no mail is to be written. */
  readonly email: string | null;
  /** Names the fact among all of its kind. A later one is greater, as text. */
  readonly fact: string;
  /** The mark that was compared; null: there is none. */
  readonly mark: string | null;
}

const MARK = `
  INSERT INTO account_notices AS n (account_id, kind, mailed) VALUES ($1, $2, $3)
  ON CONFLICT (account_id, kind) DO UPDATE SET mailed = EXCLUDED.mailed WHERE n.mailed = $4`;

/** Whether the mark is set by this call; false: another process has set it. */
export async function setMark(
  client: ClientBase,
  kind: string,
  { accountId, fact, mark }: Omit<Unmailed, 'email'>,
): Promise<boolean> {
  return (await client.query(MARK, [accountId, kind, fact, mark])).rowCount === 1;
}

/** Writes both, unless another process did. */
export const writeNotice = (pool: Pool, sealer: Sealer, kind: string, of: Unmailed, notice: Notice): Promise<void> =>
  inTransaction(pool, async (client) => {
    const recipient = await presentAddress(client, of.accountId);
    if (!(await setMark(client, kind, of))) return;
    await noticeLevel(client, sealer, { ...of, fact: `${kind} ${of.accountId} ${of.fact}`, recipient }, notice);
  });

/**
 * Once the mark is set, in the same transaction. The mail goes to the owner's present address: an account that closes
 * meanwhile gets none after its last one.
 */
export async function noticeLevel(
  client: ClientBase,
  sealer: Sealer,
  of: { readonly accountId: string; readonly fact: string; readonly recipient: string | null },
  { mail, event }: Notice,
): Promise<void> {
  const { accountId, fact, recipient } = of;
  if (mail !== null && recipient !== null) await insertMail(client, sealer, { ...mail, recipient, fact });
  await writeEvent(client, accountId, event);
}

/** Of the owner, who keeps it until the transaction of the caller ends; null: there is none. */
export async function presentAddress(client: ClientBase, accountId: string): Promise<string | null> {
  const text = 'SELECT email FROM account_owners WHERE account_id = $1 FOR SHARE';
  const { rows } = await client.query<{ readonly email: string }>(text, [accountId]);
  return rows[0]?.email ?? null;
}

/** Tables for a statement in which `a` names the account: its owner `o`, and its mark `n` of this kind. */
export const ownerAndMark = (kind: string, a: string): string => `
  LEFT JOIN account_owners o ON o.account_id = ${a}.account_id
  LEFT JOIN account_notices n ON n.account_id = ${a}.account_id AND n.kind = '${kind}'`;

export const isAfterMark = (fact: string): string => `(n.mailed IS NULL OR n.mailed < ${fact})`;
