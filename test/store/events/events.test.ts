// Which facts are announced, how often, and with which members: written by the stores that write the facts, in their
// transactions (D31, D59).
import type { FeedResult } from '../../../src/domain/race/feed-race';
import { OUT } from '../../../src/domain/race/not-reported';
import { sameCondition } from '../../../src/domain/registry/track-condition';
import { createStores } from '../../../src/store/create-stores';
import { feedResult, feedRunner, placedRace } from '../../support/races/builders';
import { horseForm } from '../../support/races/horse-form';
import type { StoredRace } from '../../support/races/stored-race';
import { announcedEvents, by } from './announced-events';

const lab = announcedEvents();
const { race, eventsOf } = lab;

test('race.market_closed is written once, at the first state that a customer sees as closed', async () => {
  const { raceId, poll, before: ahead } = await race();
  const source = (seconds: number, bookmakerKey: string, marketStatus: 'OPEN' | 'CLOSED') =>
    poll(seconds, { marketStatus, runners: [] }, { ...by(bookmakerKey), marketStateSource: true });
  await source(30, 'pointsbetau', 'OPEN');
  await lab.db.pool.query(
    `UPDATE races SET market_status = 'CLOSED', market_closed_at = $2, market_state_source = 'betfair_ex_au' WHERE race_id = $1`,
    [raceId, ahead(20)],
  );
  expect(await eventsOf(raceId)).toEqual([]);
  await source(-10, 'pointsbetau', 'CLOSED');
  await source(-20, 'pointsbetau', 'OPEN');
  await source(-30, 'pointsbetau', 'CLOSED');
  expect(await eventsOf(raceId)).toMatchObject([
    {
      kind: 'race.market_closed',
      occurred_at: ahead(20),
      facts: { market_closed_at: ahead(20), market_state_source: 'pointsbetau' },
    },
  ]);
});

describe('race.result', () => {
  const placings = (...numbers: number[]) => numbers.map((number, i) => ({ position: i + 1, number, name: null }));
  const save = (
    { raceId, stores, before: ahead }: StoredRace,
    secondsAfter: number,
    result: Partial<FeedResult> = {},
  ) => stores.results.saveResult({ raceId, source: 'tab', result: feedResult(result), at: ahead(-secondsAfter) });

  test('is written for each outcome that differs from the last one, with its revision', async () => {
    const stored = await race();
    const { raceId, stores, before: ahead } = stored;
    await save(stored, 200, { placings: [...placings(2, 3, 1, 4), { position: 5, number: 5, name: null }] });
    expect(await eventsOf(raceId)).toEqual([]);
    await stores.results.finalise(raceId, ahead(-2000));
    await stores.results.finalise(raceId, ahead(-2010));
    await save(stored, 2020, { stage: 'final' });
    const first = { status: 'final', placings: placings(2, 3, 1, 4) };
    expect(await eventsOf(raceId)).toMatchObject([
      { kind: 'race.result', occurred_at: ahead(-2000), facts: { ...first, revision: 1, previous: null } },
    ]);
    // An operator amends it, and reverts that.
    await stores.results.override(raceId, placings(3, 2, 1), 'protest upheld', ahead(-3000));
    await stores.results.finalise(raceId, ahead(-3010));
    await stores.results.override(raceId, placings(2, 3, 1, 4), null, ahead(-4000));
    await stores.results.finalise(raceId, ahead(-4010));
    const second = { status: 'final', placings: placings(3, 2, 1) };
    expect((await eventsOf(raceId)).slice(1)).toMatchObject([
      { facts: { ...second, status_note: 'protest upheld', revision: 2, previous: first } },
      { facts: { ...first, status_note: null, revision: 3, previous: second } },
    ]);
  });

  test('is written once for an abandoned race, again as a result if it ran after all, and never for Hong Kong', async () => {
    const stored = await race();
    const { raceId, stores, before: ahead } = stored;
    for (const seconds of [900, 800]) {
      await stores.results.abandon(raceId, 'storm', 'tab', ahead(seconds));
      await stores.results.reinstate(raceId, ahead(seconds - 10));
    }
    await save(stored, 200);
    await stores.results.finalise(raceId, ahead(-2000));
    expect(await eventsOf(raceId)).toMatchObject([
      { facts: { status: 'abandoned', status_note: 'storm', placings: [], revision: 1 } },
      { facts: { status: 'final', revision: 2, previous: { status: 'abandoned', placings: [] } } },
    ]);
    const elsewhere = await race({ country: 'HK' });
    await elsewhere.stores.results.abandon(elsewhere.raceId, 'storm', 'tab', ahead(900));
    expect(await eventsOf(elsewhere.raceId)).toEqual([]);
  });
});

describe('race.scratching', () => {
  const ran = (name: string, at?: string | null) =>
    feedRunner(1, { name, scratching: at === undefined ? null : { ...OUT, at }, barrier: 4 });
  const only = async (id: string) => (await eventsOf(id)).filter(({ kind }) => kind === 'race.scratching');

  test('is written for each scratching of a runner that was listed as running, whatever the spelling of its name', async () => {
    const { raceId, poll, before: ahead } = await race();
    const other = feedRunner(2);
    await poll(900, { runners: [ran('Bella'), feedRunner(3, { name: 'Never Ran', scratching: OUT }), other] });
    await poll(890, { runners: [ran('Bella (NZ)', ahead(895)), other] });
    await poll(880, { runners: [ran('BELLA', ahead(895)), other] });
    expect(await only(raceId)).toMatchObject([
      {
        occurred_at: ahead(890),
        facts: {
          scratching: {
            name: 'Bella (NZ)',
            number: 1,
            barrier: 4,
            scratched_at: ahead(895),
            late: null,
            emergency: null,
          },
        },
      },
    ]);
    // Back, scratched with the same stamp, back, scratched later.
    for (const [seconds, runner] of [
      [870, ran('BELLA')],
      [860, ran('BELLA', ahead(895))],
      [850, ran('BELLA')],
      [840, ran('BELLA', null)],
    ] as const)
      await poll(seconds, { runners: [runner, other] });
    expect((await only(raceId)).map(({ occurred_at }) => occurred_at)).toEqual([ahead(890), ahead(840)]);
  });

  test('waits until the race comes into view, and has no barrier outside Australia and New Zealand', async () => {
    const { raceId, poll, before: ahead, stores } = await race({ country: null });
    await poll(900, { runners: [ran('Bella'), feedRunner(2)] });
    await poll(890, { runners: [ran('Bella', null), feedRunner(2)] });
    expect(await eventsOf(raceId)).toEqual([]);
    await stores.races.saveCard(
      'tab',
      [placedRace({ venue: `Venue ${lab.venue}`, country: 'SG' }, raceId)],
      ahead(880),
    );
    expect(await only(raceId)).toMatchObject([
      { facts: { country: 'SG', scratching: { name: 'Bella', barrier: null } } },
    ]);
  });
});

describe('race.start_moved and race.track_changed', () => {
  /** As a report at that instant leaves the race. */
  const report = (
    { raceId, before: ahead }: StoredRace,
    secondsBefore: number,
    change: Readonly<Record<string, unknown>>,
  ) => {
    const names = Object.keys(change);
    const set = names.map((name, i) => `${name} = $${i + 3}`);
    return lab.db.pool.query(`UPDATE races SET ${[...set, 'updated_at = $2']} WHERE race_id = $1`, [
      raceId,
      ahead(secondsBefore),
      ...Object.values(change),
    ]);
  };
  const moves = async (id: string) =>
    (await eventsOf(id)).flatMap(({ kind, facts }) => {
      if (kind === 'race.start_moved') return [`${facts.previous_start_time} > ${facts.start_time}`];
      return kind === 'race.track_changed' ? [`${facts.previous_track_condition} > ${facts.track_condition}`] : [];
    });

  test('every move of a start is announced, including moves back; a repeated report of a move is not', async () => {
    const stored = await race();
    const { raceId, poll, before: ahead } = stored;
    const [first, second] = [ahead(0), ahead(-600)];
    for (const [seconds, startTime] of [
      [900, second],
      [890, second],
      [880, first],
      [870, second],
    ] as const)
      await poll(seconds, { startTime });
    const there = `${first} > ${second}`;
    const back = `${second} > ${first}`;
    expect(await moves(raceId)).toEqual([there, back, there]);
    const [event] = (await eventsOf(raceId)).filter(({ kind }) => kind === 'race.start_moved');
    expect(event).toMatchObject({ occurred_at: ahead(900), facts: { start_time: second, previous_start_time: first } });
    // For a race that is late at the gate too, but not into the past, and not for one that has jumped, is abandoned or
    // over.
    await report(stored, -700, { start_time: ahead(-900) });
    await report(stored, -710, { start_time: ahead(-705) });
    expect(await moves(raceId)).toEqual([there, back, there, `${second} > ${ahead(-900)}`]);
    for (const [column, value] of [
      ['jumped_at', ahead(10)],
      ['status', 'abandoned'],
      ['left_board_at', ahead(10)],
    ]) {
      const other = await race();
      await report(other, 900, { [column!]: value });
      await report(other, 890, { start_time: other.before(-600) });
      expect(await moves(other.raceId)).toEqual([]);
    }
  });

  test('a move while the race is hidden is announced when the race returns, relative to what customers saw last', async () => {
    const stored = await race();
    const { raceId, before: ahead } = stored;
    await report(stored, 900, { left_board_at: ahead(900) });
    await report(stored, 890, { start_time: ahead(-300) });
    await report(stored, 880, { start_time: ahead(-600) });
    expect(await moves(raceId)).toEqual([]);
    await report(stored, 870, { left_board_at: null });
    expect(await moves(raceId)).toEqual([`${ahead(0)} > ${ahead(-600)}`]);
    // No customer has seen another start of a race whose country becomes known.
    const hidden = await race({ country: null });
    await report(hidden, 900, { start_time: hidden.before(-300) });
    await report(hidden, 890, { country: 'AU' });
    expect(await moves(hidden.raceId)).toEqual([]);
  });

  test('a track is announced when its meaning changes, in Australia and New Zealand', async () => {
    const stored = await race();
    const { raceId } = stored;
    const stated = ['Good 4', 'GOOD4', 'None', 'Good (4)', 'Soft 5', null, 'Soft 5', 'Good 4', 'Good 4'];
    for (const [i, track_condition] of stated.entries()) await report(stored, 900 - i, { track_condition });
    const last = ['Good (4) > Soft 5', 'Soft 5 > Good 4'];
    expect(await moves(raceId)).toEqual(last);
    for (const country of ['HK', null]) {
      const elsewhere = await race({ country });
      for (const [i, track_condition] of ['Good 4', 'Soft 5'].entries())
        await report(elsewhere, 900 - i, { track_condition });
      expect(await moves(elsewhere.raceId)).toEqual([]);
    }
  });

  test('the database and the domain agree on the meaning of a condition', async () => {
    const raw = [
      'Good 4',
      'GOOD4',
      'Good (4)',
      'gd',
      'Good',
      'Good 13',
      'HVY8',
      'Heavy 8',
      'AWT',
      'all weather',
      'Poly',
      'None',
      '',
    ];
    raw.push(
      ' n/a ',
      'TBA',
      '4',
      '(5)',
      'Good to Soft (Soft in places)',
      'good-to-soft soft in places',
      'Slow 7',
      'slw7',
      'Dead',
      'DEAD',
    );
    const { rows } = await lab.db.pool.query<{ a: string; b: string; same: boolean }>(
      `SELECT a, b, track_meaning(a) IS NOT DISTINCT FROM track_meaning(b) AS same FROM unnest($1::text[]) a, unnest($1::text[]) b`,
      [raw],
    );
    expect(rows).toHaveLength(raw.length ** 2);
    expect(rows.filter(({ a, b, same }) => same !== sameCondition(a, b))).toEqual([]);
  });
});

test('backfill.completed is written once, when the last horse of a job is settled, and never for a cancelled job', async () => {
  const { backfill, forms } = createStores(lab.db.pool);
  const account = '00000000-0000-4000-8000-00000000000a';
  const at = '2026-11-21T03:00:00.000Z';
  const later = '2026-11-21T03:01:00.000Z';
  const horse = (key: string) => ({ input: key, key, name: key, refs: [`ra:${key}`], pageRef: null });
  const submit = (jobId: string, ...keys: string[]) =>
    backfill.submit({
      jobId,
      accountId: account,
      keyId: account,
      price: 0,
      label: 'spring',
      request: '0'.repeat(64),
      at,
      repeatedSince: later,
      repeated: 0,
      notFound: [],
      horses: keys.map(horse),
    });
  const fail = (key: string) =>
    backfill.noteFailed({ key, refs: [`ra:${key}`] }, { at: later, nextTryAt: later, counts: true, mostTries: 1 });

  await submit('bf_20261121_000001', '1', '2');
  await submit('bf_20261121_000002', '3', '4');
  await fail('1');
  await fail('3');
  await backfill.cancel('bf_20261121_000002', account, later);
  expect(await eventsOf(account)).toEqual([]);
  await forms.save(horseForm({ name: '2', runnerCode: '2' }), at);
  const [item] = await backfill.noteStored({ key: '2', refs: ['ra:2'] }, 'ra:2');
  await backfill.deliver(item!, { at: later, wall: later, period: '2026-11' }, () => ({ allowance: 0, overage: 0 }));
  await fail('1');
  expect(await eventsOf(account)).toMatchObject([
    {
      kind: 'backfill.completed',
      occurred_at: later,
      facts: { job_id: 'bf_20261121_000001', submitted_at: at, total: 2, done: 1, failed: 1, credits_charged: 0 },
    },
  ]);
});
