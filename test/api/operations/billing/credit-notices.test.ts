// Mails at 80 and 100 percent of a month's credits and events for webhooks: one of both for each level and allowance of
// a month, whichever processes look for it and wherever they are killed; no mail for an owner who switched them off,
// and none after that for what was reached before.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { mailCreditLevels } from '../../../../src/accounts/notices/credit-notices';
import { FREE, planNamed } from '../../../../src/plans/plans';
import { createStores } from '../../../../src/store/create-stores';
import { runs } from '../../../support/property';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';
import { type Death, dyingPool, isKilled } from '../../../support/servers/dying-pool';
import { poolAs } from '../../../support/servers/roles';
import { publishedEvents } from '../../../support/webhooks/published-events';

let db: TestDatabase;
let pools: Pool[];
beforeAll(async () => {
  db = await createTestDatabase();
  pools = [poolAs(db, 'racing_api'), poolAs(db, 'racing_api')];
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await db.drop();
});

const at = (month: number): string => `2026-${month}-21T03:04:05.000Z`;

const look = (pool: Pool, month: number, death: Death | null = null) =>
  mailCreditLevels(
    {
      store: createStores(dyingPool(pool, death)).creditNotices,
      baseUrl: 'https://odds.example',
      linkSecret: async () => Buffer.from('secret'),
      mailWritten: () => {},
    },
    Date.parse(at(month)),
  );

async function open(email: string | null): Promise<string> {
  const accountId = randomUUID();
  await db.pool.query(`INSERT INTO accounts (account_id, plan, created_at) VALUES ($1, 'free', now())`, [accountId]);
  if (email !== null)
    await db.pool.query(
      'INSERT INTO account_owners (account_id, email, email_key, verified_at, terms_accepted_at) VALUES ($1, $2, $2, now(), now())',
      [accountId, email],
    );
  return accountId;
}

/** A charge and its sums, as `charge_accounts` writes them within an allowance. */
async function use(accountId: string, month: number, credits: number): Promise<void> {
  const period = `2026-${month}-01`;
  const balance = `INSERT INTO credit_balances AS b (account_id, period, used) VALUES ($1, $2, $3)
    ON CONFLICT (account_id, period) DO UPDATE SET used = b.used + $3`;
  await db.pool.query(balance, [accountId, period, credits]);
  const line = `INSERT INTO credit_ledger (period, at, account_id, kind, key_id, subject, credits, charge_id)
    VALUES ($2, $3, $1, 'charge', $4, '/v1/x', $5, gen_random_uuid())`;
  await db.pool.query(line, [accountId, period, at(month), randomUUID(), credits]);
}

const mailsTo = async (email: string) =>
  (
    await db.pool.query<{ subject: string; body: string }>(
      'SELECT subject, body FROM mails WHERE recipient = $1 ORDER BY xmin::text::bigint',
      [email],
    )
  ).rows;

const STEP = fc.record({
  act: fc.oneof(
    fc.constantFrom('use' as const, 'month turns' as const, 'grant' as const, 'off' as const, 'on' as const),
    fc.constantFrom('plus', 'free', 'growth'),
  ),
  /** Of what is left. */
  share: fc.constantFrom(0.1, 0.5, 0.8, 1),
  deaths: fc.array(fc.record({ at: fc.nat(8), isAfter: fc.boolean() }), { maxLength: 3 }),
});

test('each level of an allowance has one event and one mail, wherever a process is killed', async () => {
  const property = fc.asyncProperty(
    fc.array(STEP, { minLength: 4, maxLength: 14 }),
    fc.boolean(),
    async (steps, isOwned) => {
      const email = `${randomUUID()}@example.com`;
      const accountId = await open(isOwned ? email : null);
      const stores = createStores(db.pool);
      const of = { month: 10, plan: 'free', used: 0, granted: 0, fromGrants: 0, isOn: true };
      const reached = new Map<number, string>();
      const expected: string[] = [];
      const events: object[] = [];
      const left = () => Math.max(0, planNamed(of.plan)!.monthlyCredits - (of.used - of.fromGrants)) + of.granted;
      for (const { act, share, deaths } of steps) {
        if (act === 'use') {
          const credits = Math.ceil(left() * share);
          const ofPlan = Math.max(0, planNamed(of.plan)!.monthlyCredits - (of.used - of.fromGrants));
          const fromGrants = Math.max(0, credits - ofPlan);
          Object.assign(of, {
            used: of.used + credits,
            granted: of.granted - fromGrants,
            fromGrants: of.fromGrants + fromGrants,
          });
          if (credits > 0) await use(accountId, of.month, credits);
          await db.pool.query('UPDATE credit_grants SET remaining = $2 WHERE account_id = $1', [accountId, of.granted]);
          await db.pool.query('UPDATE credit_balances SET from_grants = $3 WHERE account_id = $1 AND period = $2', [
            accountId,
            `2026-${of.month}-01`,
            of.fromGrants,
          ]);
        } else if (act === 'month turns') {
          if (of.month < 12) Object.assign(of, { month: of.month + 1, used: 0, fromGrants: 0 });
          reached.clear();
        } else if (act === 'grant') {
          of.granted += 500;
          await db.pool.query(
            'INSERT INTO credit_grants AS g VALUES ($1, 500) ON CONFLICT (account_id) DO UPDATE SET remaining = g.remaining + 500',
            [accountId],
          );
        } else if (act === 'off' || act === 'on') {
          of.isOn = act === 'on';
          await stores.owners.setMails(accountId, 'credits', of.isOn);
        } else {
          of.plan = act;
          await stores.keyRegister.setPlan(accountId, act);
        }
        const included = of.used + left();
        const level = of.used === 0 ? 0 : left() === 0 ? 100 : 5 * of.used >= 4 * included ? 80 : 0;
        const fact = `${of.month} ${String(included).padStart(15, '0')}`;
        if (level > 0 && (reached.get(level) ?? '') < fact) {
          reached.set(level, fact);
          if (level === 100 && (reached.get(80) ?? '') < fact) reached.set(80, fact);
          if (of.isOn) expected.push(SUBJECTS[level as 80 | 100]);
          const facts = { threshold_pct: level, month: `2026-${of.month}`, credits_used: of.used };
          events.push({ kind: 'account.credits_used', facts: expect.objectContaining(facts) });
        }
        const killed = await Promise.allSettled(deaths.map((death, i) => look(pools[i % 2]!, of.month, death)));
        for (const one of killed) if (one.status === 'rejected' && !isKilled(one.reason)) throw one.reason;
        await Promise.all(pools.map((pool) => look(pool, of.month)));
        expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual(isOwned ? expected : []);
        const written = await publishedEvents(db.pool, accountId);
        expect(written.map(({ kind, facts }) => ({ kind, facts }))).toEqual(events);
      }
    },
  );
  await fc.assert(property, { numRuns: runs(150) });
});

const SUBJECTS = { 80: '80 % of the credits of this month are used', 100: 'The credits of this month are used' };

test('says how many are used, by when, and what follows', async () => {
  const email = 'reader@example.com';
  const accountId = await open(email);
  await use(accountId, 11, 0.8 * FREE.monthlyCredits);
  await look(pools[0]!, 11);
  await use(accountId, 11, 0.2 * FREE.monthlyCredits);
  await look(pools[0]!, 11);
  const [near, over] = await mailsTo(email);
  expect(near!.body).toContain(
    'By 2026-11-21 at 03:04 UTC your account had used 2,400 of the 3,000 credits of this month (UTC).',
  );
  expect(near!.body).toContain(
    'Once they are used, calls that cost credits are refused (402). New credits come on 2026-12-01 at 00:00 UTC.',
  );
  expect(over).toMatchObject({ subject: SUBJECTS[100], body: expect.stringContaining('From now on calls') });
  expect(over!.body).toMatch(/https:\/\/odds\.example\/account\n\nYou can switch these mails off there/);
});
