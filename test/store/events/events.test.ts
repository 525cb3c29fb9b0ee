// Which facts are announced, how often, and with which members: written by the stores that write the facts, in their
// transactions (D31, D59).
import type { ValidateFunction } from 'ajv';
import type { PoolClient } from 'pg';
import { ajv } from '../../../src/api/kernel/input/ajv';
import { EVENTS } from '../../../src/api/operations/events/events-schema';
import { type EventKind, eventBody } from '../../../src/domain/events/event';
import type { FeedResult } from '../../../src/domain/race/feed-race';
import { OUT } from '../../../src/domain/race/not-reported';
import { sameCondition } from '../../../src/domain/registry/track-condition';
import { createStores } from '../../../src/store/create-stores';
import { closed } from '../../support/api/conforms';
import { feedField, feedResult, feedRunner, placedRace, raceSnapshot } from '../../support/races/builders';
import { horseForm } from '../../support/races/horse-form';
import { type StoredRace, storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { untilBlocked } from '../../support/servers/lock-waiters';
import { poolAs } from '../../support/servers/roles';
import { slowWriter } from '../../support/servers/slow-writer';

let db: TestDatabase;
let venue = 0;
beforeAll(async () => {
  const owner = await createTestDatabase();
  // A worker's rights: triggers run with those of the writer.
  const pool = poolAs(owner, 'racing_worker');
  db = { ...owner, pool, drop: () => pool.end().then(() => owner.drop()) };
});
afterAll(() => db.drop());

const BOOKS = ['ladbrokes_au', 'tab', 'pointsbetau', 'betfair_ex_au'];
const race = (over = {}) => storeRace(db, { venue: `Venue ${++venue}`, ...over }, BOOKS);

interface Row {
  readonly event_id: string;
  readonly kind: Exclude<EventKind, 'market.suspend'>;
  readonly race_id: string | null;
  readonly account_id: string | null;
  readonly occurred_at: string;
  readonly facts: Record<string, unknown>;
}

const validators = new Map<string, ValidateFunction>();

/**
 * The events of a race or an account, in the order of writing; each is what its published schema declares, and nothing
 * else.
 */
async function eventsOf(id: string): Promise<readonly Row[]> {
  const { rows } = await db.pool.query<Row>(
    'SELECT * FROM events WHERE race_id = $1 OR account_id = $1 ORDER BY written',
    [id],
  );
  for (const { event_id, kind, race_id, account_id, occurred_at, facts } of rows) {
    const validate = validators.get(kind) ?? ajv.compile(closed(EVENTS[kind].schema) as object);
    validators.set(kind, validate);
    const stored = { eventId: event_id, kind, occurredAt: occurred_at, raceId: race_id, accountId: account_id, facts };
    validate(JSON.parse(eventBody({ ...stored, sequence: race_id === null ? null : 1 })));
    expect(validate.errors ?? []).toEqual([]);
  }
  return rows;
}

const kindsOf = async (id: string) => (await eventsOf(id)).map(({ kind }) => kind);
const by = (bookmakerKey: string) => ({ bookmakerKey, startSource: false });

describe('race.odds_open', () => {
  test('is written with the first price of a bookmaker on a runner, never with the exchange’s, and once for ever', async () => {
    const { raceId, poll, before: ahead, stores } = await race({ startTime: '2026-11-21T03:00:00.500Z' });
    await poll(900, {}, by('betfair_ex_au'));
    await poll(890, { runners: feedField(null, null, null) });
    expect(await eventsOf(raceId)).toEqual([]);
    await poll(880, { runners: feedField(null, 3.5, null) });
    const [event] = await eventsOf(raceId);
    expect(event).toMatchObject({ kind: 'race.odds_open', occurred_at: ahead(880) });
    expect(event!.facts).toEqual({
      race_id: raceId,
      venue: `Venue ${venue}`,
      race_number: 1,
      category: 'horse',
      country: 'AU',
      start_time: '2026-11-21T03:00:00.500Z',
      bookmakers: ['ladbrokes_au'],
    });
    // Taken back and shown again, another book, a reset poller, the race discovered again, a stay off the board.
    await poll(870, { runners: feedField(null, null, null) });
    await poll(860, { runners: feedField(2, 3, 4) });
    await poll(850, { runners: feedField(2, 3, 4) }, { ...by('tab'), fence: { epoch: 2, attempt: 1 } });
    await stores.races.saveCard('neds', [placedRace({ venue: `Venue ${venue}` }, raceId)], ahead(840));
    await stores.races.savePhase(raceId, 'gone', { leftBoardAt: ahead(-600) }, ahead(-600));
    await db.pool.query('UPDATE races SET left_board_at = NULL WHERE race_id = $1', [raceId]);
    expect(await kindsOf(raceId)).toEqual(['race.odds_open']);
  });

  test('is written when the start of a race whose prices came after it is moved ahead', async () => {
    const { raceId, poll, before: ahead } = await race();
    await poll(-120, {});
    expect(await kindsOf(raceId)).toEqual([]);
    await db.pool.query(
      `UPDATE races SET start_time = start_time + interval '20 minutes', updated_at = $2 WHERE race_id = $1`,
      [raceId, ahead(-130)],
    );
    expect(await kindsOf(raceId)).toContain('race.odds_open');
  });

  test('is written when an open market shows that a race whose start has passed is still to run, and not after its last possible jump', async () => {
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

  test('is written when a race comes into view: its country, its runners, its reinstatement', async () => {
    const { raceId, poll, before: ahead, stores } = await race({ country: null });
    await poll(900, {});
    await poll(890, {}, by('tab'));
    expect(await eventsOf(raceId)).toEqual([]);
    const placed = placedRace({ venue: `Venue ${venue}` }, raceId);
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

  test('a price and a country that are written at the same moment see each other', async () => {
    for (const first of ['price', 'country']) {
      const { raceId, poll, before: ahead } = await race({ country: null });
      await poll(900, { runners: feedField(null, null, null) });
      const slow = await slowWriter(db.url);
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
      const waiting = other(db.pool);
      await untilBlocked(db.pool, slow.pool as unknown as PoolClient);
      await slow.commit();
      await waiting;
      expect(await kindsOf(raceId)).toEqual(['race.odds_open']);
    }
  });
});

test('race.market_closed is written once, at the first state that a customer sees as closed', async () => {
  const { raceId, poll, before: ahead } = await race();
  const source = (seconds: number, bookmakerKey: string, marketStatus: 'OPEN' | 'CLOSED') =>
    poll(seconds, { marketStatus, runners: [] }, { ...by(bookmakerKey), marketStateSource: true });
  await source(30, 'pointsbetau', 'OPEN');
  await db.pool.query(
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

  test('is written for each outcome that is another than the last one, with its revision', async () => {
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
    // An operator amends it, and takes that back.
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

  test('of an abandoned race is written once, and again as a result if it ran after all; Hong Kong has none', async () => {
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

  test('waits for the race to come into view; outside Australia and New Zealand it has no barrier', async () => {
    const { raceId, poll, before: ahead, stores } = await race({ country: null });
    await poll(900, { runners: [ran('Bella'), feedRunner(2)] });
    await poll(890, { runners: [ran('Bella', null), feedRunner(2)] });
    expect(await eventsOf(raceId)).toEqual([]);
    await stores.races.saveCard('tab', [placedRace({ venue: `Venue ${venue}`, country: 'SG' }, raceId)], ahead(880));
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
    return db.pool.query(`UPDATE races SET ${[...set, 'updated_at = $2']} WHERE race_id = $1`, [
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

  test('a start is announced each time it moves, back too, and the same move once, however often it is reported', async () => {
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
    // Of a race that is late at the gate too, but not into the past, and of none that has jumped, is abandoned or over.
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

  test('what moved out of sight is announced when the race comes back, against what customers saw last', async () => {
    const stored = await race();
    const { raceId, before: ahead } = stored;
    await report(stored, 900, { left_board_at: ahead(900) });
    await report(stored, 890, { start_time: ahead(-300) });
    await report(stored, 880, { start_time: ahead(-600) });
    expect(await moves(raceId)).toEqual([]);
    await report(stored, 870, { left_board_at: null });
    expect(await moves(raceId)).toEqual([`${ahead(0)} > ${ahead(-600)}`]);
    // Of a race whose country becomes known no customer has seen another start.
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

  test('the database and the domain agree on what a condition means', async () => {
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
    const { rows } = await db.pool.query<{ a: string; b: string; same: boolean }>(
      `SELECT a, b, track_meaning(a) IS NOT DISTINCT FROM track_meaning(b) AS same FROM unnest($1::text[]) a, unnest($1::text[]) b`,
      [raw],
    );
    expect(rows).toHaveLength(raw.length ** 2);
    expect(rows.filter(({ a, b, same }) => same !== sameCondition(a, b))).toEqual([]);
  });
});

test('backfill.completed is written once, for the account of a job whose last horse is settled, and not for a cancelled one', async () => {
  const { backfill, forms } = createStores(db.pool);
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
