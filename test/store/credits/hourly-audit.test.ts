// The audit of every hour: it reads what has changed, finds what does not add up, and waits for no charge.
import { auditChangedCredits } from '../../../src/activities/checks/audit-credits';
import { createStores } from '../../../src/store/create-stores';
import { readFaultyCredits } from '../../../src/store/gauges/credit-faults';
import { poolAs } from '../../support/servers/roles';
import { AT, creditsLab } from './credits-lab';

const lab = creditsLab();
const { aKey, charge, grant, verdicts } = lab;

const MINUTE_MS = 60_000;
let nowMs = Date.parse(AT);
const logged: { fields: object; message: string }[] = [];
const log = {
  error: (fields: object, message: string) => void logged.push({ fields, message }),
  warn: (fields: object, message: string) => void logged.push({ fields, message }),
} as never;

/** As a worker, an hour after the one before. */
async function audit(page?: number, stepMs = 0) {
  const worker = poolAs(lab.db, 'racing_worker');
  nowMs += 60 * MINUTE_MS;
  const wallMs = () => {
    nowMs += stepMs;
    return nowMs;
  };
  try {
    return await auditChangedCredits({ stores: createStores(worker), log, wallMs }, undefined, page);
  } finally {
    await worker.end();
  }
}
const NOTHING = { accounts: 0, faults: 0, isWhole: true };

test('a balance that changed is audited once, page by page, and a run that takes too long is continued', async () => {
  const keys = await Promise.all(Array.from({ length: 5 }, () => aKey()));
  const charged = () => charge(keys.map((key) => key.charge(1)));
  await charged();
  expect(await audit(2)).toEqual({ accounts: 5, faults: 0, isWhole: true });
  expect(await audit(2)).toEqual(NOTHING);
  await charged();
  expect(await audit(2, 25 * MINUTE_MS)).toEqual({ accounts: 2, faults: 0, isWhole: false });
  expect(logged.at(-1)!.message).toBe('the audit of credits goes on in the next hour');
  expect(await audit(2)).toEqual({ accounts: 3, faults: 0, isWhole: true });
});

test.each<[string, string, string]>([
  [
    'a balance that is gone',
    'DELETE FROM credit_balances',
    `INSERT INTO credit_balances (account_id, period, used) SELECT account_id, '2026-11-01', 3 FROM accounts`,
  ],
  ['a balance', 'UPDATE credit_balances SET used = used + 1', 'UPDATE credit_balances SET used = used - 1'],
  ['overage', 'UPDATE credit_balances SET overage = overage + 1', 'UPDATE credit_balances SET overage = overage - 1'],
  [
    'grants',
    'UPDATE credit_grants SET remaining = remaining + 1',
    'UPDATE credit_grants SET remaining = remaining - 1',
  ],
])('%s that the ledger does not explain is found within the hour, until it is corrected', async (_, spoil, mend) => {
  const { accountId, stored, charge: of } = await aKey();
  await grant(accountId, 5);
  const { epoch } = await stored();
  expect(await verdicts([of(3, { epoch })])).toEqual(['charged']);
  expect(await audit()).toMatchObject({ faults: 0 });
  const { pool } = lab.db;
  await pool.query(`${spoil} WHERE account_id = $1`, [accountId]);
  logged.length = 0;
  const { faults } = await audit();
  expect(faults).toBeGreaterThan(0);
  expect(logged[0]).toMatchObject({
    message: 'credits do not add up',
    fields: { count: faults, faults: expect.arrayContaining([expect.stringContaining(accountId)]) },
  });
  expect(await readFaultyCredits(pool)).toBe(1);
  // Unchanged, and in a month that is not audited any more.
  nowMs += 100 * 24 * 60 * MINUTE_MS;
  expect(await audit()).toMatchObject({ faults });
  await pool.query(`${mend} WHERE account_id = $1`, [accountId]);
  expect(await audit()).toMatchObject({ faults: 0 });
  expect(await readFaultyCredits(pool)).toBe(0);
  nowMs = Date.parse(AT);
});

test('sums of a day that the ledger does not explain are found once their balance changes', async () => {
  const { accountId, charge: of } = await aKey();
  await charge([of(3)]);
  await lab.db.pool.query('UPDATE credit_usage SET calls = calls + 1 WHERE account_id = $1', [accountId]);
  expect(await audit()).toMatchObject({ faults: 1 });
  await lab.db.pool.query('UPDATE credit_usage SET calls = calls - 1 WHERE account_id = $1', [accountId]);
  expect(await audit()).toMatchObject({ faults: 0 });
});

test('while charges, grants and returns go on no run finds anything, and none waits for a lock of theirs', async () => {
  const keys = await Promise.all(Array.from({ length: 4 }, () => aKey()));
  const charging = Promise.all(
    keys.map(async (key) => {
      for (let i = 0; i < 25; i++) {
        const { epoch } = await key.stored();
        const [one, other] = [key.charge(1, { epoch }), key.charge(2, { epoch })];
        expect(await verdicts([one, other])).toEqual(['charged', 'charged']);
        await grant(key.accountId, 3);
        await lab.stores.credits.giveBack([{ ...other, ...key, id: other.id }]);
      }
    }),
  );
  for (let i = 0; i < 10; i++) expect(await audit(3)).toMatchObject({ faults: 0, isWhole: true });
  await charging;
  const client = await lab.db.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT * FROM credit_balances FOR UPDATE');
    await client.query('SELECT * FROM credit_grants FOR UPDATE');
    expect(await audit()).toMatchObject({ faults: 0, isWhole: true });
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  expect(await audit()).toEqual(NOTHING);
});
