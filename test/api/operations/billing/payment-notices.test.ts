// Mails about payments and events for webhooks: each fact has one of both, whichever processes look for it and wherever
// they are killed; what was taken back has none. Then the mails of a customer whose card declines, read
// from a mail server.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { overagePass } from '../../../../src/accounts/billing/overage-pass';
import { reconcile } from '../../../../src/accounts/billing/pass';
import { unpaidOveragePass } from '../../../../src/accounts/billing/unpaid-overage';
import { startMailSender } from '../../../../src/accounts/mail/sender';
import { createSmtpTransport } from '../../../../src/accounts/mail/transport';
import { mailPayments } from '../../../../src/accounts/notices/payment-notices';
import { planNamed } from '../../../../src/plans/plans';
import { createStores } from '../../../../src/store/create-stores';
import { runs } from '../../../support/property';
import { until } from '../../../support/races/stream-lab';
import { type Death, dyingPool, isKilled } from '../../../support/servers/dying-pool';
import { type MailServer, startMailServer } from '../../../support/servers/mail-server';
import { poolAs } from '../../../support/servers/roles';
import { openShop, type Shop } from '../../../support/stripe/shop';
import { passTo } from '../../../support/stripe/subscriptions';
import { publishedEvents } from '../../../support/webhooks/published-events';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.parse('2026-11-21T03:00:00.000Z');

let shop: Shop;
let pools: Pool[];
let server: MailServer;
beforeAll(async () => {
  [shop, server] = await Promise.all([openShop(), startMailServer()]);
  pools = [poolAs(shop.db, 'racing_api'), poolAs(shop.db, 'racing_api')];
});
afterAll(async () => {
  await server.stop();
  await Promise.all(pools.map((pool) => pool.end()));
  await shop.stop();
});

const look = (pool: Pool, nowMs: number, death: Death | null = null) =>
  mailPayments(
    {
      store: createStores(dyingPool(pool, death)).paymentNotices,
      baseUrl: 'https://odds.example',
      mailWritten: () => {},
    },
    nowMs,
  );
const subjectsTo = async (email: string): Promise<readonly string[]> =>
  (
    await shop.db.pool.query<{ subject: string }>('SELECT subject FROM mails WHERE recipient = $1 ORDER BY subject', [
      email,
    ])
  ).rows.map(({ subject }) => subject);

/** Of the event that is written with a mail. */
const kindOf = (subject: string): string => {
  if (/plan/.test(subject)) return 'account.plan_changed';
  if (subject === 'A payment failed') return 'account.payment_failed';
  return subject === 'Overage is switched off' ? 'account.overage_ended' : 'account.overage_begun';
};
const kindsOf = async (accountId: string) => (await publishedEvents(shop.db.pool, accountId)).map(({ kind }) => kind);

const charge = (accountId: string, period: string, at: string) =>
  shop.db.pool.query(
    `INSERT INTO credit_ledger (period, at, account_id, kind, key_id, subject, credits, overage, overage_plan, charge_id)
     VALUES ($2, $3, $1, 'charge', gen_random_uuid(), '/v1/x', 100000, 100000, 'business', gen_random_uuid())`,
    [accountId, period, at],
  );

const DEATH = fc.record({ at: fc.nat(20), isAfter: fc.boolean() });
const STEP = fc.record({
  fact: fc.oneof(
    fc.constantFrom('payment fails' as const, 'is paid' as const, 'overage' as const, 'month turns' as const),
    fc.constantFrom('overage ends' as const, 'plan is tried' as const, 'plan comes back' as const, 'nothing' as const),
    fc.constantFrom('free', 'plus', 'business', 'growth'),
  ),
  /** Passes that are killed before two complete ones, each beside the next. */
  deaths: fc.array(DEATH, { maxLength: 3 }),
});
type Fact = (typeof STEP extends fc.Arbitrary<infer T> ? T : never)['fact'];

/** Writes the facts of an account, and knows the mails that follow. */
function payer(accountId: string) {
  const { pool } = shop.db;
  const { keyRegister } = createStores(pool);
  const of = { nowMs: START, plan: 'free', unpaid: false, month: 11, begun: new Set<number>() };
  const iso = (): string => new Date(of.nowMs).toISOString();
  const period = (): string => `2026-${of.month}-01`;
  const bill = (unpaidSince: string | null) =>
    pool.query('UPDATE billing_accounts SET unpaid_since = $2 WHERE account_id = $1', [accountId, unpaidSince]);
  const setPlan = async (plan: string): Promise<readonly string[]> => {
    const [before, after] = [planNamed(of.plan)!, planNamed(plan)!];
    await keyRegister.setPlan(accountId, plan);
    of.plan = plan;
    if (before === after) return [];
    return [after.id === 'free' ? `Your ${before.title} plan has ended` : `Your plan is now ${after.title}`];
  };
  const acts: Readonly<Record<string, () => Promise<readonly string[]>>> = {
    async 'payment fails'() {
      if (of.unpaid) return [];
      of.unpaid = true;
      await bill(iso());
      return ['A payment failed'];
    },
    async 'is paid'() {
      of.unpaid = false;
      await bill(null);
      return [];
    },
    async overage() {
      const text = `INSERT INTO credit_balances AS b (account_id, period, used, overage) VALUES ($1, $2, 10, 10)
        ON CONFLICT (account_id, period) DO UPDATE SET used = b.used + 10, overage = b.overage + 10`;
      await pool.query(text, [accountId, period()]);
      await charge(accountId, period(), iso());
      const isNew = !of.begun.has(of.month);
      of.begun.add(of.month);
      return isNew ? ['Overage has begun this month'] : [];
    },
    /** In the first minutes of a month the last one counts too. */
    async 'month turns'() {
      if (of.month === 12) return [];
      const subjects = await acts.overage!();
      of.month = 12;
      of.nowMs = Date.parse('2026-12-01T00:03:00.000Z');
      return subjects;
    },
    async 'overage ends'() {
      const text = `INSERT INTO overage_invoices (account_id, period, cents, decided_at, item_id, invoiced_at, status_at)
        VALUES ($1, '2026-10-01', 100, $2, 'ii_1', $2, $3) ON CONFLICT DO NOTHING`;
      await pool.query(text, [accountId, new Date(START - 9 * DAY_MS), new Date(START)]);
      await pool.query('UPDATE accounts SET overage = true WHERE account_id = $1', [accountId]);
      await Promise.all(pools.map((one) => createStores(one).overageInvoices.endOverage({ days: 7, at: iso() })));
      return ['Overage is switched off'];
    },
    async 'plan is tried'() {
      const client = await pool.connect();
      await client.query('BEGIN');
      await client.query(`UPDATE accounts SET plan = 'scale' WHERE account_id = $1`, [accountId]);
      await client.query('ROLLBACK');
      client.release();
      return [];
    },
    async 'plan comes back'() {
      const { plan } = of;
      await setPlan('enterprise');
      await setPlan(plan);
      return [];
    },
    nothing: async () => [],
  };
  return {
    of,
    /** Resolves to the subjects of the mails that follow. */
    async act(fact: Fact): Promise<readonly string[]> {
      of.nowMs += HOUR_MS / 10;
      return (acts[fact] ?? (() => setPlan(fact)))();
    },
  };
}

async function open(email: string | null): Promise<string> {
  const { accountId } = email === null ? await shop.customer() : await shop.owner(email);
  const { billedAccounts } = createStores(shop.db.pool);
  const at = new Date(START).toISOString();
  await billedAccounts.addCustomer({ accountId, customerId: `cus_${randomUUID()}`, email, replaces: null, at });
  const text = `UPDATE billing_accounts SET subscription_id = 'sub_1', plan = 'plus', interval = 'month', paid_until = $2 WHERE account_id = $1`;
  await shop.db.pool.query(text, [accountId, at]);
  return accountId;
}

test('each fact has one event and one mail, wherever a process is killed; what was taken back has none, and no mail an account without an owner', async () => {
  const property = fc.asyncProperty(
    fc.array(STEP, { minLength: 3, maxLength: 10 }),
    fc.boolean(),
    async (steps, isOwned) => {
      const email = `${randomUUID()}@example.com`;
      const accountId = await open(isOwned ? email : null);
      const account = payer(accountId);
      const expected: string[] = [];
      const count = async () => (await shop.db.pool.query('SELECT count(*) AS n FROM mails')).rows[0].n;
      const before = await count();
      for (const { fact, deaths } of steps) {
        expected.push(...(await account.act(fact)));
        const { nowMs } = account.of;
        const killed = deaths.map((death, i) => look(pools[i % 2]!, nowMs, death));
        for (const one of await Promise.allSettled(killed))
          if (one.status === 'rejected' && !isKilled(one.reason)) throw one.reason;
        await Promise.all(pools.map((pool) => look(pool, nowMs)));
        expect(await subjectsTo(email)).toEqual(isOwned ? expected.toSorted() : []);
        expect((await kindsOf(accountId)).toSorted()).toEqual(expected.map(kindOf).toSorted());
      }
      expect((await count()) - before).toBe(isOwned ? expected.length : 0);
    },
  );
  await fc.assert(property, { numRuns: runs(150) });
});

/** Looks for facts, and sends what there is. `death`: of the process that sends. */
async function send(death: Death | null = null): Promise<void> {
  const { world } = shop.stripe;
  await look(pools[0]!, world.nowMs);
  const warnings: object[] = [];
  const sender = startMailSender({
    mails: createStores(dyingPool(pools[1]!, death)).mails,
    transport: createSmtpTransport(server.url, 'no-reply@odds.example'),
    wallMs: () => world.nowMs,
    log: { warn: (fields) => void warnings.push(fields) },
  });
  const waiting = async () => (await createStores(shop.db.pool).mails.waiting()).count;
  await until(async () => (death ? warnings.length > 0 : (await waiting()) === 0));
  await sender.stop();
}

test('a card that declines: what failed, since when, what ends and where it is paid, each sent under one Message-ID', async () => {
  await shop.db.pool.query('DELETE FROM mails');
  const { world } = shop.stripe;
  const email = 'payer@example.com';
  const payer = await shop.owner(email);
  await shop.subscribe(payer, 'business');
  const [{ default_payment_method: card }] = world.all('subscription');
  // Sent, and killed before that is written down.
  await send({ at: 2, isAfter: false });
  world.nowMs += 10 * 60_000;
  await send();
  const first = server.received.filter(({ to }) => to === email);
  expect(new Set(first.map(({ messageId }) => messageId)).size).toBe(1);
  expect(first.length).toBe(2);
  expect(first[0]).toMatchObject({
    subject: 'Your plan is now Business',
    text: expect.stringMatching(/from the Free plan to the Business plan on [\d-]+ at [\d:]+ UTC/),
  });

  await shop.post(payer, '/v1/billing/overage', { enabled: true });
  const balance = `INSERT INTO credit_balances (account_id, period, used, overage) VALUES ($1, '2026-11-01', 400000, 100000)`;
  await shop.db.pool.query(balance, [payer.accountId]);
  await charge(payer.accountId, '2026-11-01', '2026-11-21T03:07:00Z');
  await send();
  world.declining.add(card);
  passTo(world, Date.parse('2026-12-02T02:00:00Z'));
  await overagePass(shop.deps);
  passTo(world, Date.parse('2026-12-09T04:00:00Z'));
  await unpaidOveragePass(shop.deps);
  await send();
  for (const days of [31, 61]) {
    passTo(world, START + days * DAY_MS);
    await shop.deliver();
    await reconcile(shop.deps);
    await send();
    await send();
  }
  const mails = server.received.filter(({ to }) => to === email).slice(2);
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Overage has begun this month',
    'Overage is switched off',
    'A payment failed',
    'Your Business plan has ended',
  ]);
  const [begun, off, failed, ended] = mails.map(({ text }) => text);
  expect(begun).toContain(
    'By 2026-11-21 at 03:07 UTC your account had used 100,000 credits beyond its allowance in 2026-11',
  );
  expect(begun).toContain('1,000 credits cost A$0.33. At most 150,000 credits');
  expect(off).toContain('switched off on 2026-12-09 at 04:00 UTC');
  expect(off).toContain('overage of 2026-11, issued on 2026-12-02 at 02:00 UTC, is not paid');
  expect(failed).toMatch(/issued on 2026-12-01 at 00:00 UTC, is not paid.*\n\n.* until 2026-12-31 at 00:00 UTC/);
  expect(failed).toContain('https://odds.example/account\n');
  expect(ended).toContain('because an invoice that was issued on 2026-12-01 at 00:00 UTC is not paid');
});
