// The bound of open price alerts, whoever opens them: owners that add, races that end and come back, and passes of
// several processes at once. Never: more open alerts than the bound, nor one that stays ended although its race is
// ahead, its runner stands and there is room.
import fc from 'fast-check';
import type { Pool } from 'pg';
import { mailReachedAlerts } from '../../../src/accounts/alerts/pass';
import { createStores } from '../../../src/store/create-stores';
import { runs } from '../../support/property';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';
import { type AlertWorld, createAlertWorld } from './alert-world';

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

const MOST = 3;
const STEP = fc.oneof(
  fc.record({ act: fc.constant('add' as const), number: fc.integer({ min: 1, max: 3 }), price: fc.nat(40) }),
  fc.record({ act: fc.constant('end' as const) }),
  fc.record({ act: fc.constant('back' as const), adds: fc.nat(4) }),
  fc.record({ act: fc.constant('scratch' as const), number: fc.integer({ min: 1, max: 3 }), isOut: fc.boolean() }),
  fc.record({ act: fc.constant('remove' as const), one: fc.nat(9) }),
);

const raceAt = (world: AlertWorld): string => new Date(world.nowMs()).toISOString();

async function reopen(world: AlertWorld, pool: Pool): Promise<void> {
  await createStores(pool).reachedAlerts.reopen(raceAt(world), MOST);
}

async function judge(world: AlertWorld): Promise<number> {
  const listed = await world.stores.priceAlerts.list(world.accountId, raceAt(world));
  const open = listed.filter(({ ended, reached }) => ended === null && reached === null).length;
  expect(open).toBeLessThanOrEqual(MOST);
  if (open < MOST) expect(await world.wronglyEnded()).toEqual([]);
  return listed.length - open;
}

test('no account has more open alerts than the bound, whatever comes back, and each that has room waits', async () => {
  let [n, full] = [0, 0];
  const property = fc.asyncProperty(fc.array(STEP, { minLength: 6, maxLength: 24 }), async (steps) => {
    const world = await createAlertWorld(db, ++n % 20);
    await world.poll('tab', [5, 5, 5], []);
    const add = (number: number, price: number) => world.add(number, 'win', 50 + price, MOST);
    for (const number of [1, 2, 3]) await add(number, 60);
    for (const step of steps) {
      if (step.act === 'add') await add(step.number, step.price);
      else if (step.act === 'scratch') await world.scratch(step.number, step.isOut);
      else if (step.act === 'remove') {
        const alerts = await world.alerts();
        const one = alerts[step.one % Math.max(1, alerts.length)];
        if (one) await world.stores.priceAlerts.remove(world.accountId, one.alert_id);
      } else if (step.act === 'end') {
        await world.set(`left_board_at = start_time + interval '20 minutes', status = 'open'`);
        await world.stores.reachedAlerts.endOver(raceAt(world), raceAt(world));
        // Alerts of another race take the room that these leave.
        await world.set('left_board_at = NULL');
        for (let i = 0; i < 2; i++) await add(1 + i, 41 + n + i);
      } else {
        const adding = Array.from({ length: step.adds }, (_, i) => add(1 + (i % 3), 90 + i));
        await Promise.all([...pools.map((pool) => reopen(world, pool)), ...adding]);
      }
      await Promise.all(pools.map((pool) => reopen(world, pool)));
      await reopen(world, pools[0]!);
      if ((await judge(world)) > 0) full += 1;
    }
  });
  await fc.assert(property, { numRuns: runs(60) });
  // Often some wait for room.
  expect(full).toBeGreaterThan(n / 2);
});

test('an account that is full holds up no other', async () => {
  const [full, other] = [await createAlertWorld(db, 1), await createAlertWorld(db, 2)];
  for (const world of [full, other]) {
    await world.poll('tab', [5, 5, 5], []);
    for (const price of [9, 10]) await world.add(1, 'win', price, MOST);
    await world.set(`left_board_at = start_time`);
    await world.stores.reachedAlerts.endOver(raceAt(world), raceAt(world));
    await world.set('left_board_at = NULL');
  }
  for (const price of [11, 12, 13]) expect(await full.add(2, 'win', price, MOST)).toBe('added');
  await reopen(full, pools[0]!);
  expect([await full.stores.priceAlerts.countOpen(full.accountId), await judge(full)]).toEqual([MOST, 2]);
  expect(await other.stores.priceAlerts.countOpen(other.accountId)).toBe(2);
  const [one] = (await full.alerts()).filter(({ ended_at }) => ended_at === null);
  await full.stores.priceAlerts.remove(full.accountId, one!.alert_id);
  await reopen(full, pools[0]!);
  expect([await full.stores.priceAlerts.countOpen(full.accountId), await judge(full)]).toEqual([MOST, 1]);
});

test('an owner that is locked, or an account that fails, holds up the alerts of no other', async () => {
  const worlds = [await createAlertWorld(db, 3), await createAlertWorld(db, 4), await createAlertWorld(db, 5)] as const;
  for (const world of worlds) {
    await world.poll('tab', [5, 5, 5], []);
    await world.add(1, 'win', 4.5);
    await world.set('left_board_at = start_time');
    await world.stores.reachedAlerts.endOver(raceAt(world), raceAt(world));
    await world.set('left_board_at = NULL');
  }
  const [locked, failing, other] = worlds;
  await db.pool.query(`
    CREATE FUNCTION fail_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'failed'; END $$;
    CREATE TRIGGER fail_one BEFORE UPDATE ON price_alerts FOR EACH ROW WHEN (NEW.account_id = '${failing.accountId}')
      EXECUTE FUNCTION fail_one()`);
  const holder = await db.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM account_owners WHERE account_id = $1 FOR NO KEY UPDATE', [locked.accountId]);
  const ended = async (world: AlertWorld) => (await world.alerts()).map(({ end_reason }) => end_reason);
  try {
    const { failures } = await mailReachedAlerts(other.deps(pools[0]!));
    expect(failures).toEqual([expect.objectContaining({ message: 'failed' })]);
    expect([await ended(locked), await ended(failing), await ended(other)]).toEqual([['jumped'], ['jumped'], [null]]);
    await mailReachedAlerts(other.deps(pools[0]!));
    expect((await other.mails()).length).toBe(1);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
    await db.pool.query('DROP TRIGGER fail_one ON price_alerts');
  }
  for (const world of [locked, failing]) await mailReachedAlerts(world.deps(pools[0]!));
  expect([await ended(locked), await ended(failing)]).toEqual([[null], [null]]);
});
