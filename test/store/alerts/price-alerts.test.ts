// Price alerts against the page of the race, over random days at a race, with processes that are killed and two passes
// at once. Never: two mails for one alert, a mail at a price that no visitor could see and take, a mail for a race off
// the board, more mails than a day's bound, or an alert that is lost without a reason.
import fc from 'fast-check';
import type { Pool } from 'pg';
import { MAILED_ALERTS_PER_DAY, STORED_ALERTS } from '../../../src/plans/limits';
import { idOfKey } from '../../../src/store/business-key';
import { createStores } from '../../../src/store/create-stores';
import { runs } from '../../support/property';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { type Death, dyingPool, isKilled } from '../../support/servers/dying-pool';
import { poolAs } from '../../support/servers/roles';
import { type AlertRow, type AlertWorld, BOOKS, createAlertWorld } from './alert-world';

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

const PRICE = fc.constantFrom(null, 1.5, 2.4, 2.5, 2.6, 5, 21, 26, 101);
const LEGS = fc.array(PRICE, { minLength: 3, maxLength: 3 });
const MARKET = fc.constantFrom('win' as const, 'place' as const);
const CHANGE = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('poll' as const),
      book: fc.constantFrom(...BOOKS),
      wins: LEGS,
      places: LEGS,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('wait' as const), seconds: fc.constantFrom(5, 119, 125, 600) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('scratch' as const),
      number: fc.integer({ min: 1, max: 3 }),
      isOut: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('race' as const),
      what: fc.constantFrom(
        `market_status = 'SUSPENDED', market_state_source = 'pointsbetau'`,
        `market_status = 'OPEN', market_state_source = 'pointsbetau'`,
        `market_status = 'SUSPENDED', market_state_source = 'betfair_ex_au'`,
        `start_time = start_time + interval '10 minutes'`,
        `status = 'abandoned'`,
        `status = 'open'`,
        `left_board_at = start_time`,
        `left_board_at = NULL, start_time = start_time + interval '1 hour'`,
      ),
    }),
  },
);
type Change = typeof CHANGE extends fc.Arbitrary<infer C> ? C : never;
const STEP = fc.oneof(
  { weight: 3, arbitrary: CHANGE },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('add' as const),
      number: fc.integer({ min: 1, max: 3 }),
      market: MARKET,
      atLeast: fc.constantFrom(1.5, 2.5, 2.55, 5, 21, 101),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('pass' as const),
      deaths: fc.array(fc.record({ at: fc.nat(14), isAfter: fc.boolean() }), { maxLength: 2 }),
      /** Happens while the first pass has read the alerts and has not written. */
      meanwhile: fc.option(CHANGE, { nil: null }),
    }),
  },
);

async function change(world: AlertWorld, one: Change): Promise<void> {
  if (one.act === 'poll') await world.poll(one.book, one.wins, one.places);
  else if (one.act === 'wait') world.passTime(one.seconds);
  else if (one.act === 'scratch') await world.scratch(one.number, one.isOut);
  else await world.set(one.what);
}

const isOpen = ({ reached_at, ended_at }: AlertRow): boolean => reached_at === null && ended_at === null;
const isFact = (row: AlertRow) => idOfKey(`price alert ${row.alert_id}`);

/** After a pass: `before` are the alerts before it, and nothing has changed since prices were last read. */
async function judge(world: AlertWorld, before: readonly AlertRow[]): Promise<void> {
  const alerts = await world.alerts();
  expect(await world.wronglyEnded()).toEqual([]);
  for (const alert of alerts) {
    const was = before.find(({ alert_id }) => alert_id === alert.alert_id);
    if (!was || !isOpen(was)) continue;
    const takeable = await world.takeable(alert.runner_number, alert.market);
    const best = Math.max(0, ...takeable.values());
    if (alert.reached_at !== null) {
      expect(takeable.get(alert.bookmaker_key!)).toBe(alert.price);
      expect([alert.price, alert.price! >= alert.at_least]).toEqual([best, true]);
    } else expect(best >= alert.at_least).toBe(false);
  }
  const mails = await world.mails();
  const mailed = alerts.filter(({ mail_id }) => mail_id !== null);
  expect(mails.map(({ mail_id }) => mail_id).sort()).toEqual(mailed.map(isFact).sort());
  for (const alert of mailed) {
    const { body } = mails.find(({ mail_id }) => mail_id === alert.mail_id)!;
    expect(body).toContain(`Runner ${alert.runner_number}, `);
    expect(body).toContain(`${alert.price!.toFixed(2)} to ${alert.market} at `);
  }
}

const killed = (results: readonly PromiseSettledResult<void>[]): void => {
  for (const one of results) if (one.status === 'rejected' && !isKilled(one.reason)) throw one.reason;
};

test('mails each alert once, at a price that its page shows then, wherever a process is killed', async () => {
  let [n, reached, open] = [0, 0, 0];
  const property = fc.asyncProperty(fc.array(STEP, { minLength: 12, maxLength: 30 }), async (steps) => {
    const world = await createAlertWorld(db, ++n % 20);
    await world.poll('tab', [2.4, 2.4, null], []);
    for (const step of steps) {
      if (step.act === 'add') await world.add(step.number, step.market, step.atLeast);
      else if (step.act !== 'pass') await change(world, step);
      else {
        const before = await world.alerts();
        const [first] = step.deaths;
        const store = createStores(dyingPool(pools[0]!, (first as Death | undefined) ?? null)).reachedAlerts;
        const interrupted = {
          ...store,
          page: async (...args: Parameters<typeof store.page>) => {
            const found = await store.page(...args);
            if (step.meanwhile) await change(world, step.meanwhile);
            return found;
          },
        };
        killed(await Promise.allSettled([world.pass(pools[0]!, { store: interrupted })]));
        killed(await Promise.allSettled(step.deaths.map((death, i) => world.pass(dyingPool(pools[i % 2]!, death)))));
        killed(await Promise.allSettled(pools.map((pool) => world.pass(pool))));
        // What came back is compared by the next pass.
        await world.pass(pools[0]!);
        await judge(world, before);
      }
    }
    reached += (await world.alerts()).filter(({ reached_at }) => reached_at !== null).length;
    // Off the board everything has an end with a reason.
    world.passTime(10_000);
    await world.set(`status = 'open', left_board_at = start_time + interval '20 minutes'`);
    const before = await world.alerts();
    await Promise.all(pools.map((pool) => world.pass(pool)));
    await judge(world, before);
    const ended = (await world.alerts()).filter(({ ended_at }) => ended_at !== null);
    open += ended.length;
    expect((await world.alerts()).filter(isOpen)).toEqual([]);
    for (const { end_reason } of ended) expect(['jumped', 'scratched', 'abandoned']).toContain(end_reason);
  });
  await fc.assert(property, { numRuns: runs(150) });
  // Most days have an alert that is mailed, and one that is not.
  expect([reached > n / 2, open > n / 2]).toEqual([true, true]);
});

test('mails a day’s bound of alerts and marks the others, also by two passes at once and after a deletion', async () => {
  const world = await createAlertWorld(db, 1);
  await world.poll('tab', [null, null, null], []);
  world.passTime(10);
  const prices = (from: number) => Array.from({ length: 15 }, (_, i) => from + i / 100);
  for (const price of prices(1.1)) expect(await world.add(1, 'win', price)).toBe('added');
  for (const price of prices(1.1)) expect(await world.add(2, 'win', price)).toBe('added');
  await world.poll('tab', [5, 5, 5], []);
  await Promise.all([...pools, ...pools].map((pool) => world.pass(pool)));
  const alerts = await world.alerts();
  expect(alerts.filter(isOpen)).toEqual([]);
  expect([alerts.length, (await world.mails()).length]).toEqual([30, MAILED_ALERTS_PER_DAY]);
  expect(alerts.filter(({ mail_id }) => mail_id !== null)).toHaveLength(MAILED_ALERTS_PER_DAY);

  const [one] = alerts.filter(({ mail_id }) => mail_id !== null);
  expect(await world.stores.priceAlerts.remove(world.accountId, one!.alert_id)).toBe(true);
  expect(await world.add(3, 'win', 4)).toBe('added');
  await world.pass(pools[0]!);
  expect((await world.mails()).length).toBe(MAILED_ALERTS_PER_DAY);

  const listed = await world.stores.priceAlerts.list(world.accountId, new Date(world.nowMs()).toISOString());
  const mails = listed.map(({ reached }) => reached?.mail);
  expect(mails.filter((mail) => mail === null)).toHaveLength(11);
  expect(mails.filter((mail) => mail === 'waiting')).toHaveLength(19);
  // The next day in Sydney has its own.
  expect(await world.add(3, 'win', 4.5)).toBe('added');
  await world.pass(pools[0]!, { wallMs: () => world.nowMs() + 86_400_000 });
  expect((await world.mails()).length).toBe(MAILED_ALERTS_PER_DAY + 1);
});

test('an account has so many open ones, and a form that is sent again makes none', async () => {
  const world = await createAlertWorld(db, 2);
  await world.poll('tab', [5, 5, 5], []);
  const twice = await Promise.all([1, 2, 3, 4].map(() => world.add(1, 'win', 9)));
  expect(twice.sort()).toEqual(['added', 'there', 'there', 'there']);
  const many = await Promise.all([10, 11, 12, 13].map((price) => world.add(1, 'win', price, 3)));
  expect(many.sort()).toEqual(['added', 'added', 'full', 'full']);
  expect(await world.add(7, 'win', 9)).toBe('no_runner');
  await world.scratch(2, true);
  expect(await world.add(2, 'win', 9)).toBe('no_runner');
  expect(await world.stores.priceAlerts.stop(world.accountId, new Date(world.nowMs()).toISOString())).toBe(3);
  expect((await world.alerts()).map(({ end_reason }) => end_reason)).toEqual(['stopped', 'stopped', 'stopped']);
  world.passTime(10_000);
  expect(await world.add(1, 'win', 9)).toBe('no_race');
});

test('an account stores so many, whatever became of them; a deletion makes room', async () => {
  const world = await createAlertWorld(db, 4);
  await world.poll('tab', [5, 5, 5], []);
  await db.pool.query(
    `INSERT INTO price_alerts (account_id, race_id, runner_key, runner_number, runner_name, market, at_least, created_at,
                               ended_at, end_reason, reopens)
     SELECT $1, $2, 'gone', 9, 'Gone', 'win', 1 + n, now(), now(), 'stopped', false FROM generate_series(1, $3) n`,
    [world.accountId, world.race.raceId, STORED_ALERTS - 1],
  );
  const many = await Promise.all([10, 11, 12].map((price) => world.add(1, 'win', price)));
  expect(many.sort()).toEqual(['added', 'full', 'full']);
  expect(await world.stores.priceAlerts.countOpen(world.accountId)).toBe(1);
  const [done] = (await world.alerts()).filter(({ end_reason }) => end_reason === 'stopped');
  expect(await world.stores.priceAlerts.remove(world.accountId, done!.alert_id)).toBe(true);
  expect([await world.add(1, 'win', 13), await world.add(1, 'win', 14)]).toEqual(['added', 'full']);
});

test('waits again when its race comes back, unless its runner is out or the owner stopped all', async () => {
  const world = await createAlertWorld(db, 5);
  const other = await createAlertWorld(db, 6);
  for (const one of [world, other]) {
    await one.poll('tab', [5, 5, 5], []);
    for (const number of [1, 2]) await one.add(number, 'win', 6);
    await one.scratch(2, true);
    await one.set(`left_board_at = start_time`);
    await one.pass(pools[0]!);
  }
  const reasons = async (of: AlertWorld) => (await of.alerts()).map(({ end_reason }) => end_reason).sort();
  expect(await reasons(world)).toEqual(['jumped', 'scratched']);
  expect(await other.stores.priceAlerts.stop(other.accountId, new Date(other.nowMs()).toISOString())).toBe(0);
  for (const one of [world, other]) {
    await one.set('left_board_at = NULL');
    one.passTime(10);
    await one.poll('tab', [9, 9, 5], []);
    await one.pass(pools[0]!);
    await one.pass(pools[1]!);
  }
  expect(await world.mails()).toMatchObject([{ subject: '1 Runner 1: 9.00 to win at TAB' }]);
  expect([await reasons(other), await other.mails()]).toEqual([['jumped', 'scratched'], []]);
  await world.scratch(2, false);
  world.passTime(10);
  await world.poll('tab', [5, 5, 5], []);
  await world.pass(pools[0]!);
  expect([await reasons(world), (await world.mails()).length]).toEqual([[null, null], 1]);
});

test('follows a runner whose number changes, and no other runner that gets the number', async () => {
  const world = await createAlertWorld(db, 3);
  await world.poll('tab', [5, 5, 5], []);
  await world.add(1, 'win', 6);
  const number = (from: number, to: number) =>
    db.pool.query('UPDATE race_runners SET number = $3 WHERE race_id = $1 AND number = $2', [
      world.race.raceId,
      from,
      to,
    ]);
  for (const [from, to] of [
    [1, 9],
    [2, 1],
    [9, 2],
  ] as const)
    await number(from, to);
  const win = (...prices: number[]) =>
    db.pool.query('UPDATE race_books SET win = $2 WHERE race_id = $1 AND bookmaker_key = $3', [
      world.race.raceId,
      prices,
      'tab',
    ]);
  await win(9, 5, 5);
  await world.pass(pools[0]!);
  expect(await world.mails()).toEqual([]);
  await win(5, 9, 5);
  await world.pass(pools[0]!);
  expect(await world.mails()).toMatchObject([{ subject: '2 Runner 1: 9.00 to win at TAB' }]);
});
