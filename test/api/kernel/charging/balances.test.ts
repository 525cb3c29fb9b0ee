// Balances of responses that charge nothing, over a database that does not answer.
import { createBalances } from '../../../../src/api/kernel/charging/balances';
import type { Balance, BalanceQuery } from '../../../../src/store/credits/credits';
import { PATIENT_MS } from '../../../support/patient';

const query: BalanceQuery = { accountId: 'a1', period: '2026-11-01', allowance: 9, overage: 0 };

test('a silent database delays one batch and then gets no query for a while', async () => {
  let sent = 0;
  const silent = () => {
    sent++;
    return new Promise<Balance[]>(() => {});
  };
  const { read, recent } = createBalances({ balances: silent }, { withinMs: 1, restMs: PATIENT_MS });
  expect(await Promise.all([read(query), read(query)])).toEqual([null, null]);
  expect([await read(query), await recent(query, 0)]).toEqual([null, null]);
  expect(sent).toBe(1);
});

test('a recent balance is at most a second old, also when the clock is set back', async () => {
  let sent = 0;
  const counted = async () => [{ used: ++sent, overage: 0, remaining: 9 }];
  const { recent } = createBalances({ balances: counted }, { withinMs: PATIENT_MS, restMs: 0 });
  const used = [];
  for (const nowMs of [5000, 5999, 6000, 3000]) used.push((await recent(query, nowMs))!.used);
  expect(used).toEqual([1, 1, 2, 3]);
});

test('an internal defect is not mistaken for an unavailable database', async () => {
  const { read } = createBalances({ balances: () => Promise.reject(new Error('no such column')) });
  await expect(read(query)).rejects.toThrow('no such column');
});
