// The API of a test with its own Stripe, set up as an operator does it, and accounts that buy there.
import { randomBytes } from 'node:crypto';
import { createBilling } from '../../../src/accounts/billing/billing';
import { type BillingDeps, billingStores } from '../../../src/accounts/billing/deps';
import { createReferrals, type Referrals } from '../../../src/accounts/referral/referrals';
import { createCharger } from '../../../src/api/kernel/charging/charger';
import type { Payments } from '../../../src/payments/payments';
import { createPayments } from '../../../src/payments/stripe/create-payments';
import type { TaxChoice } from '../../../src/payments/stripe/tax';
import { createStores } from '../../../src/store/create-stores';
import { followKeyChanges } from '../../../src/store/keys/key-changes';
import { hashApiKey } from '../../../src/store/keys/keys';
import { type Answer, NOW, UNCOUNTED } from '../api/api';
import { type Served, serve } from '../api/served';
import { poolAs } from '../servers/roles';
import { type StripeServer, startStripe, TEST_KEY, TEST_SECRET } from './server';

export interface Customer {
  readonly key: string;
  readonly accountId: string;
}

export interface Shop extends Served {
  readonly stripe: StripeServer;
  readonly deps: BillingDeps;
  readonly referrals: Referrals;
  readonly warnings: object[];
  customer(plan?: string): Promise<Customer>;
  /** An account with an owner, who signed up with or without a code. */
  owner(email: string, referredBy?: string): Promise<Customer>;
  planOf(of: Customer): Promise<string>;
  post(of: Customer, path: string, body?: object): Promise<Answer>;
  /** The objects at Stripe. */
  subscriptions(of: Customer): ReturnType<StripeServer['world']['all']>;
  /** Requests a link to an upgrade. */
  linkFor(of: Customer, plan: string, interval?: string): Promise<Answer>;
  /** Requests a link and opens it, up to Stripe's page. */
  pageFor(of: Customer, plan: string, interval?: string): Promise<string>;
  subscribe(of: Customer, plan: string, interval?: string): Promise<string>;
  /** Sends the events that Stripe has to send, in this order, and forgets them. */
  deliver(order?: (events: readonly object[]) => readonly object[]): Promise<void>;
}

/** Without the SDK's own retries, which wait. */
export const stripePayments = ({ url }: StripeServer, repeats = 0, tax: TaxChoice = { kind: 'none' }): Payments =>
  createPayments({
    secretKey: TEST_KEY,
    webhookSecret: TEST_SECRET,
    apiBase: url,
    returnUrl: 'https://api.example.com/docs',
    tax,
    timeoutMs: 60_000,
    repeats,
  });

export async function openShop(): Promise<Shop> {
  const stripe = await startStripe(Date.parse(NOW));
  const warnings: object[] = [];
  let deps: BillingDeps | null = null;
  let referrals: Referrals | null = null;
  const clock = { wallMs: () => stripe.world.nowMs };
  let opened = 0;
  const closing: (() => Promise<void>)[] = [];
  const served = await serve((db) => {
    const pool = poolAs(db, 'racing_api');
    const keyChanges = followKeyChanges(db.url);
    closing.push(
      () => pool.end(),
      () => keyChanges.close(),
    );
    const stores = createStores(pool);
    const baseUrl = 'https://api.example.com';
    const billing = billingStores(stores, clock.wallMs);
    deps = {
      payments: stripePayments(stripe),
      ...billing,
      overageInvoices: { ...billing.overageInvoices, nowMs: async () => stripe.world.nowMs },
      log: { warn: (fields, message) => void warnings.push({ ...fields, message }) },
      baseUrl,
      ...clock,
    };
    referrals = createReferrals(stores.referralCodes, randomBytes);
    return {
      billing: createBilling(deps),
      referrals,
      charger: createCharger(stores.credits),
      keyChanges,
      trustedProxies: 1,
      addressBudget: UNCOUNTED,
      ...clock,
    };
  });
  const { api, db, addKey } = served;
  await deps!.payments.setUp();

  const customer: Shop['customer'] = async (plan = 'free') => {
    const key = await addKey({ plan });
    const { rows } = await db.pool.query('SELECT account_id FROM api_keys WHERE key_hash = $1', [hashApiKey(key)]);
    return { key, accountId: rows[0].account_id };
  };
  const post: Shop['post'] = ({ key }, path, body) =>
    api.send('POST', path, {
      key,
      ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
  const linkFor: Shop['linkFor'] = (of, plan, interval = 'month') =>
    post(of, '/v1/billing/upgrade-link', { plan, interval });
  const pageFor: Shop['pageFor'] = async (of, plan, interval) => {
    const linked = await linkFor(of, plan, interval);
    if (linked.status !== 200) throw new Error(`${linked.status}: ${linked.text}`);
    const { pathname, search } = new URL(linked.body.url);
    const page = await fetch(api.url + pathname + search, {
      redirect: 'manual',
      headers: { 'X-Forwarded-For': `203.0.113.${++opened % 256}` },
    });
    if (page.status !== 303) throw new Error(`${page.status}: ${await page.text()}`);
    return page.headers.get('location')!;
  };
  const deliver: Shop['deliver'] = async (order = (events) => events) => {
    for (const event of order(stripe.world.events.splice(0))) {
      const response = await stripe.deliver(event, `${api.url}/webhooks/stripe`);
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    }
  };
  return {
    ...served,
    stripe,
    deps: deps!,
    referrals: referrals!,
    warnings,
    customer,
    async owner(email, referredBy) {
      const made = await customer();
      await db.pool.query(
        `INSERT INTO account_owners (account_id, email, email_key, verified_at, terms_accepted_at, referred_by_code) VALUES ($1, $2, $2, $3, $3, $4)`,
        [made.accountId, email, NOW, referredBy ?? null],
      );
      return made;
    },
    async planOf({ accountId }) {
      return (await db.pool.query('SELECT plan FROM accounts WHERE account_id = $1', [accountId])).rows[0].plan;
    },
    post,
    subscriptions: ({ accountId }) =>
      stripe.world.all(
        'subscription',
        ({ customer }) => stripe.world.find('customer', customer).metadata.account_id === accountId,
      ),
    linkFor,
    pageFor,
    async subscribe(of, plan, interval) {
      const subscription = stripe.people.pay(await pageFor(of, plan, interval));
      await deliver();
      return subscription.id;
    },
    deliver,
    async stop() {
      for (const end of closing) await end();
      await served.stop();
      await stripe.close();
    },
  };
}
