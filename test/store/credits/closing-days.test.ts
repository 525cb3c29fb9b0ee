// Closing days in a real database, hour by hour. Never: a month that stays open after its end, a later month that
// begins without the last head of the one before, a wrong closed day that the next hour's audit does not find.
import { auditChangedCredits } from '../../../src/activities/checks/audit-credits';
import { type CloseDaysDeps, closeCreditDays } from '../../../src/activities/close-credit-days';
import { createStores } from '../../../src/store/create-stores';
import type { CreditDayStore } from '../../../src/store/credits/statement/days';
import { poolAs } from '../../support/servers/roles';
import { creditsLab, NOVEMBER } from './credits-lab';

const lab = creditsLab();
const { aKey, charge, verdicts } = lab;

const OCTOBER = '2026-10-01';
const log = { error: () => {}, warn: () => {} } as never;
const closeAt = (at: string, creditDays: CloseDaysDeps['stores']['creditDays'] = lab.stores.creditDays) =>
  closeCreditDays({ stores: { creditDays }, wallMs: () => Date.parse(at), log });
const daysOf = async (accountId: string) =>
  (await lab.stores.creditDays.days(accountId, null)).map(({ period, day }) => `${period} ${day}`);
const on = (day: string) => ({ at: `${day}T10:00:00.000Z`, period: `${day.slice(0, 7)}-01` });

test('a month without later lines is closed on to its end, and then left', async () => {
  const { accountId, charge: of } = await aKey();
  const months = () => lab.stores.creditDays.months(accountId);
  await charge([of(1, on('2026-11-05'))]);
  for (const [at, through] of [
    ['2026-11-07T03:00:00.000Z', '2026-11-06'],
    ['2026-11-10T03:00:00.000Z', '2026-11-09'],
  ] as const) {
    await closeAt(at);
    expect(await months()).toEqual([{ period: NOVEMBER, through, isSummed: false }]);
  }
  expect(await verdicts([of(2, on('2026-11-05'))])).toEqual(['charged']);
  await closeAt('2026-12-01T03:00:00.000Z');
  expect(await daysOf(accountId)).toEqual([`${NOVEMBER} 2026-11-05`, `${NOVEMBER} 2026-11-10`]);
  expect(await months()).toMatchObject([{ through: '2026-11-30' }]);
  await closeAt('2026-12-05T03:00:00.000Z');
  expect(await months()).toMatchObject([{ through: '2026-11-30' }]);
});

test('after a month that could not be closed its account’s later months wait, and no other account does', async () => {
  const [failing, other] = [await aKey(), await aKey()];
  const days = ['2026-10-30', '2026-11-02'];
  await charge([failing, other].flatMap((key) => days.map((day) => key.charge(1, on(day)))));
  const { creditDays } = lab.stores;
  const close: CreditDayStore['close'] = async (month, ...rest) => {
    if (month.accountId === failing.accountId && month.period === OCTOBER) throw new Error('away');
    return creditDays.close(month, ...rest);
  };
  const at = '2026-11-04T03:00:00.000Z';
  expect(await closeAt(at, { ...creditDays, close })).toMatchObject({ failed: 1, isWhole: true });
  expect(await daysOf(failing.accountId)).toEqual([]);
  expect(await daysOf(other.accountId)).toHaveLength(2);
  expect(await closeAt(at)).toMatchObject({ days: 2, failed: 0 });
  const [october, november] = await creditDays.days(failing.accountId, null);
  expect(november!.previous).toBe(october!.head);
});

test('a run that comes to its end between two days is continued by the next', async () => {
  const { accountId, charge: of } = await aKey();
  await charge(['2026-11-02', '2026-11-03', '2026-11-04'].map((day) => of(1, on(day))));
  const nowMs = Date.parse('2026-11-06T03:00:00.000Z');
  const closed = async () => (await daysOf(accountId)).length;
  let isOver = false;
  const { creditDays } = lab.stores;
  // The time is over once the first day is closed.
  const close: CreditDayStore['close'] = (month, of, alive, isLate) =>
    creditDays.close(month, of, alive, () => {
      const wasOver = isOver;
      isOver = true;
      return wasOver && isLate!();
    });
  const wallMs = () => nowMs + (isOver ? 10 : 0);
  const stores = { creditDays: { ...creditDays, close } };
  const first = await closeCreditDays({ stores, wallMs, log }, undefined, { untilMs: nowMs + 10 });
  expect(first).toEqual({ days: 1, failed: 0, isWhole: false });
  expect([await closed(), await creditDays.months(accountId)]).toMatchObject([1, [{ through: '2026-11-02' }]]);
  expect(await closeAt('2026-11-06T03:00:00.000Z')).toMatchObject({ days: 2, isWhole: true });
  expect([await closed(), await creditDays.months(accountId)]).toMatchObject([3, [{ through: '2026-11-05' }]]);
});

test.each([
  ['', false],
  [', also of an account that was used since', true],
])('a wrong closed day is found by the next audit%s', async (_, isInUse) => {
  const worker = poolAs(lab.db, 'racing_worker');
  const stores = createStores(worker);
  const audit = (at: string) => auditChangedCredits({ stores, log, wallMs: () => Date.parse(at) });
  try {
    const { accountId, charge: of } = await aKey();
    await charge([of(3, on('2026-11-24'))]);
    if (isInUse) await charge([of(2, on('2026-11-26')), of(1, on('2026-11-26'))]);
    await audit('2026-11-26T02:00:00.000Z');
    await closeAt('2026-11-26T03:00:00.000Z', stores.creditDays);
    const add = 'UPDATE credit_days SET used = used + $2 WHERE account_id = $1';
    await lab.db.pool.query(add, [accountId, 1]);
    expect(await audit('2026-11-26T04:00:00.000Z')).toMatchObject({ faults: 1 });
    // What is wrong is not forgotten when another day is closed.
    await charge([of(1, on('2026-11-26'))]);
    await closeAt('2026-11-28T03:00:00.000Z', stores.creditDays);
    const noted = 'SELECT faults FROM credit_audits WHERE account_id = $1';
    expect((await lab.db.pool.query(noted, [accountId])).rows).toEqual([{ faults: 1 }]);
    await lab.db.pool.query(`${add} AND day = '2026-11-24'`, [accountId, -1]);
    expect(await audit('2026-11-28T04:00:00.000Z')).toMatchObject({ faults: 0 });
  } finally {
    await worker.end();
  }
});
