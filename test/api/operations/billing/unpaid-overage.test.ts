// Overage that is not paid ends overage, and nothing else; nothing switches it on again but its owner. Stripe is our
// own stateful server.
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { createBilling } from '../../../../src/accounts/billing/billing';
import { overagePass } from '../../../../src/accounts/billing/overage-pass';
import { unpaidOveragePass } from '../../../../src/accounts/billing/unpaid-overage';
import { planNamed } from '../../../../src/plans/plans';
import { type Customer, openShop, type Shop } from '../../../support/stripe/shop';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());

const START_MS = Date.parse('2026-12-02T02:00:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const at = (ms: number) => {
  shop.stripe.world.nowMs = ms;
};
const switchTo = (of: Customer, enabled: boolean) =>
  shop.api.send('POST', '/v1/billing/overage', {
    key: of.key,
    body: JSON.stringify({ enabled }),
    headers: { 'Content-Type': 'application/json' },
  });
const isOn = async ({ accountId }: Customer) =>
  (await shop.db.pool.query('SELECT overage AS on FROM accounts WHERE account_id = $1', [accountId])).rows[0].on;
const invoiceOf = ({ accountId }: Customer) =>
  shop.stripe.world.all('invoice', ({ metadata }) => metadata.account_id === accountId)[0];

/** With overage on, and A$33 of November to pay by a card. */
async function user() {
  at(Date.parse('2026-11-21T03:00:00Z'));
  const one = await shop.customer();
  await shop.subscribe(one, 'business');
  const [{ default_payment_method: card }] = shop.stripe.world.all('subscription');
  while ((await shop.api.get('/v1/usage', one.key)).body.plan !== 'business') await delay(10);
  expect((await switchTo(one, true)).status).toBe(200);
  const { pool } = shop.db;
  await pool.query(
    `INSERT INTO credit_balances (account_id, period, used, overage) VALUES ($1, '2026-11-01', 100000, 100000)`,
    [one.accountId],
  );
  await pool.query(
    `INSERT INTO credit_ledger (period, at, account_id, kind, key_id, subject, credits, overage, overage_plan, charge_id)
    VALUES ('2026-11-01', '2026-11-21T03:00:00Z', $1, 'charge', gen_random_uuid(), '/v1/x', 100000, 100000, 'business', gen_random_uuid())`,
    [one.accountId],
  );
  return { one, card };
}

/** The same, invoiced on 2 December to a card that declines. */
async function spender(): Promise<Customer> {
  const { one, card } = await user();
  shop.stripe.world.declining.add(card);
  at(START_MS);
  await overagePass(shop.deps);
  shop.stripe.world.events.length = 0;
  expect(invoiceOf(one)).toMatchObject({ status: 'open', total: 3300 });
  return one;
}
const payInvoice = (of: Customer) => {
  shop.stripe.people.addCard(invoiceOf(of).customer);
  invoiceOf(of).default_payment_method = null;
  const subscription = shop.stripe.world.all('subscription', ({ customer }) => customer === invoiceOf(of).customer)[0];
  subscription.default_payment_method = null;
  shop.stripe.people.payInvoice(invoiceOf(of).id);
};

test('seven days unpaid end overage, the plan stays, and paying lets its owner switch it on', async () => {
  const anna = await spender();
  at(START_MS + 7 * DAY_MS - 1);
  await unpaidOveragePass(shop.deps);
  expect(await isOn(anna)).toBe(true);
  // Read seconds ago as open, which proves nothing of the time after.
  at(START_MS + 7 * DAY_MS);
  await unpaidOveragePass(shop.deps);
  expect(await isOn(anna)).toBe(true);
  at(START_MS + 7 * DAY_MS + HOUR_MS);
  await Promise.all([unpaidOveragePass(shop.deps), unpaidOveragePass(shop.deps)]);
  expect([await isOn(anna), await shop.planOf(anna)]).toEqual([false, 'business']);
  expect(shop.warnings).toContainEqual({
    accountId: anna.accountId,
    period: '2026-11-01',
    message: 'overage is off: an invoice of it is not paid',
  });
  expect((await switchTo(anna, true)).body).toMatchObject({
    status: 409,
    detail: expect.stringContaining('overage of 2026-11 is not paid'),
  });
  const standing = () => createBilling(shop.deps).standing({ ...anna, plan: planNamed('business')! });
  expect(await standing()).toMatchObject({
    unpaidOverage: { month: '2026-11', isInvoiced: true },
    unpaid: null,
  });
  expect((await switchTo(anna, false)).status).toBe(200);
  payInvoice(anna);
  await shop.deliver();
  await unpaidOveragePass(shop.deps);
  expect(await isOn(anna)).toBe(false);
  expect((await switchTo(anna, true)).body).toMatchObject({ enabled: true });
  expect(await standing()).toMatchObject({ unpaidOverage: null });
});

test('who has paid is believed at once, with every event lost', async () => {
  const ben = await spender();
  at(START_MS + 8 * DAY_MS);
  await unpaidOveragePass(shop.deps);
  expect(await isOn(ben)).toBe(false);
  payInvoice(ben);
  shop.stripe.world.events.length = 0;
  expect((await switchTo(ben, true)).body).toMatchObject({ enabled: true });
});

test('an invoice that the operator took back is not owed, one that was written off is', async () => {
  const [cleo, dora] = [await spender(), await spender()];
  invoiceOf(cleo).status = 'void';
  invoiceOf(dora).status = 'uncollectible';
  at(START_MS + 8 * DAY_MS);
  await unpaidOveragePass(shop.deps);
  expect([await isOn(cleo), await isOn(dora)]).toEqual([true, false]);
});

test('seven days without an invoice end overage too, until Stripe takes it', async () => {
  const { one } = await user();
  const failing = async (ms: number) => {
    at(ms);
    const isBack = shop.stripe.failAll('error_500');
    await overagePass(shop.deps);
    isBack();
    await unpaidOveragePass(shop.deps);
    return isOn(one);
  };
  const firstMs = START_MS + DAY_MS;
  expect(await failing(firstMs)).toBe(true);
  expect(await failing(firstMs + 7 * DAY_MS - 1)).toBe(true);
  // By a clock that is ahead of the database's.
  const behind = { ...shop.deps.overageInvoices, nowMs: async () => firstMs };
  at(firstMs + 8 * DAY_MS);
  await unpaidOveragePass({ ...shop.deps, overageInvoices: behind });
  expect(await isOn(one)).toBe(true);
  expect(await failing(firstMs + 7 * DAY_MS)).toBe(false);
  expect(await shop.planOf(one)).toBe('business');
  expect(shop.warnings).toContainEqual({
    accountId: one.accountId,
    period: '2026-11-01',
    message: 'overage is off: it cannot be invoiced',
  });
  const standing = () => createBilling(shop.deps).standing({ ...one, plan: planNamed('business')! });
  expect(await standing()).toMatchObject({ unpaidOverage: { month: '2026-11', isInvoiced: false } });
  expect((await switchTo(one, true)).body).toMatchObject({
    status: 409,
    detail: expect.stringContaining('Overage of 2026-11 cannot be invoiced.'),
  });
  await overagePass(shop.deps);
  expect((await switchTo(one, true)).body).toMatchObject({ enabled: true });
  expect(await standing()).toMatchObject({ unpaidOverage: null });
});

test('overage that the operator settled before it was invoiced is not invoiced, and ends nothing', async () => {
  const { one } = await user();
  at(START_MS);
  shop.stripe.fail(/^POST \/v1\/invoices$/, 'error_500');
  await overagePass(shop.deps);
  await shop.db.pool.query('UPDATE overage_invoices SET settled_at = now() WHERE account_id = $1', [one.accountId]);
  at(START_MS + 8 * DAY_MS);
  expect(await overagePass(shop.deps)).toEqual({ invoiced: 0, failed: 0 });
  await unpaidOveragePass(shop.deps);
  expect([await isOn(one), invoiceOf(one)]).toEqual([true, undefined]);
});

test('an invoice that cannot be read ends nothing, nor keeps events of its account from being taken', async () => {
  const eva = await spender();
  const [item] = shop.stripe.world.all('invoiceitem', ({ metadata }) => metadata.account_id === eva.accountId);
  shop.stripe.world.objects.delete(item.id);
  at(START_MS + 30 * DAY_MS);
  await unpaidOveragePass(shop.deps);
  expect(await isOn(eva)).toBe(true);
  shop.stripe.world.emit('invoice.payment_failed', invoiceOf(eva));
  await shop.deliver();
  expect(shop.warnings).toContainEqual(
    expect.objectContaining({ accountId: eva.accountId, message: 'an invoice of overage was not read' }),
  );
});

test('whichever invoices cannot be read, and however many, every other is read within a round, and they rest longer', async () => {
  const [most, count, roundMs] = [3, 12, 600_000];
  const { pool } = shop.db;
  const { world, calls } = shop.stripe;
  const customer = world.add('customer', 'cus', {}).id;
  let places = 0;
  /** Of one account, a month each. */
  const invoices = async () => {
    await pool.query('UPDATE overage_invoices SET settled_at = now() WHERE settled_at IS NULL');
    const { accountId } = await shop.customer();
    const rows = Array.from({ length: count }, (_, i) => {
      const invoice = world.add('invoice', 'in', { customer, status: 'open' }).id;
      const item = world.add('invoiceitem', `ii_of_round_${places++}`, { customer, invoice }).id;
      return { item, period: `2025-${String(i + 1).padStart(2, '0')}-01` };
    });
    await pool.query(
      `INSERT INTO overage_invoices (account_id, period, cents, decided_at, item_id, invoiced_at)
       SELECT $1, period, 100, $3, item, $3 FROM json_to_recordset($2) AS r (item text, period date)`,
      [accountId, JSON.stringify(rows), new Date(START_MS)],
    );
    return rows.map(({ item }) => item);
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { minLength: count, maxLength: count }),
      fc.float(),
      async (isLost, random) => {
        const items = await invoices();
        const lost = items.filter((_, i) => isLost[i]);
        for (const item of lost) world.objects.delete(item);
        const reads = (item: string) => calls.filter(({ path }) => path === `/v1/invoiceitems/${item}`).length;
        at(START_MS);
        const passes = async (rounds: number) => {
          for (let i = 0; i < rounds; i++) {
            await unpaidOveragePass(shop.deps, { most, random: () => Math.abs(random) % 1 });
            world.nowMs += roundMs;
          }
        };
        await passes(count / most);
        expect(items.map(reads)).toEqual(items.map(() => 1));
        // Two hours: each is read hourly, whatever the others do.
        await passes(12);
        for (const item of items) if (!lost.includes(item)) expect(reads(item)).toBeGreaterThanOrEqual(2);
        for (const item of lost) expect(reads(item)).toBeLessThanOrEqual(5);
      },
    ),
    { numRuns: 8 },
  );
});

test('whatever comes in which order, overage is on only if its owner said so, and off while an invoice is overdue', async () => {
  const step = fc.record({
    hours: fc.integer({ min: 0, max: 72 }),
    act: fc.constantFrom('pass', 'pay', 'on', 'off', 'fail', 'event'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
      const one = await spender();
      let wanted = true;
      let nowMs = START_MS;
      for (const { hours, act } of steps) {
        nowMs += hours * HOUR_MS;
        at(nowMs);
        if (act === 'pass') await unpaidOveragePass(shop.deps);
        if (act === 'pay' && invoiceOf(one).status === 'open') payInvoice(one);
        if (act === 'event') await shop.deliver((events) => events.toReversed());
        if (act === 'fail') shop.stripe.fail(/^GET \/v1\/invoiceitems\/\w+$/, 'error_500');
        if (act === 'on' || act === 'off') {
          const { status } = await switchTo(one, act === 'on');
          if (status === 200) wanted = act === 'on';
        }
        if (!(await isOn(one))) wanted = false;
        expect(await isOn(one)).toBe(wanted);
      }
      // Faults are used up.
      for (let i = 0; i < 12; i++) {
        nowMs += 2 * HOUR_MS;
        at(nowMs);
        await unpaidOveragePass(shop.deps);
      }
      const isOverdue = invoiceOf(one).status === 'open' && nowMs >= START_MS + 7 * DAY_MS;
      if (isOverdue) expect(await isOn(one)).toBe(false);
      else expect(await isOn(one)).toBe(wanted);
    }),
    { numRuns: 12 },
  );
});
