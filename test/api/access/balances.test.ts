// Balances of responses that charge nothing, over a database that does not answer.
import { createBalances } from '../../../src/api/access/charging/balances';
import type { Balance, BalanceQuery } from '../../../src/store/credits';
import { PATIENT_MS } from '../../support/patient';

const query: BalanceQuery = { accountId: 'a1', period: '2026-11-01', allowance: 9, overage: 0 };

test('a database that is silent delays one batch, and gets no query for a while', async () => {
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

test('a defect of ours is not taken for a database that is away', async () => {
  const { read } = createBalances({ balances: () => Promise.reject(new Error('no such column')) });
  await expect(read(query)).rejects.toThrow('no such column');
});
