// `race.odds_open`: written with the first price of a race that customers see, whichever write brings it into view.
import type { PoolClient } from 'pg';
import { OUT } from '../../../src/domain/race/not-reported';
import { createStores } from '../../../src/store/create-stores';
import { feedField, feedRunner, placedRace, raceSnapshot } from '../../support/races/builders';
import type { TestDatabase } from '../../support/servers/database';
import { untilBlocked } from '../../support/servers/lock-waiters';
import { slowWriter } from '../../support/servers/slow-writer';
import { announcedEvents, BOOKS, by } from './announced-events';

const lab = announcedEvents();
const { race, eventsOf, kindsOf } = lab;

test('race.odds_open is written once, with the first price of a bookmaker on a runner, and never with the exchange’s', async () => {
  const { raceId, poll, before: ahead, stores } = await race({ startTime: '2026-11-21T03:00:00.500Z' });
  await poll(900, {}, by('betfair_ex_au'));
  await poll(890, { runners: feedField(null, null, null) });
  expect(await eventsOf(raceId)).toEqual([]);
  await poll(880, { runners: feedField(null, 3.5, null) });
  const [event] = await eventsOf(raceId);
  expect(event).toMatchObject({ kind: 'race.odds_open', occurred_at: ahead(880) });
  expect(event!.facts).toEqual({
    race_id: raceId,
    venue: `Venue ${lab.venue}`,
    race_number: 1,
    category: 'horse',
    country: 'AU',
    start_time: '2026-11-21T03:00:00.500Z',
    bookmakers: ['ladbrokes_au'],
  });
  // Withdrawn and shown again, another book, a reset poller, the race discovered again, a time off the board.
  await poll(870, { runners: feedField(null, null, null) });
  await poll(860, { runners: feedField(2, 3, 4) });
  await poll(850, { runners: feedField(2, 3, 4) }, { ...by('tab'), fence: { epoch: 2, attempt: 1 } });
  await stores.races.saveCard('neds', [placedRace({ venue: `Venue ${lab.venue}` }, raceId)], ahead(840));
  await stores.races.savePhase(raceId, 'gone', { leftBoardAt: ahead(-600) }, ahead(-600));
  await lab.db.pool.query('UPDATE races SET left_board_at = NULL WHERE race_id = $1', [raceId]);
  expect(await kindsOf(raceId)).toEqual(['race.odds_open']);
});

test('race.odds_open is written when a race that was priced late gets a start in the future', async () => {
  const { raceId, poll, before: ahead } = await race();
  await poll(-120, {});
  expect(await kindsOf(raceId)).toEqual([]);
  await lab.db.pool.query(
    `UPDATE races SET start_time = start_time + interval '20 minutes', updated_at = $2 WHERE race_id = $1`,
    [raceId, ahead(-130)],
  );
  expect(await kindsOf(raceId)).toContain('race.odds_open');
});

test('race.odds_open is written when an open market shows that a late race is still to run, and not after its last possible jump', async () => {
  const open = { marketStatus: 'OPEN' } as const;
  for (const [secondsAfter, kinds] of [
    [130, ['race.odds_open']],
    [700, []],
  ] as const) {
    const { raceId, poll } = await race();
    await poll(-120, {}, by('tab'));
    expect(await kindsOf(raceId)).toEqual([]);
    // The same prices: nothing else moves.
    await poll(-secondsAfter, open, { ...by('tab'), marketStateSource: true });
    expect(await kindsOf(raceId)).toEqual(kinds);
  }
});

test('race.odds_open is written when a race comes into view: its country, its runners, its reinstatement', async () => {
  const { raceId, poll, before: ahead, stores } = await race({ country: null });
  await poll(900, {});
  await poll(890, {}, by('tab'));
  expect(await eventsOf(raceId)).toEqual([]);
  const placed = placedRace({ venue: `Venue ${lab.venue}` }, raceId);
  await stores.races.saveCard('tab', [placed], ahead(880));
  const [event, ...more] = await eventsOf(raceId);
  expect(event).toMatchObject({ occurred_at: ahead(880), facts: { country: 'AU', bookmakers: BOOKS.slice(0, 2) } });
  expect(more).toEqual([]);

  const out = await race();
  await out.poll(900, { runners: [feedRunner(1, { win: 3, scratching: OUT })] });
  expect(await eventsOf(out.raceId)).toEqual([]);
  await out.poll(890, { runners: [feedRunner(1, { win: 3 })] });
  expect(await kindsOf(out.raceId)).toEqual(['race.odds_open']);

  const off = await race();
  await off.stores.results.abandon(off.raceId, 'storm', 'tab', off.before(900));
  await off.poll(890, {});
  await off.stores.results.reinstate(off.raceId, off.before(880));
  expect(await kindsOf(off.raceId)).toEqual(['race.result', 'race.odds_open']);
});

test('simultaneous writes of a price and a country see each other', async () => {
  for (const first of ['price', 'country']) {
    const { raceId, poll, before: ahead } = await race({ country: null });
    await poll(900, { runners: feedField(null, null, null) });
    const slow = await slowWriter(lab.db.url);
    const writes = {
      price: (pool: TestDatabase['pool']) =>
        createStores(pool).quotes.savePoll({
          raceId,
          bookmakerKey: 'ladbrokes_au',
          fence: { epoch: 1, attempt: 1 },
          observedAt: ahead(890),
          bookAt: null,
          marketStateSource: false,
          startSource: false,
          snapshot: raceSnapshot({ runners: feedField(2, 3, 4) }),
        }),
      country: (pool: TestDatabase['pool']) =>
        pool.query(`UPDATE races SET country = 'AU', updated_at = $2 WHERE race_id = $1`, [raceId, ahead(890)]),
    };
    const [one, other] = first === 'price' ? [writes.price, writes.country] : [writes.country, writes.price];
    await one(slow.pool);
    const waiting = other(lab.db.pool);
    await untilBlocked(lab.db.pool, slow.pool as unknown as PoolClient);
    await slow.commit();
    await waiting;
    expect(await kindsOf(raceId)).toEqual(['race.odds_open']);
  }
});
