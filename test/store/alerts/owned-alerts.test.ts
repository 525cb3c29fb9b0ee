// What an owner has of price alerts: the offer of a race as its page has it, the link of a mail that stops them, their
// export, and their end with the account and with time.
import { exportAccount } from '../../../src/accounts/leaving/export-account';
import { createMailStops, stopUrlIn } from '../../../src/accounts/mail/stop-links';
import { createOwnedAlerts } from '../../../src/api/pages/account/owned-alerts';
import { createStores } from '../../../src/store/create-stores';
import { createLiveReads } from '../../../src/store/reads/live-board';
import type { AlertOrder } from '../../../src/web/account/alerts/source';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { type AlertWorld, createAlertWorld } from './alert-world';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const ownedOf = (world: AlertWorld) =>
  createOwnedAlerts({
    store: createStores(db.pool).priceAlerts,
    liveReads: createLiveReads(db.pool),
    now: world.nowMs,
    wallMs: world.nowMs,
  });

const orderOf = (world: AlertWorld, over: Partial<AlertOrder> = {}): AlertOrder => ({
  ...{ raceId: world.race.raceId, number: '1', market: 'win', atLeast: ' 4.50 ' },
  ...over,
});

async function priced(number: number): Promise<AlertWorld> {
  const world = await createAlertWorld(db, number);
  for (const book of ['tab', 'neds', 'ladbrokes_au', 'betfair_ex_au'])
    await world.poll(book, book === 'betfair_ex_au' ? [900, 900, 900] : [4, 3.5, null], [1.5]);
  await world.poll('sportsbet', [26, null, null], []);
  return world;
}

test('offers runners at the best price that counts, and takes decimal odds for a runner of a race to come', async () => {
  const world = await priced(1);
  const alerts = ownedOf(world);
  await world.scratch(3, true);
  // 26 is a placeholder among 4s, and an exchange counts for no customer.
  expect((await alerts.offer(world.race.raceId))!.runners).toEqual([
    { number: 1, name: 'Runner 1', win: 4, place: 1.5 },
    { number: 2, name: 'Runner 2', win: 3.5, place: null },
  ]);
  expect(await alerts.add(world.accountId, orderOf(world))).toBe('added');
  expect(await alerts.add(world.accountId, orderOf(world, { atLeast: '4.5' }))).toBe('there');
  const code = (over: Partial<AlertOrder>) =>
    alerts
      .add(world.accountId, orderOf(world, over))
      .catch(({ code: one, extensions }) => [one, extensions.errors?.[0].pointer]);
  for (const atLeast of ['', '1', '1.00', '0', '-2', '1e3', '4.505', '1000.01', 'NaN', '0x10', '9/2'])
    expect([atLeast, await code({ atLeast })]).toEqual([atLeast, ['validation', '/price']]);
  for (const number of ['', '0', '3', '9', '1.0', '-1', '100', "1'"])
    expect([number, await code({ number })]).toEqual([number, ['validation', '/runner']]);
  expect(await code({ market: 'top2' })).toEqual(['validation', '/market']);
  for (const raceId of ['x', world.accountId]) {
    expect(await code({ raceId })).toEqual(['conflict', undefined]);
    expect(await alerts.offer(raceId)).toBeNull();
  }
  world.passTime(10_000);
  expect(await alerts.offer(world.race.raceId)).toBeNull();
  expect(await code({ atLeast: '9' })).toEqual(['conflict', undefined]);
});

test('a mail has price, book, times, the race and a link that stops mails of alerts of its account alone', async () => {
  const [world, other] = [await priced(2), await priced(3)];
  for (const one of [world, other]) {
    await ownedOf(one).add(one.accountId, orderOf(one, { atLeast: '4' }));
    await ownedOf(one).add(one.accountId, orderOf(one, { atLeast: '8' }));
    await one.pass(db.pool);
  }
  const [mail, ...more] = await world.mails();
  expect(more).toEqual([]);
  expect(mail!.subject).toMatch(/^1 Runner 1: 4\.00 to win at (Ladbrokes|Neds|TAB)$/);
  const { rows } = await db.pool.query('SELECT give_up_at FROM mails WHERE mail_id = $1', [mail!.mail_id]);
  // Its price is no news a quarter of an hour later.
  expect(rows).toEqual([{ give_up_at: new Date(world.nowMs() + 15 * 60_000).toISOString() }]);
  for (const text of [
    'You wanted to know of at least 4.00.',
    'We read this price on 2026-11-21 at 02:10:00 UTC (13:10 AEDT in Sydney).',
    'The race is to start on 2026-11-21 at 03:00 UTC (14:00 AEDT in Sydney).',
    `https://odds.example/race/${world.race.raceId}\n`,
    '1800 858 858',
  ])
    expect(mail!.body).toContain(text);
  const stops = (secret = 'secret') =>
    createMailStops({ owners: world.stores.owners, linkSecret: async () => Buffer.from(secret) });
  const token = /alerts\/stop\?token=(\S+)/.exec(mail!.body)![1]!;
  expect([mail!.list, stopUrlIn('alerts', mail!.body)]).toEqual([
    'alerts',
    `https://odds.example/alerts/stop?token=${token}`,
  ]);
  // What is stored in clear stops nothing.
  const { rows: clear } = await db.pool.query(`SELECT to_jsonb(m) - 'body' AS mail FROM mails m`);
  expect(JSON.stringify(clear)).not.toContain('token=');
  for (const wrong of ['', '.', world.accountId, `${other.accountId}.${token.split('.')[1]}`, `${token}x`])
    expect([await stops().isLink('alerts', wrong), await stops().stop('alerts', wrong)]).toEqual([false, false]);
  // A link is of one list, and of one service.
  expect([await stops().isLink('credits', token), await stops('another').isLink('alerts', token)]).toEqual([
    false,
    false,
  ]);
  const wants = async (of: AlertWorld) => {
    const { alertMails, creditMails } = (await world.stores.owners.ofAccount(of.accountId))!;
    return [alertMails, creditMails];
  };
  expect([await wants(world), await wants(other)]).toEqual([
    [true, true],
    [true, true],
  ]);
  expect([await stops().stop('alerts', token), await stops().stop('alerts', token)]).toEqual([true, true]);
  expect([await wants(world), await wants(other)]).toEqual([
    [false, true],
    [true, true],
  ]);
  // The alerts go on, without a mail.
  world.passTime(5);
  await world.poll('tab', [9, 9, 9], [1.5]);
  await world.poll('neds', [8, 8, 8], [1.5]);
  await world.pass(db.pool);
  expect((await world.mails()).length).toBe(1);
  const { alerts } = await ownedOf(world).list(world.accountId);
  expect(alerts.map(({ reached }) => reached?.mail).sort()).toEqual(['off', 'waiting']);
  await world.stores.owners.setMails(world.accountId, 'alerts', true);
  expect((await ownedOf(world).list(world.accountId)).alerts.map(({ reached }) => reached?.mail).sort()).toEqual([
    'off',
    'waiting',
  ]);
});

test('a browser shows what was reached lately, of a race that is ahead and a runner that runs, as the card has it', async () => {
  const [world, other] = [await priced(9), await priced(10)];
  const owned = ownedOf(world);
  const ids = async () => (await owned.news(world.accountId)).reached.map(({ alertId }) => alertId);
  for (const atLeast of ['3', '4', '9']) await owned.add(world.accountId, orderOf(world, { atLeast }));
  expect(await owned.news(world.accountId)).toEqual({ open: 3, reached: [] });
  await world.pass(db.pool);
  const news = await owned.news(world.accountId);
  const [alert] = (await world.alerts()).filter(({ at_least }) => at_least === 4);
  expect([news.open, news.reached.length]).toEqual([1, 2]);
  expect(news.reached.find(({ atLeast }) => atLeast === 4)).toMatchObject({
    ...{ alertId: alert!.alert_id, race_id: world.race.raceId, number: 1, name: 'Runner 1', market: 'win', price: 4 },
    ...{ bookmaker: alert!.bookmaker_key, polledAt: world.race.before(3000) },
  });
  expect(await owned.news(other.accountId)).toEqual({ open: 0, reached: [] });
  for (const [gone, back] of [
    [`status = 'abandoned'`, `status = 'open'`],
    [`left_board_at = start_time`, 'left_board_at = NULL'],
    [`jumped_at = start_time - interval '51 minutes'`, 'jumped_at = NULL'],
  ] as const) {
    await world.set(gone);
    expect([gone, await ids()]).toEqual([gone, []]);
    await world.set(back);
    expect((await ids()).length).toBe(2);
  }
  await world.scratch(1, true);
  expect(await ids()).toEqual([]);
  await world.scratch(1, false);
  // Its number changes: the card's counts.
  await db.pool.query('UPDATE race_runners SET number = 9 WHERE race_id = $1 AND number = 1', [world.race.raceId]);
  expect((await owned.news(world.accountId)).reached.map(({ number }) => number)).toEqual([9, 9]);
  world.passTime(899);
  expect((await ids()).length).toBe(2);
  world.passTime(2);
  expect(await ids()).toEqual([]);
});

test.each([
  ['at the start', 600, 600],
  ['two minutes after it was written, if the race starts before', 10, 120],
  ['a quarter of an hour after it was written', 3000, 900],
])('its mail is given up %s', async (_, secondsToStart, seconds) => {
  const world = await createAlertWorld(db, 8);
  world.passTime(3000 - secondsToStart);
  await world.poll('tab', [5, 5, 5], []);
  await world.add(1, 'win', 4);
  await world.pass(db.pool);
  const { rows } = await db.pool.query('SELECT give_up_at FROM mails WHERE recipient = $1', [world.email]);
  expect(rows).toEqual([{ give_up_at: new Date(world.nowMs() + seconds * 1000).toISOString() }]);
});

test('the export has every alert; one of another account is not removed', async () => {
  const [world, other] = [await priced(4), await priced(5)];
  await ownedOf(world).add(world.accountId, orderOf(world, { atLeast: '4' }));
  await world.pass(db.pool);
  await db.pool.query('UPDATE mails SET sent_at = created_at, body = NULL WHERE recipient = $1', [world.email]);
  const [alert] = await world.alerts();
  await ownedOf(other).remove(other.accountId, alert!.alert_id);
  let text = '';
  for await (const piece of await exportAccount(createStores(db.pool), world.accountId, world.nowMs())) text += piece;
  const { price_alerts, price_alert_days } = JSON.parse(text);
  expect(price_alert_days).toEqual([{ day: '2026-11-21', mails: 1 }]);
  expect(price_alerts).toEqual([
    {
      ...{ alert_id: alert!.alert_id, race_id: world.race.raceId, number: 1, name: 'Runner 1', market: 'win' },
      ...{ at_least: 4, price: 4, bookmaker: alert!.bookmaker_key, mail: 'sent', ended_at: null, end_reason: null },
      ...{ created_at: world.race.before(3000), reached_at: world.race.before(3000) },
      price_read_at: world.race.before(3000),
    },
  ]);
});

test('a closed account has no alert and gets no mail of one, also while it closes during a pass', async () => {
  const world = await priced(6);
  await ownedOf(world).add(world.accountId, orderOf(world, { atLeast: '4' }));
  const { store } = world.deps(db.pool);
  const farewell = (recipient: string) => ({
    ...{ recipient, subject: 's', body: 'b', at: world.race.before(0), giveUpAt: world.race.before(0) },
  });
  const closing = {
    ...store,
    async page(...args: Parameters<typeof store.page>) {
      const found = await store.page(...args);
      if (found.reached.some(({ accountId }) => accountId === world.accountId))
        await world.stores.closures.close({
          ...{ accountId: world.accountId, at: world.race.before(2000), period: '2026-11-01' },
          ...{ mailboxOf: (email: string) => email, farewell },
        });
      return found;
    },
  };
  await world.pass(db.pool, { store: closing });
  expect(await world.alerts()).toEqual([]);
  expect(await world.mails()).toMatchObject([{ subject: 's' }]);
  await expect(
    db.pool.query(
      `INSERT INTO price_alerts (account_id, race_id, runner_key, runner_number, runner_name, market, at_least, created_at)
       VALUES ($1, $1, 'x', 1, 'X', 'win', 2, now())`,
      [world.accountId],
    ),
  ).rejects.toThrow(/is closed/);
});

test('what is done goes after a week, before the record of its mail', async () => {
  const world = await priced(7);
  for (const atLeast of ['4', '9']) await ownedOf(world).add(world.accountId, orderOf(world, { atLeast }));
  await world.pass(db.pool);
  await db.pool.query(`UPDATE mails SET sent_at = created_at, body = NULL WHERE recipient = $1`, [world.email]);
  const expire = async (days: number) => {
    while (await world.stores.expired.remove(new Date(world.nowMs() + days * 86_400_000).toISOString()));
    return [(await world.alerts()).length, (await world.mails()).length];
  };
  const { alerts } = await ownedOf(world).list(world.accountId);
  expect(alerts.map(({ reached }) => reached?.mail)).toEqual([undefined, 'sent']);
  const { rows } = await db.pool.query<{ now: Date }>('SELECT now() AS now');
  // By the database's own clock nothing has expired before it says so.
  const isPast = new Date(String(rows[0]!.now)).getTime() > world.nowMs() + 8 * 86_400_000;
  expect(await expire(6)).toEqual([2, 1]);
  expect(await expire(8)).toEqual(isPast ? [1, 0] : [2, 1]);
});
