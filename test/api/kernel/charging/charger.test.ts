// Charges of failed calls at the end of a process, and when more of them wait than there is room for.

import { type Charger, createCharger } from '../../../../src/api/kernel/charging/charger';
import { createCredits } from '../../../../src/api/kernel/charging/credits';
import type { Caller } from '../../../../src/api/kernel/endpoint/caller';
import { planNamed } from '../../../../src/plans/plans';
import type { Charge, Charged, Return } from '../../../../src/store/credits/credits';
import { PATIENT_MS } from '../../../support/patient';

const NOW = '2026-11-21T03:00:00.000Z';
const OWNER = { accountId: 'a1', keyId: 'k1' };
const CHARGED: Charged = { verdict: 'charged', used: 2, overage: 0, remaining: 1 };
const chargeOf = (id: string): Charge => ({
  id,
  keyHash: Buffer.alloc(32),
  epoch: 1,
  endpoint: '/v1/x',
  cost: 2,
  allowance: 9,
  overage: 0,
  period: '2026-11-01',
  at: NOW,
});

function lab() {
  const database = { isAway: true, given: [] as string[], refuses: '', reply: () => {} };
  const logged: { fields: object; message: string }[] = [];
  const store = {
    charge: (charges: readonly Charge[]) =>
      new Promise<readonly Charged[]>((resolve) => {
        database.reply = () => resolve(charges.map(() => CHARGED));
      }),
    chargeDownload: async () => CHARGED,
    chargeShared: async () => CHARGED,
    sharedVerdict: async () => 'charged' as const,
    giveBack: async (returns: readonly Return[]) => {
      if (database.isAway) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      if (returns.some(({ id }) => id === database.refuses)) throw new Error('value out of range');
      database.given.push(...returns.map(({ id }) => id));
    },
  };
  const log = { error: (fields: object, message: string) => void logged.push({ fields, message }) };
  const patience = { againForMs: 0, pauseMs: 1, giveBackEveryMs: 1, mostUnsettled: 3 };
  return { charger: createCharger(store, log, patience), database, logged };
}

const giveBack = (charger: Charger, ...ids: string[]): void => {
  for (const id of ids) charger.giveBack(chargeOf(id), OWNER);
};

test('a shutdown waits for charges in progress and for all refunds', async () => {
  const { charger, database, logged } = lab();
  const order: string[] = [];
  const charging = charger.charge(chargeOf('1'), OWNER).then(() => order.push('charged'));
  giveBack(charger, '2');
  const settled = charger.settled(PATIENT_MS).then(() => order.push('settled'));
  database.isAway = false;
  while (database.given.length === 0) await new Promise(setImmediate);
  database.reply();
  await Promise.all([charging, settled]);
  expect([order, database.given, logged]).toEqual([['charged', 'settled'], ['2'], []]);
});

test('a refund that the database does not take in time is logged, so that it can be granted by hand', async () => {
  const { charger, logged } = lab();
  giveBack(charger, '1', '2');
  await charger.settled(0);
  const charges = ['1', '2'].map((id) => ({ id, accountId: 'a1', endpoint: '/v1/x' }));
  expect(logged).toEqual([{ fields: { charges }, message: 'charges of failed calls are not given back' }]);
  await charger.settled(0);
  expect(logged).toHaveLength(1);
});

test('when its queue is full the oldest refunds are dropped, which is logged once per outage', async () => {
  const { charger, database, logged } = lab();
  giveBack(charger, '1', '2', '3', '3', '4', '5');
  expect(logged).toMatchObject([{ fields: { most: 3, oldest: { id: '1' } } }]);
  database.isAway = false;
  await charger.settled(PATIENT_MS);
  expect(new Set(database.given)).toEqual(new Set(['3', '4', '5']));
  expect(logged).toHaveLength(1);
});

test('a refund that the database refuses is logged once and does not stop others', async () => {
  const { charger, database, logged } = lab();
  database.refuses = '1';
  giveBack(charger, '1', '2');
  database.isAway = false;
  while (!database.given.includes('2')) await new Promise(setImmediate);
  giveBack(charger, '3');
  while (!database.given.includes('3')) await new Promise(setImmediate);
  expect(logged).toEqual([
    {
      fields: { err: new Error('value out of range'), charges: [{ id: '1', accountId: 'a1', endpoint: '/v1/x' }] },
      message: 'the database refuses to take charges back: tried again',
    },
  ]);
  database.refuses = '';
  await charger.settled(PATIENT_MS);
  expect([database.given, logged]).toEqual([['2', '3', '1'], expect.any(Array)]);
  expect(logged).toHaveLength(1);
});

test('no call is refused on a balance from before a refund', async () => {
  const { charger, database } = lab();
  const credits = createCredits({
    charger,
    balances: null,
    seller: { baseUrl: 'https://api.example.com', sells: false },
    wallMs: () => Date.parse(NOW),
    callers: { refresh: () => Promise.reject(new Error('nothing changed')) },
  });
  const owner = { ...OWNER, role: 'customer', keyHash: Buffer.alloc(32), epoch: 1, accountSince: NOW, overage: false };
  const caller = { ...owner, plan: planNamed('free')! } as unknown as Caller;
  const call = { caller, endpoint: '/v1/x', credits: 2, setHeader: () => {} };
  const charged = async () => {
    let isDone = false;
    const charging = credits.charge(call).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise(setImmediate);
      database.reply();
    }
    return charging;
  };
  const precheck = () => credits.precheck(call);
  const undo = await charged();
  expect(precheck).toThrow('This call costs 2 credits, and 1 of this month are left');
  undo!();
  expect(precheck).not.toThrow();
  // A charge before the database takes the refund.
  await charged();
  expect(precheck).toThrow();
  database.isAway = false;
  await charger.settled(PATIENT_MS);
  expect(precheck).not.toThrow();
});
