// The ledger of past months in a real database (D41): months closed to sums, and chunks of one month.
import { closeCreditDays } from '../../../src/activities/close-credit-days';
import { closeCredits } from '../../../src/activities/close-credits';
import { createStores } from '../../../src/store/create-stores';
import { poolAs } from '../../support/servers/roles';
import { creditsLab } from './credits-lab';

const lab = creditsLab();
const { aKey, charge } = lab;

describe('closed months (D41)', () => {
  const october = { period: '2023-10-01', at: '2023-10-31T23:59:59.999Z' };
  const september = { period: '2023-09-01', at: '2023-09-10T00:00:00.000Z' };
  const log = { ...console, error: jest.fn() } as never;
  const wallMs = () => Date.parse('2026-11-21T03:00:00.000Z');
  const closeMonths = async (month: string): Promise<number> =>
    (await lab.db.pool.query('SELECT close_credits($1) AS lines', [month])).rows[0].lines;
  const closeBefore = async (month: string): Promise<number> => {
    await closeCreditDays({ stores: lab.stores, wallMs, log });
    return closeMonths(month);
  };
  const count = async (table: string, accountId: string): Promise<number> =>
    (await lab.db.pool.query(`SELECT count(*) FROM ${table} WHERE account_id = $1`, [accountId])).rows[0].count;

  test('are summed by key, operation and month; balances, grants, overage and later months are unchanged', async () => {
    const key = await aKey();
    const second = await aKey(key.accountId);
    await lab.stores.credits.grant({ ...key, credits: 5, reason: 'test', ...september });
    const { epoch } = await key.stored();
    const other = { ...september, endpoint: 'best_odds', epoch: (await second.stored()).epoch };
    const returned = key.charge(2, { ...september, epoch });
    await charge([
      key.charge(9, { ...september, epoch }),
      key.charge(1, { ...september, epoch }),
      returned,
      second.charge(4, { ...other, overage: 3 }),
      key.charge(3, { ...october, epoch }),
    ]);
    await lab.stores.credits.giveBack([{ ...returned, ...key, ...september }]);
    await charge([key.charge(1, { epoch })]);
    const usage = { ...key, period: '2023-09-01', since: '2023-09-01' };
    const before = await lab.stores.usage.usage(usage);
    await expect(closeMonths('2023-11-01')).rejects.toThrow('have days that are not closed');
    expect(await closeBefore('2023-11-01')).toBe(7);
    const { rows } = await lab.db.pool.query(
      `SELECT to_char(period, 'YYYY-MM') AS month, kind, subject, lines, credits, from_grants, overage FROM credit_closed
        WHERE account_id = $1 ORDER BY 1, 2, 3, 5`,
      [key.accountId],
    );
    expect(rows).toEqual([
      { month: '2023-09', kind: 'charge', subject: 'best_odds', lines: 1, credits: 4, from_grants: 3, overage: 1 },
      { month: '2023-09', kind: 'charge', subject: 'next_to_go', lines: 3, credits: 12, from_grants: 2, overage: 0 },
      { month: '2023-09', kind: 'grant', subject: 'test', lines: 1, credits: 5, from_grants: 0, overage: 0 },
      { month: '2023-09', kind: 'return', subject: 'next_to_go', lines: 1, credits: 2, from_grants: 1, overage: 1 },
      { month: '2023-10', kind: 'charge', subject: 'next_to_go', lines: 1, credits: 3, from_grants: 0, overage: 0 },
    ]);
    expect(await count('credit_ledger', key.accountId)).toBe(1);
    expect(await lab.stores.credits.audit()).toEqual([]);
    expect(await lab.stores.usage.usage(usage)).toMatchObject({
      ...before,
      recent: [{ credits: 1 }],
      recentInPeriod: [],
    });
    expect(await closeBefore('2023-11-01')).toBe(0);
  });

  test('are closed by a worker only, and never one of the last 13 by the database’s clock', async () => {
    const key = await aKey();
    const now = new Date();
    const monthsAgo = (months: number) => {
      const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 15)).toISOString();
      return { period: `${at.slice(0, 7)}-01`, at };
    };
    await charge([key.charge(1, monthsAgo(14)), key.charge(1, monthsAgo(13))]);
    const worker = poolAs(lab.db, 'racing_worker');
    const api = poolAs(lab.db, 'racing_api');
    try {
      const close = () => closeCredits({ stores: createStores(worker), log, wallMs: Date.now });
      await lab.db.pool.query('UPDATE credit_balances SET used = 9 WHERE account_id = $1', [key.accountId]);
      await expect(close()).rejects.toMatchObject({ type: 'LedgerDiffers', nonRetryable: true });
      expect(await count('credit_ledger', key.accountId)).toBe(2);
      await lab.db.pool.query('UPDATE credit_balances SET used = 1 WHERE account_id = $1', [key.accountId]);
      expect((await close()).lines).toBeGreaterThan(0);
      expect(await closeBefore('2099-01-01')).toBe(0);
      expect(await count('credit_ledger', key.accountId)).toBe(1);
      await expect(createStores(api).credits.close()).rejects.toThrow('permission denied');
    } finally {
      await Promise.all([worker.end(), api.end()]);
    }
  });

  test('are audited like other months', async () => {
    const { accountId, charge: of } = await aKey();
    await charge([of(3, september)]);
    await closeBefore('2023-11-01');
    await lab.db.pool.query('UPDATE credit_closed SET credits = 2 WHERE account_id = $1', [accountId]);
    expect(await lab.stores.credits.audit()).toEqual([
      `account ${accountId}, 2023-09 next_to_go: 1 calls for 3; the closed month has 1 for 2`,
      `account ${accountId}, 2023-09: 3 used, of which 0 granted and 0 overage; the ledger has 2, 0 and 0`,
    ]);
    await lab.db.pool.query('UPDATE credit_closed SET credits = 3 WHERE account_id = $1', [accountId]);
  });
});

test('a chunk of the ledger covers one month', async () => {
  const { charge: of } = await aKey();
  const months = Array.from({ length: 24 }, (_, i) => new Date(Date.UTC(2027, i, 1)).toISOString());
  await charge(months.map((at) => of(1, { period: at.slice(0, 10), at })));
  const { rows } = await lab.db.pool.query(
    'SELECT count(DISTINCT period) AS months FROM credit_ledger GROUP BY tableoid HAVING count(DISTINCT period) > 1',
  );
  expect(rows).toEqual([]);
});
