// What an account buys from the payment provider: the state last read there, and with it the plan of the account. No
// transaction is open during calls to the provider.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { inTransaction } from '../pg/transaction';
import type { Sealer } from '../secrets/sealer';

/** The subscription that gives an account its plan. */
interface Bought {
  readonly subscriptionId: string;
  readonly plan: string;
  readonly interval: 'month' | 'year';
  readonly isCancelling: boolean;
  readonly paidUntil: Instant;
}

/** What billing needs to know of an account. */
export interface BilledAccount {
  readonly plan: string;
  /** The same if an operator set it, so that it stays when a subscription ends; null: it comes from what is bought. */
  readonly agreedPlan: string | null;
  /** Of its owner; an account that an operator made has none. */
  readonly email: string | null;
  /** At the payment provider; null: not yet. */
  readonly customerId: string | null;
  /** Its address there; null: not stored. */
  readonly customerEmail: string | null;
  /** As it was last read. */
  readonly bought: Bought | null;
  /** Since when a subscription that is invoiced is not paid, as it was last read. */
  readonly unpaidSince: Instant | null;
  /** A subscription is unpaid for too long to give its plan, is not cancelled and is still invoiced. */
  readonly hasLapsed: boolean;
  /** Null: the account is open. One that is closed buys nothing any more. */
  readonly closedAt: Instant | null;
}

export interface BillingStore {
  /** Null: there is no such account. */
  account(accountId: string): Promise<BilledAccount | null>;
  accountOfCustomer(customerId: string): Promise<string | null>;
  /** The account's customer: this one, unless it had one already. `replaces`: a customer that is gone. */
  addCustomer(of: {
    accountId: string;
    customerId: string;
    email: string | null;
    replaces: string | null;
    at: Instant;
  }): Promise<string>;
  /** The provider has this address of the customer now. */
  namedCustomer(accountId: string, email: string): Promise<void>;
  /** Numbers a reading of the provider, before it begins. */
  beginReading(accountId: string): Promise<number>;
  /**
   * Writes what a reading found, and the plan that follows: that of the subscription; without one, `noPlan` if the last
   * one had given the plan. A plan that an operator set stands until another plan or a new subscription is bought; one
   * that is paid again after a break is not new. Overage stays on only beside a subscription, on a plan that has it. An
   * older reading changes nothing, and resolves to false; so does one of an account that was closed after it began.
   */
  write(reading: {
    accountId: string;
    number: number;
    /** What is written is that a closed account buys nothing. */
    isClosed: boolean;
    bought: Bought | null;
    hasLapsed: boolean;
    unpaidSince: Instant | null;
    noPlan: string;
    hasOverage(plan: string): boolean;
    at: Instant;
    /** Of the next reading, by when a checkout was last opened; `infinity`: only an event leads to one. */
    dueAt(checkoutOpenedAt: Instant | null): Instant | 'infinity';
  }): Promise<boolean>;
  /** A page that sells was made for an owner: the account is due at `dueAt` at the latest. False: it was closed. */
  openedCheckout(of: { accountId: string; at: Instant; dueAt: Instant }): Promise<boolean>;
  /** Whether this owner's return is the first since then, in all processes. */
  claimReturn(of: { accountId: string; at: Instant; unlessSince: Instant }): Promise<boolean>;
  /**
   * An account that is due, the longest due first: no other process gets it until it is released, or `until`. One with
   * a checkout that was opened after `openedAfter`, or another. Null: none is due.
   */
  claimDue(of: { at: Instant; until: Instant; openedAfter: Instant; hasCheckout: boolean }): Promise<string | null>;
  /** Ends a claim. `dueAt`: it is due then at the earliest. */
  release(of: { accountId: string; until: Instant; dueAt: Instant | null }): Promise<void>;
  /** Every account with a customer. */
  customers(): Promise<readonly string[]>;
  isDone(eventId: string): Promise<boolean>;
  /** Events older than `forgetBefore` are forgotten: none is sent again so late. */
  done(event: { id: string; type: string; at: Instant; forgetBefore: Instant }): Promise<void>;
  /** Signs links. Rejects if this process cannot open it. */
  linkSecret(): Promise<Buffer>;
}

const ACCOUNT = `
  SELECT a.plan, CASE WHEN plan_by_operator THEN a.plan END AS "agreedPlan", o.email, b.customer_id AS "customerId", b.customer_email AS "customerEmail", COALESCE(b.has_lapsed, false) AS "hasLapsed",
         to_char(unpaid_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "unpaidSince", a.closed_at AS "closedAt",
         CASE WHEN subscription_id IS NOT NULL
              THEN json_build_object('subscriptionId', subscription_id, 'plan', b.plan, 'interval', interval, 'isCancelling', is_cancelling,
                                     'paidUntil', to_char(paid_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END AS bought
    FROM accounts a LEFT JOIN account_owners o USING (account_id) LEFT JOIN billing_accounts b USING (account_id)
   WHERE a.account_id = $1`;

const ADD_CUSTOMER = `
  INSERT INTO billing_accounts AS b (account_id, customer_id, read_at, due_at, customer_email) VALUES ($1, $2, $4, $4, $5)
  ON CONFLICT (account_id) DO UPDATE SET customer_id = EXCLUDED.customer_id, customer_email = EXCLUDED.customer_email WHERE b.customer_id = $3
  RETURNING customer_id AS "customerId"`;

const CLAIM = `
  UPDATE billing_accounts SET claimed_until = $2
   WHERE account_id = (SELECT account_id FROM billing_accounts
                        WHERE due_at <= $1 AND (claimed_until <= $1) IS NOT FALSE AND COALESCE(checkout_opened_at > $3, false) = $4
                        ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING account_id AS id`;

const RELEASE = `
  UPDATE billing_accounts SET claimed_until = NULL, due_at = GREATEST(due_at, $3) WHERE account_id = $1 AND claimed_until = $2`;

/** Unless it was changed again, or the account closed. */
const NAMED = `
  UPDATE billing_accounts b SET customer_email = $2 FROM account_owners o
   WHERE b.account_id = $1 AND o.account_id = b.account_id AND o.email = $2`;

const OPENED = `
  UPDATE billing_accounts b SET checkout_opened_at = $2, due_at = LEAST(due_at, $3) FROM accounts a
   WHERE b.account_id = $1 AND a.account_id = b.account_id AND a.closed_at IS NULL
  RETURNING b.account_id AS id`;

const RETURN = `
  UPDATE billing_accounts SET returned_at = $2 WHERE account_id = $1 AND (returned_at IS NULL OR returned_at <= $3)
  RETURNING account_id AS id`;

type Reading = Parameters<BillingStore['write']>[0];

const LINK_SECRET = 'upgrade_links';

export function createBillingStore(pool: Pool, sealer: Sealer): BillingStore {
  const ids = async (text: string, values: unknown[] = []) =>
    (await pool.query<{ id: string }>(text, values)).rows.map(({ id }) => id);
  return {
    account: async (accountId) => (await pool.query<BilledAccount>(ACCOUNT, [accountId])).rows[0] ?? null,
    async accountOfCustomer(customerId) {
      return (
        (await ids('SELECT account_id AS id FROM billing_accounts WHERE customer_id = $1', [customerId]))[0] ?? null
      );
    },
    async addCustomer({ accountId, customerId, email, replaces, at }) {
      const values = [accountId, customerId, replaces, at, email];
      const { rows } = await pool.query<{ customerId: string }>(ADD_CUSTOMER, values);
      if (rows[0]) return rows[0].customerId;
      return (await ids('SELECT customer_id AS id FROM billing_accounts WHERE account_id = $1', [accountId]))[0]!;
    },
    async namedCustomer(accountId, email) {
      await pool.query(NAMED, [accountId, email]);
    },
    async beginReading(accountId) {
      const text = 'UPDATE billing_accounts SET readings = readings + 1 WHERE account_id = $1 RETURNING readings';
      return (await pool.query<{ readings: number }>(text, [accountId])).rows[0]!.readings;
    },
    write: (reading) => inTransaction(pool, (client) => write(client, reading)),
    async openedCheckout({ accountId, at, dueAt }) {
      return (await ids(OPENED, [accountId, at, dueAt])).length > 0;
    },
    claimReturn: async ({ accountId, at, unlessSince }) => (await ids(RETURN, [accountId, at, unlessSince])).length > 0,
    claimDue: async ({ at, until, openedAfter, hasCheckout }) =>
      (await ids(CLAIM, [at, until, openedAfter, hasCheckout]))[0] ?? null,
    async release({ accountId, until, dueAt }) {
      await pool.query(RELEASE, [accountId, until, dueAt]);
    },
    customers: () => ids('SELECT account_id AS id FROM billing_accounts ORDER BY account_id'),
    async isDone(eventId) {
      return (await ids('SELECT event_id AS id FROM payment_events WHERE event_id = $1', [eventId])).length > 0;
    },
    async done({ id, type, at, forgetBefore }) {
      await pool.query('INSERT INTO payment_events VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [id, type, at]);
      await pool.query('DELETE FROM payment_events WHERE at < $1', [forgetBefore]);
    },
    async linkSecret() {
      const text = 'SELECT secret FROM service_secrets WHERE name = $1';
      const { rows } = await pool.query<{ secret: Buffer }>(text, [LINK_SECRET]);
      const place = { table: 'service_secrets', column: 'secret', row: LINK_SECRET };
      const opened = sealer.openBytes(place, rows[0]!.secret);
      if ('problem' in opened) throw new Error(`the secret of signed links cannot be opened: ${opened.problem}`);
      return opened.bytes;
    },
  };
}

interface Before {
  readonly written: number;
  /** Those of the last subscription that gave a plan. */
  readonly lastSubscriptionId: string | null;
  readonly lastPlan: string | null;
  /** The plan of the reading before; null: nothing gave one. */
  readonly bought: string | null;
  readonly plan: string;
  readonly byOperator: boolean;
  readonly isClosed: boolean;
  readonly checkoutOpenedAt: Instant | null;
}

const BEFORE = `
  SELECT written, COALESCE(subscription_id, last_subscription_id) AS "lastSubscriptionId", COALESCE(b.plan, last_plan) AS "lastPlan",
         b.plan AS bought, a.plan, plan_by_operator AS "byOperator", closed_at IS NOT NULL AS "isClosed",
         to_char(checkout_opened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "checkoutOpenedAt"
    FROM billing_accounts b JOIN accounts a USING (account_id) WHERE account_id = $1 FOR UPDATE`;

/**
 * A process of the release before writes no last subscription: the present one becomes it here. A closed account has no
 * address any more, whatever was under way.
 */
const WRITE = `
  UPDATE billing_accounts
     SET written = $2, subscription_id = $3, plan = $4, interval = $5, is_cancelling = $6, paid_until = $7, has_lapsed = $8, due_at = $9, read_at = $10, unpaid_since = $11,
         customer_email = CASE WHEN NOT $12 THEN customer_email END,
         last_subscription_id = COALESCE($3, subscription_id, last_subscription_id), last_plan = COALESCE($4, plan, last_plan)
   WHERE account_id = $1`;

const SET_PLAN = `
  UPDATE accounts SET plan = $2, plan_by_operator = $3, overage = overage AND $4
   WHERE account_id = $1 AND (plan, plan_by_operator, overage) IS DISTINCT FROM ($2, $3, overage AND $4)`;

async function write(client: ClientBase, reading: Reading): Promise<boolean> {
  const { accountId, number, isClosed, bought, hasLapsed, unpaidSince, noPlan, hasOverage, at, dueAt } = reading;
  const { rows } = await client.query<Before>(BEFORE, [accountId]);
  const before = rows[0]!;
  if (before.written >= number || before.isClosed !== isClosed) return false;
  const { subscriptionId = null, plan = null, interval = null, isCancelling = false, paidUntil = null } = bought ?? {};
  const standing = [subscriptionId, plan, interval, isCancelling, paidUntil, hasLapsed];
  await client.query(WRITE, [
    accountId,
    number,
    ...standing,
    dueAt(before.checkoutOpenedAt),
    at,
    unpaidSince,
    isClosed,
  ]);
  const isNew = bought !== null && (plan !== before.lastPlan || subscriptionId !== before.lastSubscriptionId);
  const stands = before.byOperator && !isNew;
  const next = stands ? before.plan : (plan ?? (before.bought === before.plan ? noPlan : before.plan));
  await client.query(SET_PLAN, [accountId, next, stands, bought !== null && hasOverage(next)]);
  return true;
}
