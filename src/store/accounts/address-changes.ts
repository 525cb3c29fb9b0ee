// Changes the address of an account by two links. The new address confirms. The old one can take the change back for
// some days, whatever was done to the account since. While one address has that right, a later one gets no such link: a
// thief could keep the account with it after its owner's link has expired. Each link is one transaction, in which it is
// used up; a refusal leaves it as it was.
import type { ClientBase, Pool } from 'pg';
import type { AccountEvent } from '../../domain/events/account-event';
import type { Instant } from '../../domain/race/race';
import { inTransaction } from '../pg/transaction';
import type { Sealer } from '../secrets/sealer';
import { carryUse, rememberUse } from './earlier-use';
import { endLinks, type LinkProblem, type LinkPurpose, type StoredLink, useLink } from './links';
import { fillMailboxes, type MailboxOf } from './mailboxes/mailboxes';
import { insertMail, type NewMail } from './mails';
import { writeEvent } from './notices/notice';
import { lockMailboxes } from './owner-lock';
import { REMOVE_PASSKEYS } from './passkeys/passkeys';
import { endSessions } from './sessions';

interface Pressed {
  readonly tokenHash: Buffer;
  readonly at: Instant;
  readonly mailboxOf: MailboxOf;
  /** First day of the UTC month. */
  readonly period: string;
  readonly event: AccountEvent;
}

interface Confirmation extends Pressed {
  /** The link for the old address, and the mail that has it. */
  readonly undo: { readonly tokenHash: Buffer; readonly expiresAt: Instant };
  readonly notice: (oldEmail: string) => NewMail;
  /** Without a link: an earlier address has it. */
  readonly noticeAgain: (oldEmail: string) => NewMail;
  /** Whose session presses it: a stranger who gets the link by mistake confirms nothing. Null: there is none. */
  readonly by: string | null;
}

interface Undoing extends Pressed {
  /** For the address that the account had until now. */
  readonly notice: (email: string) => NewMail;
}

/** `taken`: another account has the address by now. `signed_out`: it is not the account's own session. */
export type AddressChanged = 'changed' | Refused | LinkProblem;

type Refused = 'taken' | 'signed_out';

/** Rolls back, so that the link works later. */
class ChangeRefused extends Error {
  constructor(readonly reason: Refused) {
    super(reason);
  }
}

export interface AddressChangeStore {
  /** The account's other links end, but for those that undo. */
  confirm(confirmation: Confirmation): Promise<AddressChanged>;
  /**
   * Sets the old address again, signs every device out, removes the password and the passkeys, and ends the links that
   * undo later changes.
   */
  undo(undoing: Undoing): Promise<AddressChanged>;
}

const PRESENT = 'SELECT email FROM account_owners WHERE account_id = $1';
const TAKEN = `
  SELECT FROM account_owners WHERE account_id <> $1 AND (email_key = lower($2) OR mailbox = $3 AND owns_mailbox)`;
const SET_ADDRESS = `
  UPDATE account_owners SET email = $2, email_key = lower($2), mailbox = $3, owns_mailbox = true, verified_at = $4 WHERE account_id = $1`;
/** The payment provider gets it with the next reading. */
const READ_BILLING = `
  UPDATE billing_accounts SET due_at = LEAST(due_at, $2), customer_email = COALESCE(customer_email, $3) WHERE account_id = $1`;
const ADD_UNDO = `
  INSERT INTO mailed_links (token_hash, purpose, account_id, email, other_email, created_at, expires_at, mailbox)
  VALUES ($1, 'undo_email', $2, $3, $4, $5, $6, $7)`;
const END_LATER_UNDOS = `
  UPDATE mailed_links l SET used_at = $3 FROM mailed_links this
   WHERE this.token_hash = $2 AND l.account_id = $1 AND l.purpose = 'undo_email' AND l.used_at IS NULL AND l.created_at >= this.created_at`;
const OPEN_UNDO = `
  SELECT token_hash AS "tokenHash", email FROM mailed_links
   WHERE account_id = $1 AND purpose = 'undo_email' AND used_at IS NULL AND expires_at > $2 ORDER BY created_at LIMIT 1`;
const REMOVE_PASSWORD = 'UPDATE account_owners SET password_hash = NULL WHERE account_id = $1';

export function createAddressChanges(pool: Pool, sealer: Sealer): AddressChangeStore {
  return {
    async confirm(confirmation) {
      await fillMailboxes(pool, confirmation.mailboxOf);
      return refusedOr(inTransaction(pool, (client) => confirm(client, sealer, confirmation)));
    },
    async undo(undoing) {
      await fillMailboxes(pool, undoing.mailboxOf);
      return refusedOr(inTransaction(pool, (client) => undo(client, sealer, undoing)));
    },
  };
}

const refusedOr = (changing: Promise<AddressChanged>): Promise<AddressChanged> =>
  changing.catch((error: unknown) => {
    if (error instanceof ChangeRefused) return error.reason;
    throw error;
  });

async function confirm(client: ClientBase, sealer: Sealer, confirmation: Confirmation): Promise<AddressChanged> {
  const { tokenHash, at, by } = confirmation;
  const used = await pressed(client, tokenHash, 'change_email', at);
  if (typeof used === 'string') return used;
  const { accountId, otherEmail, present } = used;
  if (by !== accountId) throw new ChangeRefused('signed_out');
  // The address was changed since this link was mailed.
  if (present.toLowerCase() !== otherEmail.toLowerCase()) return 'used';
  await setAddress(client, used, confirmation);
  await endLinks(client, accountId, at);
  await allowUndo(client, sealer, used, confirmation);
  await arrive(client, used, confirmation);
  return 'changed';
}

/** The earliest address that can take a change back keeps that right, for its own time. */
async function allowUndo(
  client: ClientBase,
  sealer: Sealer,
  { accountId, email, present }: Change,
  { at, mailboxOf, undo: link, notice, noticeAgain }: Confirmation,
): Promise<void> {
  const { rows } = await client.query<{ tokenHash: Buffer; email: string }>(OPEN_UNDO, [accountId, at]);
  const [earlier] = rows;
  if (!earlier) {
    const undoing = [link.tokenHash, accountId, present, email, at, link.expiresAt, mailboxOf(present)];
    await client.query(ADD_UNDO, undoing);
    await insertMail(client, sealer, notice(present));
    return;
  }
  // The address that could take it back has the account again.
  if (earlier.email.toLowerCase() === email.toLowerCase()) {
    await client.query(END_LATER_UNDOS, [accountId, earlier.tokenHash, at]);
    // One may have been added while the account had the other address.
    await client.query(REMOVE_PASSKEYS, [accountId]);
    await endSessions(client, accountId, { session: null, browser: null });
  }
  await insertMail(client, sealer, noticeAgain(present));
}

async function undo(client: ClientBase, sealer: Sealer, undoing: Undoing): Promise<AddressChanged> {
  const { tokenHash, at, notice } = undoing;
  const used = await pressed(client, tokenHash, 'undo_email', at);
  if (typeof used === 'string') return used;
  const { accountId, present } = used;
  await setAddress(client, used, undoing);
  await client.query(REMOVE_PASSWORD, [accountId]);
  await client.query(REMOVE_PASSKEYS, [accountId]);
  await endLinks(client, accountId, at);
  await client.query(END_LATER_UNDOS, [accountId, tokenHash, at]);
  await endSessions(client, accountId, { session: null, browser: null });
  await insertMail(client, sealer, notice(present));
  await arrive(client, used, undoing);
  return 'changed';
}

type Change = Pick<StoredLink, 'email'> & {
  readonly accountId: string;
  readonly otherEmail: string;
  /** The address of the account. */
  readonly present: string;
};

/** Uses the link up; its owner is locked then. */
async function pressed(
  client: ClientBase,
  tokenHash: Buffer,
  purpose: LinkPurpose,
  at: Instant,
): Promise<Change | LinkProblem> {
  const link = await useLink(client, tokenHash, purpose, at);
  if (typeof link === 'string') return link;
  const { accountId, email, otherEmail } = link;
  if (accountId === null || otherEmail === null) throw new Error('a link to change an address has no account');
  const { rows } = await client.query<{ email: string }>(PRESENT, [accountId]);
  return rows[0] ? { accountId, email, otherEmail, present: rows[0].email } : 'unknown';
}

/**
 * Writes the event too. The mailbox that the account leaves is remembered. Throws `ChangeRefused` if another account
 * has the address.
 */
async function setAddress(
  client: ClientBase,
  { accountId, email, present }: Change,
  { at, mailboxOf, period, event }: Pressed,
): Promise<void> {
  const [mailbox, left] = [mailboxOf(email), mailboxOf(present)];
  await lockMailboxes(client, [...new Set([mailbox, left])].sort());
  if ((await client.query(TAKEN, [accountId, email, mailbox])).rowCount !== 0) throw new ChangeRefused('taken');
  await client.query(SET_ADDRESS, [accountId, email, mailbox, at]);
  await client.query(READ_BILLING, [accountId, at, present]);
  // After the row of billing: it locks the account, and a reading of billing locks both in that order.
  if (left !== mailbox) await rememberUse(client, { accountId, mailbox: left, period });
  await writeEvent(client, accountId, event);
}

/** Last in the transaction: it locks the balance. Another spelling of the same mailbox is no arrival. */
async function arrive(
  client: ClientBase,
  { accountId, email, present }: Change,
  { tokenHash, at, mailboxOf, period }: Pressed,
): Promise<void> {
  const mailbox = mailboxOf(email);
  if (mailbox !== mailboxOf(present)) await carryUse(client, { accountId, mailbox, period, at, linkHash: tokenHash });
}
