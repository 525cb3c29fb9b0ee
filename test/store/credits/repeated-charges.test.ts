// Charges that may already have been made, in a real database: a lost reply, a refund, a charge within a worker's
// transaction.
import { type BusinessCharge, chargeWithin } from '../../../src/store/credits/charge-within';
import type { Charge } from '../../../src/store/credits/credits';
import { inTransaction } from '../../../src/store/pg/transaction';
import { untilBlocked } from '../../support/servers/lock-waiters';
import { poolAs } from '../../support/servers/roles';
import { AT, creditsLab, NOVEMBER } from './credits-lab';

const lab = creditsLab();
const { aKey, charge, verdicts, grant } = lab;

describe('a charge whose reply was lost', () => {
  test('is charged once and answered, also after its key was changed or revoked', async () => {
    const { keyHash, charge: of } = await aKey();
    const first = of(3);
    await charge([first]);
    const again = { ...first, again: true };
    expect(await charge([again, again])).toMatchObject([
      { verdict: 'charged', used: 3, remaining: 7 },
      { verdict: 'charged', used: 3, remaining: 7 },
    ]);
    await lab.stores.keyRegister.revoke(keyHash.toString('hex'), AT);
    expect(await verdicts([again, { ...of(1), again: true }])).toEqual(['charged', 'revoked']);
  });

  test('is charged on the retry if it never arrived', async () => {
    const { charge: of } = await aKey();
    expect(await charge([of(3, { again: true })])).toMatchObject([{ verdict: 'charged', used: 3 }]);
  });

  test('is not charged a second time if it arrives after its retry', async () => {
    const { charge: of } = await aKey();
    const first = of(3);
    await charge([{ ...first, again: true }]);
    await expect(charge([of(1), first])).rejects.toMatchObject({ code: '23505' });
    expect(await charge([of(1)])).toMatchObject([{ used: 4 }]);
  });

  test('is awaited while it is still in progress', async () => {
    const { accountId, charge: of } = await aKey();
    await charge([of(1)]);
    const holder = await lab.db.pool.connect();
    const first = of(3);
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM credit_balances WHERE account_id = $1 FOR UPDATE', [accountId]);
      const both = [charge([first]), charge([{ ...first, again: true }])];
      await untilBlocked(lab.db.pool, holder);
      await holder.query('COMMIT');
      const ended = await Promise.allSettled(both);
      expect(ended.at(-1)).toMatchObject({ status: 'fulfilled', value: [{ verdict: 'charged', used: 4 }] });
    } finally {
      holder.release(true);
    }
    expect(await charge([of(1)])).toMatchObject([{ used: 5 }]);
  });
});

describe('a charge that is given back', () => {
  const lineOf = (
    { keyHash, epoch, cost, allowance, overage, ...line }: Charge,
    key: { accountId: string; keyId: string },
  ) => ({
    ...line,
    accountId: key.accountId,
    keyId: key.keyId,
  });

  test('returns the credits used last first, once', async () => {
    const key = await aKey();
    await grant(key.accountId, 2);
    const { epoch } = await key.stored();
    const first = key.charge(9, { epoch, overage: 5 });
    const second = key.charge(5, { epoch, overage: 5 });
    expect(await charge([first, second])).toMatchObject([{}, { used: 14, overage: 2, remaining: 3 }]);
    await lab.stores.credits.giveBack([lineOf(first, key), lineOf(first, key)]);
    await lab.stores.credits.giveBack([lineOf(first, key)]);
    // Two of overage, two granted, five of the plan.
    expect(await charge([key.charge(1, { epoch, overage: 5 })])).toMatchObject([
      { verdict: 'charged', used: 6, overage: 0, remaining: 11 },
    ]);
    expect(await lab.stores.overage.overage(key.accountId, NOVEMBER)).toMatchObject({ used: [{ credits: 0 }] });
    const usage = await lab.stores.usage.usage({ ...key, period: NOVEMBER, since: '2026-11-21' });
    expect(usage.inPeriod).toEqual([{ endpoint: 'next_to_go', calls: 2, credits: 6 }]);
    expect(usage.recent.map(({ credits }) => credits).sort()).toEqual([1, 5]);
  });

  test('returns overage at the plan whose price it was charged, whatever the plan is now', async () => {
    const key = await aKey();
    const on = async (plan: string, cost: number) => {
      await lab.stores.keyRegister.setPlan(key.accountId, plan);
      const charged = key.charge(cost, {
        epoch: (await key.stored()).epoch,
        overage: 9,
        at: `2026-11-2${++day}T00:00:00.000Z`,
      });
      await charge([charged]);
      return charged;
    };
    let day = 0;
    const [within] = [await on('business', 10), await on('business', 3), await on('platform', 2)];
    await lab.stores.keyRegister.setPlan(key.accountId, 'free');
    const overage = async () => (await lab.stores.overage.overage(key.accountId, NOVEMBER))!.used;
    expect(await overage()).toEqual([
      { plan: 'business', credits: 3 },
      { plan: 'platform', credits: 2 },
    ]);
    // The last two used; the other eight are credits of the plan again.
    await lab.stores.credits.giveBack([lineOf(within, key)]);
    expect(await overage()).toEqual([
      { plan: 'business', credits: 3 },
      { plan: 'platform', credits: 0 },
    ]);
  });

  test('is never charged if it was not yet recorded and arrives later', async () => {
    const key = await aKey();
    const late = key.charge(3);
    await lab.stores.credits.giveBack([lineOf(late, key)]);
    await expect(charge([late])).rejects.toMatchObject({ code: '23505' });
    expect(await charge([key.charge(1)])).toMatchObject([{ used: 1 }]);
    const { recent, inPeriod } = await lab.stores.usage.usage({ ...key, period: NOVEMBER, since: '2026-11-21' });
    expect([recent.length, inPeriod.length]).toEqual([1, 1]);
  });
});

describe('a charge within a worker’s transaction', () => {
  const monthly = () => ({ allowance: 10, overage: 0 });
  const horse = (key: { accountId: string; keyId: string }, over: Partial<BusinessCharge> = {}): BusinessCharge => ({
    businessKey: `backfill ${key.accountId} 1`,
    accountId: key.accountId,
    keyId: key.keyId,
    endpoint: 'horse_form',
    cost: 3,
    period: NOVEMBER,
    at: AT,
    ...over,
  });
  let worker: ReturnType<typeof poolAs>;
  beforeAll(() => {
    worker = poolAs(lab.db, 'racing_worker');
  });
  afterAll(() => worker.end());
  const deliver = (charge: BusinessCharge) => inTransaction(worker, (client) => chargeWithin(client, charge, monthly));

  test('is charged once under its business key, in any month and with any number of simultaneous attempts', async () => {
    const key = await aKey();
    const many = await Promise.all(Array.from({ length: 5 }, () => deliver(horse(key))));
    expect(new Set(many.map(({ verdict, used }) => `${verdict} ${used}`))).toEqual(new Set(['charged 3']));
    expect(await deliver(horse(key, { period: '2026-12-01', at: '2026-12-01T00:00:00.000Z' }))).toMatchObject({
      verdict: 'charged',
      used: 0,
    });
    expect(await deliver(horse(key, { businessKey: `backfill ${key.accountId} 2` }))).toMatchObject({ used: 6 });
    const { inPeriod } = await lab.stores.usage.usage({ ...key, period: NOVEMBER, since: '2026-11-21' });
    expect(inPeriod).toEqual([{ endpoint: 'horse_form', calls: 2, credits: 6 }]);
  });

  test('is rolled back with the transaction', async () => {
    const key = await aKey();
    const failed = inTransaction(worker, async (client) => {
      await chargeWithin(client, horse(key), monthly);
      throw new Error('not delivered');
    });
    await expect(failed).rejects.toThrow('not delivered');
    expect(await deliver(horse(key))).toMatchObject({ verdict: 'charged', used: 3 });
  });

  test('leaves nothing if it does not fit, and is charged once there are credits', async () => {
    const key = await aKey();
    await charge([key.charge(8)]);
    expect(await deliver(horse(key))).toMatchObject({ verdict: 'spent', used: 8, remaining: 2 });
    await grant(key.accountId, 1);
    expect(await deliver(horse(key))).toMatchObject({ verdict: 'charged', used: 11, remaining: 0 });
  });

  test('reads its account’s plan and overage', async () => {
    const key = await aKey();
    await lab.stores.overage.setOverage(key.accountId, true);
    const seen: unknown[] = [];
    const spy = (account: object) => {
      seen.push(account);
      return { allowance: 1, overage: 2 };
    };
    const charged = await inTransaction(worker, (client) => chargeWithin(client, horse(key), spy));
    expect(seen).toEqual([{ plan: 'free', overage: true }]);
    expect(charged).toMatchObject({ verdict: 'charged', overage: 2 });
  });
});
