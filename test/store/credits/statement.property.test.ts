// Statements of accounts in a real database, whatever is charged, sent again, given back, granted and late, over the
// turn of a month, by two processes, with workers that close days and die at any statement. Never: a statement whose
// sums are not those of the balance, a head that changes or is not that of its lines, a line twice, missing, or of
// another account.
import { createHash, randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { createStatements } from '../../../src/accounts/statement/statements';
import { closeCreditDays } from '../../../src/activities/close-credit-days';
import { createStores } from '../../../src/store/create-stores';
import type { Charge } from '../../../src/store/credits/credits';
import { hashApiKey } from '../../../src/store/keys/keys';
import type { Stores } from '../../../src/store/stores';
import { keyRow, newKey } from '../../support/api/api';
import { runs } from '../../support/property';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';

const START_MS = Date.parse('2026-11-29T20:00:00.000Z');
const HOUR_MS = 3_600_000;
const UNCOUNTED = { take: async () => 0 } as never;

let db: TestDatabase;
/** Two API processes. */
let apis: readonly Stores[];
let worker: Pool;
beforeAll(async () => {
  db = await createTestDatabase();
  apis = [createStores(poolAs(db, 'racing_api')), createStores(poolAs(db, 'racing_api'))];
  worker = poolAs(db, 'racing_worker');
});
afterEach(async () => expect(await createStores(db.pool).credits.audit()).toEqual([]));
afterAll(() => db.drop());

const iso = (ms: number): string => new Date(ms).toISOString();
const monthOf = (ms: number): string => `${iso(ms).slice(0, 7)}-01`;

/** Dies before this statement, in the middle of a transaction or not. */
function dying(pool: Pool, statements: number): Pool {
  let left = statements;
  const query =
    (to: { query: (...of: never[]) => unknown }) =>
    (...of: never[]): unknown => {
      if (String(of[0]) === 'ROLLBACK') return to.query(...of);
      left -= 1;
      if (left < 0) return Promise.reject(new Error('killed'));
      return to.query(...of);
    };
  const connect = async () => {
    const client = await pool.connect();
    const own = Object.create(client) as typeof client;
    return Object.assign(own, { query: query(client as never), release: () => client.release(true) });
  };
  return Object.assign(Object.create(pool) as Pool, { query: query(pool as never), connect });
}

async function close(nowMs: number, diesAfter: number | null): Promise<void> {
  const pool = diesAfter === null ? worker : dying(worker, diesAfter);
  const log = { warn: () => {}, error: () => {} } as never;
  const closing = closeCreditDays({ stores: createStores(pool), wallMs: () => nowMs, log }, undefined, { page: 2 });
  if (diesAfter === null) expect((await closing).failed).toBe(0);
  else await closing.catch(() => {});
}

async function anAccount() {
  const key = newKey();
  const keyHash = hashApiKey(key);
  await createStores(db.pool).keys.insert(keyHash, keyRow(key));
  const found = async () => (await apis[0]!.keys.find([keyHash]))[0]!;
  const { accountId, keyId } = await found();
  const sent: Charge[] = [];
  return {
    accountId,
    async charge(api: Stores, cost: number, nowMs: number, agoMs: number): Promise<void> {
      const atMs = nowMs - agoMs;
      const charge: Charge = {
        ...{ id: randomUUID(), keyHash, epoch: (await found()).epoch, endpoint: `/v1/${cost % 3}`, cost },
        ...{ allowance: 15, overage: 1_000_000, period: monthOf(atMs), at: iso(atMs) },
      };
      const [charged] = await api.credits.charge([charge]);
      if (charged!.verdict === 'charged') sent.push(charge);
    },
    /** Its outcome was lost. */
    async chargeAgain(api: Stores, which: number): Promise<void> {
      const charge = sent[which % Math.max(1, sent.length)];
      if (charge) await api.credits.charge([{ ...charge, again: true }]);
    },
    async giveBack(api: Stores, which: number): Promise<void> {
      const charge = sent[which % Math.max(1, sent.length)];
      if (charge) await api.credits.giveBack([{ ...charge, accountId, keyId }]);
    },
    grant: (api: Stores, credits: number, nowMs: number) =>
      api.credits.grant({ accountId, credits, reason: 'a "test",\r\nof=1', period: monthOf(nowMs), at: iso(nowMs) }),
  };
}
type Account = Awaited<ReturnType<typeof anAccount>>;

const HEADS = `SELECT account_id, period, day, encode(previous, 'hex') AS previous, encode(head, 'hex') AS head FROM credit_days
                WHERE account_id = ANY ($1)`;

/** The stored heads of before stand as they were. */
async function keptHeads(accounts: readonly Account[], before: Map<string, string>): Promise<void> {
  const { rows } = await db.pool.query(HEADS, [accounts.map(({ accountId }) => accountId)]);
  const now = new Map(rows.map((row) => [`${row.account_id} ${row.period} ${row.day}`, `${row.previous} ${row.head}`]));
  for (const [name, head] of before) expect([name, now.get(name)]).toEqual([name, head]);
  for (const [name, head] of now) before.set(name, head);
}

const LEDGER = `SELECT COALESCE(sum(credits) FILTER (WHERE kind = 'grant'), 0)::int AS granted, count(*)::int AS lines,
                       array_agg(charge_id::text ORDER BY charge_id) FILTER (WHERE charge_id IS NOT NULL) AS ids
                  FROM credit_ledger WHERE account_id = $1 AND period = $2 AND credits > 0`;
const BALANCE = 'SELECT used, from_grants, overage FROM credit_balances WHERE account_id = $1 AND period = $2';

/** By the rule that docs/accounts.md states, and not by the code that writes it. */
async function judge({ accountId }: Account, period: string): Promise<void> {
  const statements = createStatements({ creditDays: apis[1]!.creditDays, counts: UNCOUNTED });
  const [ledger] = (await db.pool.query(LEDGER, [accountId, period])).rows;
  if (ledger.lines === 0) return;
  const pieces: string[] = [];
  for await (const piece of await statements.statement(accountId, period)) pieces.push(piece);
  const rows: Record<string, string>[] = parse(pieces.join(''), { columns: true });
  const fields = Object.keys(rows[0]!);
  const chained = fields.slice(fields.indexOf('day'), fields.indexOf('head'));
  let text = '';
  let last = '';
  for (const row of rows) {
    if (row.record === 'line') {
      expect(row.day! >= row.at!.slice(0, 10)).toBe(true);
      text += chained.map((name) => `${row[name]}\0`).join('');
    } else {
      if (row.record === 'day') expect(createHash('sha256').update(text).digest('hex')).toBe(row.head);
      text = last = row.head!;
    }
  }
  const lines = rows.filter(({ record }) => record === 'line');
  const days = rows.filter(({ record }) => record === 'day').map(({ day }) => day);
  expect([days, lines.map(({ day }) => day)]).toEqual([[...days].sort(), lines.map(({ day }) => day).sort()]);
  const sum = (name: string): number => lines.reduce((all, row) => all + Number(row[name]), 0);
  const [balance] = (await db.pool.query(BALANCE, [accountId, period])).rows;
  const sums = { used: sum('used'), from_grants: sum('from_grants'), overage: sum('overage') };
  expect([sums, sum('granted'), lines.length]).toEqual([balance, ledger.granted, ledger.lines]);
  expect(sum('balance_effect')).toBe(sum('granted') - sum('used'));
  expect(rows.at(-1)).toMatchObject({ record: 'month', head: last, balance_effect: String(sum('balance_effect')) });
  const ids = lines.map((row) => row.charge_id!).filter((id) => id !== '');
  expect(ids.sort()).toEqual(ledger.ids ?? []);
}

type Step =
  | { readonly kind: 'charge'; readonly cost: number; readonly agoHours: number }
  | { readonly kind: 'return' | 'again'; readonly which: number }
  | { readonly kind: 'grant'; readonly credits: number }
  | { readonly kind: 'close'; readonly diesAfter: number | null }
  | { readonly kind: 'wait'; readonly hours: number };

const act = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('charge' as const),
      cost: fc.integer({ min: 1, max: 9 }),
      agoHours: fc.constantFrom(0, 0, 0, 1, 30),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('return' as const), which: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again' as const), which: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('grant' as const), credits: fc.integer({ min: 1, max: 9 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('close' as const), diesAfter: fc.option(fc.nat(25), { nil: null }) }),
  },
) satisfies fc.Arbitrary<Step>;
const wait = fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 5, 20, 40) });
/** Steps of one moment run together. */
const moments = fc.array(fc.oneof({ weight: 3, arbitrary: fc.array(act, { minLength: 1, maxLength: 6 }) }, wait), {
  minLength: 4,
  maxLength: 14,
});

test('have every line of the balance once, and heads that never change', async () => {
  await fc.assert(
    fc.asyncProperty(moments, async (all) => {
      const accounts = [await anAccount(), await anAccount()];
      const heads = new Map<string, string>();
      let nowMs = START_MS;
      const perform = async (step: Step, i: number): Promise<unknown> => {
        const [account, api] = [accounts[i % 2]!, apis[(i >> 1) % 2]!];
        if (step.kind === 'charge') return account.charge(api, step.cost, nowMs, step.agoHours * HOUR_MS);
        if (step.kind === 'return') return account.giveBack(api, step.which);
        if (step.kind === 'again') return account.chargeAgain(api, step.which);
        if (step.kind === 'grant') return account.grant(api, step.credits, nowMs);
        return step.kind === 'close' && close(nowMs, step.diesAfter);
      };
      for (const moment of all) {
        if (!Array.isArray(moment)) nowMs += moment.hours * HOUR_MS;
        else await Promise.all(moment.map(perform));
        await keptHeads(accounts, heads);
      }
      // Two at once close what is left.
      nowMs += 100 * HOUR_MS;
      await Promise.all([close(nowMs, null), close(nowMs, null)]);
      await keptHeads(accounts, heads);
      for (const account of accounts) for (const period of ['2026-11-01', '2026-12-01']) await judge(account, period);
    }),
    { numRuns: runs(200) },
  );
});
