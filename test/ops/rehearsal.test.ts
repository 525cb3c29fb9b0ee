// The rehearsal of payments against our own stateful Stripe. Never: it passes although Stripe failed, declined or did
// not answer at some step; it leaves a test clock or a database behind; it goes on with a key of the live mode.
import { randomBytes } from 'node:crypto';
import { rehearse } from '../../src/ops/billing/rehearsal/rehearse';
import { runCommand } from '../../src/ops/run-command';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';
import { type StripeServer, startStripe, TEST_KEY } from '../support/stripe/server';
import { addTaxRate } from '../support/stripe/tax';

const BEGIN = Date.parse('2026-11-10T03:00:00Z');
const TITLES = ['set-up', 'buy', 'upgrade', 'overage', 'decline', 'dispute', 'cancel', 'year'];
const EXPECTED = '  ✓ as expected, and the credit audit is clean';

const open = (): Promise<StripeServer> => startStripe(BEGIN, { servesPages: true });
const clocksOf = ({ world }: StripeServer) =>
  world.all('test_helpers.test_clock', ({ deleted }) => !deleted).map(({ name }) => name);
const isStep = (line: string): boolean => TITLES.some((title) => line.startsWith(`${title}: `));

describe('the command', () => {
  let db: TestDatabase;
  let stripe: StripeServer;
  let lines: string[];
  beforeAll(async () => {
    [db, stripe] = [await createTestDatabase(), await open()];
  });
  afterAll(async () => {
    await stripe.close();
    await db.drop();
  });
  const run = (over: Record<string, string>) => {
    lines = [];
    const settings = { STRIPE_SECRET_KEY: TEST_KEY, STRIPE_API_BASE: stripe.url, STRIPE_TAX: 'none' };
    const variables = { DATABASE_URL: db.url, LOG_LEVEL: 'silent', ...settings, ...over };
    return runCommand(['billing', 'rehearse'], variables, 'ops', (line) => void lines.push(line));
  };
  const databases = async () =>
    (await db.pool.query(`SELECT datname FROM pg_database WHERE datname LIKE 'racing_own_%'`)).rows;

  test('rehearses every step with GST, on a database of its own, and leaves neither it nor a test clock behind', async () => {
    const { code, out, err } = await run({ STRIPE_TAX: `rate:${addTaxRate(stripe.world)}` });
    expect({ code, out, err, lines }).toMatchObject({ code: 0, out: 'every step was as expected\n', err: '' });
    expect(lines.filter(isStep).map((line) => line.split(':')[0])).toEqual(TITLES);
    expect(lines.filter((line) => line === EXPECTED)).toHaveLength(TITLES.length);
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^ {2}Stripe {3}active, .*; invoice of A\$33.00 paid, GST A\$3.00$/),
        expect.stringMatching(/^ {2}Stripe {3}past_due, .*; invoice of A\$99.00 open, GST A\$9.00$/),
        expect.stringMatching(/^ {2}account {2}Business, unpaid since 20.*; mailed: A payment failed$/),
        '  Stripe   the payment is disputed: fraudulent, needs_response',
        expect.stringMatching(/^ {2}account {2}Free, nothing unpaid, .*; mailed: Your Business plan has ended$/),
        expect.stringMatching(/^ {2}Stripe {3}active, .*; invoice of A\$490.00 paid, GST A\$44.55$/),
      ]),
    );
    expect([clocksOf(stripe), await databases()]).toEqual([[], []]);
    expect((await db.pool.query('SELECT FROM accounts')).rows).toEqual([]);
  });

  test.each([
    ['of the live mode', { STRIPE_SECRET_KEY: 'sk_live_4eC39HqLyjWDarjtT1zdp7dc' }, 'is of the live mode'],
    ['that is missing', { STRIPE_SECRET_KEY: '' }, 'is not set'],
  ])('does nothing with a key %s', async (_, over, reason) => {
    const before = stripe.calls.length;
    const { code, err } = await run(over);
    expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining(`STRIPE_SECRET_KEY ${reason}`) });
    expect(err).not.toContain('7dc');
    expect([stripe.calls.length - before, lines]).toEqual([0, []]);
  });

  test('fails with a key that Stripe refuses, and drops its database', async () => {
    expect(await run({ STRIPE_SECRET_KEY: 'sk_test_wrong' })).toMatchObject({ code: 1 });
    expect(lines.join('\n')).toContain('✗ Stripe does not accept the key');
    expect(await databases()).toEqual([]);
  });
});

/** Longer than any pause of the machine. */
const PATIENT_MS = 60_000;
const LATE = 'no answer in time';
const LATE_MS = 500;

type Plant = (stripe: StripeServer, stop: AbortController) => void;

/** A rehearsal with faults from its `call`-th request on. */
async function rehearsed(call: number, plant: Plant, timeoutMs = PATIENT_MS) {
  const stop = new AbortController();
  const [db, stripe] = [await createTestDatabase(), await open()];
  const lines: string[] = [];
  /** How many requests were before each step. */
  const begun: number[] = [];
  stripe.before(call, () => plant(stripe, stop));
  const isAsExpected = await rehearse({
    stripe: { secretKey: TEST_KEY, apiBase: stripe.url, tax: { kind: 'none' }, timeoutMs, repeats: 0 },
    ...{ pool: db.pool, baseUrl: 'https://odds.example', beginMs: BEGIN, signal: stop.signal },
    name: `Rehearsal ${randomBytes(6).toString('hex')}`,
    say(line) {
      lines.push(line);
      if (isStep(line)) begun.push(stripe.calls.length);
    },
  });
  const left = clocksOf(stripe);
  await stripe.close();
  await db.drop();
  return { isAsExpected, lines, begun, left, calls: stripe.calls.length };
}

const FAULTS: Readonly<Record<string, Plant>> = {
  'an error': (stripe) => stripe.fail(/./, 'error_500'),
  'a declined card': ({ world }) => {
    world.cardsPay = false;
  },
  [LATE]: (stripe) => stripe.holdReply(/./, new Promise((done) => void setTimeout(done, 3 * LATE_MS).unref())),
  'an interruption': (_, stop) => stop.abort(new Error('the rehearsal was interrupted')),
};

test('a fault at any step fails it with the reason, and the test clock is deleted', async () => {
  const clean = await rehearsed(Infinity, () => {});
  expect({ isAsExpected: clean.isAsExpected, lines: clean.lines }).toMatchObject({ isAsExpected: true });
  const names = Object.keys(FAULTS);
  for (const [i, from] of clean.begun.entries()) {
    const name = names[i % names.length]!;
    const until = clean.begun[i + 1] ?? clean.calls - 2;
    const call = name === 'a declined card' ? from + 1 : from + 1 + ((7 * i) % (until - from));
    const { isAsExpected, lines, left } = await rehearsed(call, FAULTS[name]!, name === LATE ? LATE_MS : PATIENT_MS);
    const about = { step: TITLES[i], name, call, lines };
    const failed = lines.filter((line) => line.startsWith('  ✗ ') && line.length > 20);
    expect({ ...about, isAsExpected, failed: failed.length, left }).toEqual({
      ...about,
      isAsExpected: false,
      failed: 1,
      left: [],
    });
  }
});
