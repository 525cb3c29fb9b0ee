import { createRaceStore } from '../../../../src/store/card/races';
import { BOARD, type BoardQuery, readBoard } from '../../../../src/store/reads/races/board';
import { readChanges } from '../../../../src/store/reads/races/changes';
import { EVENTS, readEvents } from '../../../../src/store/reads/races/events';
import { findRaces } from '../../../../src/store/reads/races/find-races';
import { addRace } from '../../../support/races/board';
import { feedField, feedRunner } from '../../../support/races/builders';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';

const NOW = '2026-11-21T03:00:00.000Z';
const WINDOW = {
  at: NOW,
  from: '2026-11-21T01:50:00.000Z',
  until: '2026-11-22T03:00:00.000Z',
  includeUnresolved: false,
};
const QUERY: BoardQuery = { ...WINDOW, bookmakers: ['ladbrokes_au', 'tab', 'neds'], limit: 200 };
const start = (minute: number) => `2026-11-21T03:${String(minute).padStart(2, '0')}:00.000Z`;

let db: TestDatabase;
const ids: Record<string, string> = {};
const named = (races: readonly { race_id: string }[]) =>
  races.map((race) => Object.keys(ids).find((name) => ids[name] === race.race_id));
const board = async (over: Partial<BoardQuery> = {}) => named(await readBoard(db.pool, { ...QUERY, ...over }));
const events = async (over: Partial<BoardQuery> = {}) => named(await readEvents(db.pool, { ...WINDOW, ...over }));

beforeAll(async () => {
  db = await createTestDatabase();
  const add = async (
    name: string,
    ...[listed, books]: [Parameters<typeof addRace>[1], Parameters<typeof addRace>[2]]
  ) => {
    ids[name] = (await addRace(db.pool, { raceNumber: Object.keys(ids).length + 1, ...listed }, books)).raceId;
  };
  await add('second', { startTime: start(20) }, { tab: {}, ladbrokes_au: { sourceUrl: 'https://book.example/1' } });
  await add('first', { startTime: start(10), venue: 'Eagle Farm' }, { tab: {} });
  await add('dogs', { startTime: start(30), category: 'greyhound', country: 'NZ' }, { neds: {} });
  await add('unresolved', { startTime: start(40), country: null }, { tab: {} });
  await add('unpriced', { startTime: start(50) }, { tab: { runners: feedField(null, null) } });
  await add('exchange only', { startTime: start(51) }, { betfair_ex_au: {} });
  await add('tomorrow', { startTime: '2026-11-21T22:00:00.000Z', meetingDate: '2026-11-22' }, { tab: {} });
  await add('jumped', { startTime: start(1) }, { tab: {} });
  await add('left', { startTime: start(2) }, { tab: {} });
  await add('too late', { startTime: '2026-11-21T01:49:59.000Z' }, { tab: {} });
  const races = createRaceStore(db.pool);
  await races.savePhase(ids.jumped!, 'jumped', { jumpedAt: start(1) }, start(1));
  await races.savePhase(ids.left!, 'jumped', { jumpedAt: start(2), leftBoardAt: start(12) }, start(12));
});
afterAll(() => db.drop());

test('the board lists priced races before their jump, next to jump first', async () => {
  expect(await board()).toEqual(['first', 'second', 'dogs', 'tomorrow']);
});

test('events include all races on the board, also unpriced and just jumped ones', async () => {
  expect(await events()).toEqual(['jumped', 'first', 'second', 'dogs', 'unpriced', 'exchange only', 'tomorrow']);
});

test.each<[string, Partial<BoardQuery>, string[]]>([
  ['a code', { categories: ['greyhound'] }, ['dogs']],
  ['a country', { countries: ['NZ', 'HK'] }, ['dogs']],
  ['a venue in any case', { venues: ['EAGLE farm'] }, ['first']],
  ['part of a venue’s name', { venues: ['Eagle'] }, []],
  ['a meeting day', { day: '2026-11-22' }, ['tomorrow']],
  ['a shorter window', { until: start(20) }, ['first']],
  ['a book', { bookmakers: ['ladbrokes_au'] }, ['second']],
  ['no book', { bookmakers: [] }, []],
  ['a number of races', { limit: 1 }, ['first']],
  ['unresolved countries too', { includeUnresolved: true }, ['first', 'second', 'dogs', 'unresolved', 'tomorrow']],
  ['a country, which unresolved ones never are', { countries: ['NZ'] }, ['dogs']],
  ['a country and unresolved ones', { includeUnresolved: true, countries: ['NZ'] }, ['dogs', 'unresolved']],
])('the board with %s', async (_, over, expected) => expect(await board(over)).toEqual(expected));

test('a race has its runners and only the given books', async () => {
  const [race] = await readBoard(db.pool, {
    ...QUERY,
    limit: 1,
    venues: ['Flemington'],
    bookmakers: ['tab', 'ladbrokes_au'],
  });
  expect(race).toMatchObject({ venue: 'Flemington', start_time: start(20), startMs: Date.parse(start(20)) });
  expect(race!.runners.map(({ number, name }) => [number, name])).toEqual([
    [1, 'Runner 1'],
    [2, 'Runner 2'],
    [3, 'Runner 3'],
  ]);
  expect(race!.books).toMatchObject([
    { bookmaker: 'ladbrokes_au', sourceUrl: 'https://book.example/1' },
    { bookmaker: 'tab', sourceUrl: null, polledAtMs: Date.parse('2026-11-21T02:59:50.000Z') },
  ]);
  expect(race!.books[0]).toMatchObject({
    numbers: [1, 2, 3],
    win: [2.5, 4.2, 8],
    place: [null, null, null],
    tote: null,
  });
});

test('every leg, tote estimate and scratching is read back as written', async () => {
  const scratching = { at: '2026-11-20T22:10:00.000Z', late: false, winDeduction: 0.08, placeDeduction: null };
  const full = { win: 5.5, place: 2.1, top2: 3.2, top3: 2.4, top4: 1.9, toteWin: { PROV: 4.8 } };
  const facts = {
    barrier: 4,
    jockey: 'A. Rider',
    trainer: 'B. Trainer',
    weightKg: 58.5,
    form: 'x13',
    runnerRef: 'ra:1',
  };
  const runners = [feedRunner(1, { ...full, ...facts }), feedRunner(2, { scratching, emergency: true, barrier: 9 })];
  const { raceId } = await addRace(
    db.pool,
    { raceNumber: 20, venue: 'Bendigo', startTime: start(5) },
    { tab: { runners } },
  );
  const [race] = await readBoard(db.pool, { ...QUERY, venues: ['bendigo'] });
  expect(race!.race_id).toBe(raceId);
  expect(race!.books).toMatchObject([
    {
      numbers: [1, 2],
      win: [5.5, null],
      place: [2.1, null],
      top2: [3.2, null],
      top3: [2.4, null],
      top4: [1.9, null],
      tote: { 1: { PROV: 4.8 } },
    },
  ]);
  expect(race!.runners).toMatchObject([
    { number: 1, ...facts, scratched: false },
    { number: 2, barrier: 9, scratched: true, scratchedAt: scratching.at, late: false, emergency: true },
  ]);
  const [event] = await readEvents(db.pool, { ...WINDOW, venues: ['bendigo'] });
  expect(event!.scratched).toEqual([race!.runners[1]]);
});

describe('outside Australia and New Zealand there are prices and identity only (A 1, A 2.2)', () => {
  const facts = {
    barrier: 4,
    jockey: 'A. Rider',
    trainer: 'B. Trainer',
    weightKg: 57.5,
    form: 'x12',
    runnerRef: 'ra:9',
  };
  const nothing = Object.fromEntries(Object.keys(facts).map((name) => [name, null]));
  const conditions = { track_condition: 'Good', weather: 'Fine', track_condition_changed_at: start(0) };
  const withheld = Object.fromEntries(Object.keys(conditions).map((name) => [name, null]));

  test.each([
    ['AU', facts, conditions],
    ['NZ', facts, conditions],
    [null, facts, conditions],
    ['HK', nothing, withheld],
    ['GB', nothing, withheld],
  ])('%s', async (country, runner, race) => {
    const scratching = { at: null, late: null, winDeduction: null, placeDeduction: null };
    const runners = [feedRunner(1, { win: 3, ...facts }), feedRunner(2, { ...facts, scratching })];
    const { raceId } = await addRace(
      db.pool,
      { raceNumber: 30, venue: `In ${country}`, country, startTime: start(7) },
      { tab: { runners } },
    );
    await db.pool.query(
      `UPDATE races SET track_condition = 'Good', weather = 'Fine', track_condition_changed_at = $2, race_class = 'Maiden', rail = 'True',
         conditions = 'Set weights', prize_total = 1, track_name = 'Inner' WHERE race_id = $1`,
      [raceId, start(0)],
    );
    const venues = [`In ${country}`];
    const [read] = await readBoard(db.pool, { ...QUERY, includeUnresolved: true, venues });
    const registered = ['race_class', 'rail', 'conditions', 'track_name', 'prize_total'] as const;
    expect(read).toMatchObject({
      race_name: null,
      country,
      ...race,
      runners: [{ name: 'Runner 1', ...runner }, runner],
    });
    expect(registered.filter((name) => read![name] === null)).toEqual(race === withheld ? registered : []);
    const [event] = await readEvents(db.pool, { ...WINDOW, includeUnresolved: true, venues });
    expect(event).toMatchObject({ ...race, scratched: [{ number: 2, ...runner }] });
    const [found] = await findRaces(db.pool, { raceId }, ['tab']);
    expect(found).toMatchObject({ ...race, runners: [runner, runner], books: [{ win: [3, null] }] });
    const sinceMs = Date.now() - 60_000;
    const query = { at: NOW, sinceMs, oldestMs: 120_000, aheadMs: 0, includeUnresolved: true, bookmakers: ['tab'] };
    const { races } = await readChanges(db.pool, query);
    expect(races!.find(({ race_id }) => race_id === raceId)).toMatchObject({ ...race, scratched: [runner] });
  });
});

test.each([
  ['board', BOARD.text, [QUERY.bookmakers, 10, NOW, null, null]],
  ['the board of a state', BOARD.text, [QUERY.bookmakers, 10, NOW, ['randwick'], null]],
  ['events', EVENTS.text, [NOW]],
] as const)('%s is served by an index over the start', async (_, text, more) => {
  const values = [WINDOW.from, WINDOW.until, null, null, null, null, false, ...more];
  const client = await db.pool.connect();
  try {
    // The planner would scan a table of ten rows, or all of another small index, unless that is forbidden: the test
    // proves that the statement can use the index.
    await client.query('ANALYZE');
    await client.query('BEGIN');
    await client.query('DROP INDEX races_written');
    await client.query('SET LOCAL enable_seqscan = off');
    const { rows } = await client.query(`EXPLAIN ${text}`, values);
    expect(JSON.stringify(rows)).toMatch(/Index Scan (?:using|on) races_(?:on_board|by_start|by_venue)/);
  } finally {
    client.release(true);
  }
});
