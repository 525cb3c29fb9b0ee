// What an operator does about Stripe: its catalogue, its endpoint for events, accounts that an event did not reach.
import { runCommand } from '../../src/ops/run-command';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';
import { type StripeServer, startStripe, TEST_KEY } from '../support/stripe/server';
import { setUpTax } from '../support/stripe/tax';

let db: TestDatabase;
let stripe: StripeServer;
beforeAll(async () => {
  [db, stripe] = [await createTestDatabase(), await startStripe(Date.parse('2026-11-21T03:00:00Z'))];
});
afterAll(async () => {
  await stripe.close();
  await db.drop();
});

const run = (command: string, over: Record<string, string> = {}) => {
  const settings = {
    STRIPE_SECRET_KEY: TEST_KEY,
    STRIPE_API_BASE: stripe.url,
    STRIPE_TAX: 'none',
    BASE_URL: 'https://odds.example',
  };
  return runCommand(command.split(' '), { DATABASE_URL: db.url, LOG_LEVEL: 'silent', ...settings, ...over });
};

test('billing setup creates what is missing, once, and replaces a price with another amount', async () => {
  const first = await run('billing setup');
  expect(first).toMatchObject({ code: 0, out: expect.stringContaining('price plus_yearly created: A$490 a year') });
  expect(first.out).not.toContain('enterprise');
  const { world } = stripe;
  expect([world.all('product').length, world.all('price').length]).toEqual([6, 12]);
  expect((await run('billing setup')).out).toBe('Stripe has every product, price and page already\n');
  expect(world.all('billing_portal.configuration')).toHaveLength(1);
  const [old] = world.all('price', ({ lookup_key }) => lookup_key === 'plus_monthly');
  old.unit_amount = 3900;
  expect((await run('billing setup')).out).toBe('price plus_monthly replaced: A$49 a month\n');
  const [now] = world.all('price', ({ lookup_key }) => lookup_key === 'plus_monthly');
  expect([now.unit_amount, now.id === old.id, old.lookup_key, old.metadata]).toEqual([
    4900,
    false,
    null,
    { racing_odds_offer: 'plus_monthly' },
  ]);
});

test('billing setup fails with a price on which Stripe Tax would come on top', async () => {
  const { world } = stripe;
  const [price] = world.all('price', ({ lookup_key }) => lookup_key === 'plus_yearly');
  const other = world.add('price', 'price', {
    ...price,
    id: 'price_other',
    lookup_key: null,
    tax_behavior: 'exclusive',
  });
  setUpTax(world);
  expect(await run('billing setup', { STRIPE_TAX: 'automatic' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('the price price_other has tax_behavior exclusive instead of inclusive'),
  });
  other.active = false;
  expect((await run('billing setup', { STRIPE_TAX: 'automatic' })).code).toBe(0);
});

test('billing events registers the address once, and prints the secret then', async () => {
  const first = await run('billing events');
  expect(first).toMatchObject({ code: 0, out: 'STRIPE_WEBHOOK_SECRET=whsec_made_by_the_test_server\n' });
  const [endpoint] = stripe.world.all('webhook_endpoint');
  expect(endpoint).toMatchObject({
    url: 'https://odds.example/webhooks/stripe',
    enabled_events: expect.arrayContaining(['invoice.paid']),
  });
  expect((await run('billing events')).out).toContain('has an endpoint for https://odds.example/webhooks/stripe');
  expect(await run('billing events', { BASE_URL: 'http://odds.example' })).toMatchObject({
    code: 2,
    err: expect.stringContaining('https only'),
  });
});

test('billing reconcile reports what it did, and what it could not do', async () => {
  expect((await run('billing reconcile')).out).toBe(
    '0 accounts are as Stripe has them, and overage was invoiced 0 times\n',
  );
  await db.pool.query(`WITH a AS (INSERT INTO accounts (plan, created_at) VALUES ('free', now()) RETURNING account_id)
    INSERT INTO billing_accounts (account_id, customer_id, read_at, due_at) SELECT account_id, 'cus_x', now(), now() FROM a`);
  const back = stripe.failAll('error_500');
  expect(await run('billing reconcile')).toMatchObject({
    code: 1,
    err: expect.stringContaining('1 accounts were not read'),
  });
  back();
});

test('a wrong key, and a missing one, are one sentence without the key', async () => {
  const wrong = await run('billing setup', { STRIPE_SECRET_KEY: 'sk_test_wrong7dc' });
  expect(wrong).toMatchObject({ code: 1, err: expect.stringMatching(/^Stripe does not accept the key \(.*\)\n$/) });
  expect(wrong.err).not.toContain('7dc');
  expect(await run('billing setup', { STRIPE_SECRET_KEY: '' })).toMatchObject({
    code: 2,
    err: 'STRIPE_SECRET_KEY is not set: the service takes no payments.\n',
  });
});
