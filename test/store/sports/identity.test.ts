// Which row is which match, as stored (D66): every decision with its reasons, rulings that later pushes obey, and the
// separation of wrong joins.
import type { Pool, PoolClient } from 'pg';
import { sportOf } from '../../../src/domain/sports/sports';
import { createStores } from '../../../src/store/create-stores';
import { createReads } from '../../../src/store/reads/reads';
import type { PushedEvent } from '../../../src/store/sports/pushed-event';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { priced } from '../../support/sports/matches';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const at = (minutes: number): string => new Date(Date.parse('2026-11-21T00:00:00Z') + minutes * 60_000).toISOString();
const START = 600;

/** Every test has its own sport, and so its own matches. */
type Over = Partial<Omit<PushedEvent, 'sport' | 'markets' | 'commenceTime'>>;
const row = (
  sportKey: string,
  [home, away]: readonly [number, number],
  over: Over = {},
  minutes = START,
): PushedEvent => ({
  sport: sportOf(sportKey)!,
  sourceId: null,
  homeTeam: 'Otago',
  awayTeam: 'Taranaki',
  competition: null,
  commenceTime: at(minutes),
  markets: [{ market: 'h2h', prices: priced('h2h', { home, away }) }],
  ...over,
});

const push = (bookmakerKey: string, minutes: number, events: readonly PushedEvent[], pool: Pool = db.pool) =>
  createStores(pool).sportIngest.push({ bookmakerKey, observedAt: at(minutes), events }, at(minutes));
const identity = (pool: Pool = db.pool) => createStores(pool).sportIdentity;
const query = async (text: string, values: unknown[] = []) => (await db.pool.query(text, values)).rows;
const decisions = async (over: object) =>
  identity().decisions({ eventId: null, bookmakerKey: null, since: null, because: null, ...over });
/** The match of each book, by key. */
const matchOf = async (sportKey: string): Promise<Record<string, string>> => {
  const rows = await query(
    `SELECT b.bookmaker_key AS book, b.event_id AS id FROM sport_event_books b JOIN sport_events e USING (event_id)
      WHERE e.sport_key = $1 AND b.taken_back_at IS NULL`,
    [sportKey],
  );
  return Object.fromEntries(rows.map(({ book, id }) => [book, id]));
};
const ticksOf = async (eventId: string) =>
  (
    await query(
      `SELECT t.bookmaker_key AS book, extract(epoch FROM t.captured_at - $2::timestamptz)::int / 60 AS at, t.home_price AS home, t.away_price AS away
         FROM sport_ticks t WHERE t.event_id = $1 ORDER BY 1, 2`,
      [eventId, at(0)],
    )
  ).map(({ book, at: minute, home, away }) => [book, minute, home, away]);
/** Everything that rulings and pushes write. */
const stored = async () => {
  const tables = [
    'sport_events',
    'sport_event_books',
    'sport_quotes',
    'sport_ticks',
    'sport_decisions',
    'sport_partings',
    'sport_pushes',
    'event_keys',
  ];
  const of = (table: string) => query(`SELECT * FROM ${table} t ORDER BY t::text`);
  return Promise.all(tables.map(of));
};

/** Fails at the statement with that number, counted from one; `count` is how many there were. */
function failing(failsAt: number) {
  let count = 0;
  const connect = async () => {
    const client = await db.pool.connect();
    const inner = {
      release: (broken?: Error) => client.release(broken),
      query: (...args: Parameters<PoolClient['query']>) => {
        if ((args[0] as unknown) !== 'ROLLBACK' && ++count === failsAt) return Promise.reject(new Error('crashed'));
        return (client.query as (...all: unknown[]) => unknown)(...args);
      },
    };
    return inner;
  };
  return { pool: { connect, query: db.pool.query.bind(db.pool) } as unknown as Pool, count: () => count };
}

/** `work` fails at each of its statements in turn, and changes nothing; it is then carried out. */
async function crashedEverywhere(work: (pool: Pool) => Promise<unknown>): Promise<void> {
  const before = await stored();
  for (let n = 1; ; n++) {
    const { pool, count } = failing(n);
    const crashed = await work(pool).then(
      () => false,
      () => true,
    );
    if (!crashed) return expect(count()).toBeGreaterThan(5);
    expect([n, await stored()]).toEqual([n, before]);
  }
}

test('each decision is stored once with its reasons, whatever is pushed again, and deleted 90 days after the start', async () => {
  const listed = row('mma', [1.5, 2.5], { competition: 'Otago Cup', sourceId: 'a1' });
  await crashedEverywhere((pool) => push('tab', 1, [listed], pool));
  const other = { ...listed, competition: 'Otago Trophy', sourceId: null };
  await push('neds', 2, [other, { ...other, awayTeam: 'Otago' }]);
  await push('betr_au', 3, [{ ...listed, sourceId: null, competition: null, commenceTime: at(START + 30) }]);
  for (const minutes of [4, 5]) await push('neds', minutes, [other, { ...other, awayTeam: 'Otago' }]);
  const { tab, betr_au } = await matchOf('mma');
  const found = await decisions({ since: at(0) });
  expect(
    found.map(({ bookmaker_key, verdict, because, event_id }) => [bookmaker_key, verdict, because, event_id]),
  ).toEqual([
    ['betr_au', 'new', 'start', betr_au],
    ['neds', 'refused', 'same_team', null],
    ['neds', 'joined', 'unknown_competition', tab],
    ['tab', 'new', 'no_match', tab],
  ]);
  expect(found[2]).toMatchObject({
    decided_at: at(2),
    reasons: {
      competition: 'Otago Trophy',
      apart_minutes: 0,
      turned: false,
      match: { competitions: ['Otago Cup'], priced_by: 1 },
    },
    sentence: expect.stringMatching(/^Otago v Taranaki \(Otago Trophy\), .*, joined: the sides are equal/),
  });
  expect(await decisions({ eventId: tab })).toHaveLength(2);
  expect(await decisions({ because: 'unknown_competition' })).toHaveLength(1);
  await push('playup', 100 * 24 * 60, [row('mma', [1.5, 2.5], { homeTeam: 'Napier' }, 101 * 24 * 60)]);
  expect(await decisions({ bookmakerKey: 'neds' })).toEqual([]);
});

describe('two matches that an operator joins', () => {
  const ottawa = { awayTeam: 'Hamilton', sourceId: 'h-1', competition: 'CFL' };
  const sens = { ...ottawa, homeTeam: 'Southerners', sourceId: 's-1' };

  test('become the older one: histories merge by book and time, later pushes follow, and a crash changes nothing', async () => {
    await push('tab', 11, [row('ncaaf', [1.5, 2.5], ottawa)]);
    await push('neds', 12, [row('ncaaf', [2.5, 1.5], { ...sens, homeTeam: 'Hamilton', awayTeam: 'Southerners' })]);
    await push('sportsbet', 12, [row('ncaaf', [1.5, 2.5], sens)]);
    await push('sportsbet', 13, []);
    await push('sportsbet', 14, [row('ncaaf', [1.55, 2.4], { ...ottawa, sourceId: null })]);
    const { tab: older, neds: younger } = await matchOf('ncaaf');
    expect(younger).not.toBe(older);
    let verdict: unknown;
    await crashedEverywhere(async (pool) => {
      verdict = await identity(pool).join(younger!, older!, null, at(15));
    });
    expect(verdict).toEqual({ kind: 'joined', eventId: older, other: younger, bookmakers: ['neds', 'sportsbet'] });
    expect(await identity().join(older!, younger!, null, at(16))).toEqual({ kind: 'stands', eventId: older });
    expect(await ticksOf(older!)).toEqual([
      ['neds', 12, 1.5, 2.5],
      ['sportsbet', 12, 1.5, 2.5],
      ['sportsbet', 13, null, null],
      ['sportsbet', 14, 1.55, 2.4],
      ['tab', 11, 1.5, 2.5],
    ]);
    // By its id, by its names, and another book by its names; the prices turn with the sides.
    await push('neds', 17, [row('ncaaf', [2.6, 1.45], { ...sens, homeTeam: 'Hamilton', awayTeam: 'Southerners' })]);
    await push('betr_au', 17, [row('ncaaf', [1.5, 2.5], { ...sens, sourceId: null })]);
    await push('sportsbet', 17, [row('ncaaf', [1.6, 2.3], { ...ottawa, sourceId: null })]);
    expect(new Set(Object.values(await matchOf('ncaaf')))).toEqual(new Set([older]));
    expect((await ticksOf(older!)).filter(([book]) => book === 'neds')).toEqual([
      ['neds', 12, 1.5, 2.5],
      ['neds', 17, 1.45, 2.6],
    ]);
    const reads = createReads(db.pool);
    const [match, ...none] = await reads.matches({ sportKey: 'ncaaf', after: at(18), eventIds: [younger!] });
    expect([match!.eventId, match!.books.length, none]).toEqual([older, 4, []]);
    const span = { sportKey: 'ncaaf', market: 'h2h' as const, bookmakers: ['neds'], from: at(0), until: at(60) };
    expect(await reads.sportHistory({ ...span, offset: 0 })).toMatchObject([{ event_id: older, snapshots: [{}, {}] }]);
    expect(await reads.sportMovements({ ...span, minDelta: 0 })).toMatchObject([{ event_id: older }]);
    expect(await reads.closedMatches({ ...span, until: at(START + 1), offset: 0 })).toMatchObject([
      { eventId: older, quotes: [{ home: 1.45, away: 2.6 }] },
    ]);
    expect(await decisions({ eventId: younger, because: 'ruling' })).toMatchObject([
      { bookmaker_key: 'neds', verdict: 'joined', event_id: older },
      { bookmaker_key: 'sportsbet', verdict: 'joined', event_id: older },
    ]);
  });

  test('are not joined if one has started, one book lists both, or their sports differ', async () => {
    const pair = { homeTeam: 'Perth', awayTeam: 'Cairns' };
    const both = [
      row('nba', [1.5, 2.5], { ...pair, sourceId: 'p' }),
      row('nba', [1.5, 2.5], { ...pair, sourceId: 'q' }, START + 180),
    ];
    await push('tab', 18, [...both, row('wnba', [1.5, 2.5], pair)]);
    const ids = await query(
      `SELECT event_id AS id FROM sport_events WHERE home_team = 'Perth' ORDER BY sport_key, commence_time`,
    );
    const [one, two, women] = ids.map(({ id }) => id);
    expect(await identity().join(one, two, null, at(19))).toEqual({ kind: 'both_listed', bookmakers: ['tab'] });
    expect(await identity().join(one, women, null, at(19))).toEqual({ kind: 'other_sport' });
    expect(await identity().join(one, two, null, at(START))).toEqual({ kind: 'started', eventId: one });
    expect(await identity().part(one, ['tab'], at(19))).toEqual({ kind: 'whole_match' });
    expect(await identity().part(one, ['neds'], at(19))).toEqual({ kind: 'not_listed', bookmakers: ['neds'] });
    expect(await identity().part('00000000-0000-4000-8000-000000000000', ['neds'], at(19))).toMatchObject({
      kind: 'unknown',
    });
  });
});

test('a book that an operator separates takes its rows along by its id, later pushes follow, and its arb is corrected once', async () => {
  const named = { competition: 'Cup', homeTeam: 'Torquay', awayTeam: 'Yeovil' };
  const list = (prices: readonly [number, number], sourceId: string | null) => [
    row('rugby_union', prices, { ...named, sourceId }),
  ];
  await push('tab', 20, list([2.1, 1.8], 't'));
  await push('neds', 21, list([1.9, 2.02], 'n'));
  await push('unibet', 21, list([1.9, 1.9], null));
  const { tab: match } = await matchOf('rugby_union');
  let verdict: unknown;
  await crashedEverywhere(async (pool) => {
    verdict = await identity(pool).part(match!, ['neds'], at(22));
  });
  const { neds: parted } = await matchOf('rugby_union');
  expect(verdict).toEqual({ kind: 'parted', eventId: parted, bookmakers: ['neds'], corrected: 1 });
  expect(parted).not.toBe(match);
  expect(await identity().part(match!, ['neds'], at(23))).toEqual({ kind: 'stands', eventId: match });
  expect(await ticksOf(parted!)).toEqual([['neds', 21, 1.9, 2.02]]);
  for (const [book, id] of [
    ['tab', 't'],
    ['neds', 'n'],
    ['unibet', null],
  ] as const)
    await push(book, 24, list([1.9, 2], id));
  expect(await matchOf('rugby_union')).toEqual({ tab: match, unibet: match, neds: parted });
  const events = await query(
    `SELECT kind, event_id, facts FROM events WHERE facts ->> 'event_id' = $1 ORDER BY written`,
    [match],
  );
  expect(events).toMatchObject([
    { kind: 'arb.opportunity' },
    {
      kind: 'arb.corrected',
      facts: { corrects: events[0]!.event_id, edge_pct: events[0]!.facts.edge_pct, reason: 'different_matches' },
    },
  ]);
  // Joined again, and separated again by the same command.
  expect(await identity().join(parted!, match!, null, at(25))).toMatchObject({ kind: 'joined', eventId: match });
  await push('neds', 26, list([1.9, 2], 'n'));
  expect((await matchOf('rugby_union')).neds).toBe(match);
});

test('wrong joins are separated, in past matches too, each with its captures and closing lines; a second run finds nothing', async () => {
  const pair = { homeTeam: 'Brisbane Broncos', awayTeam: 'Sydney Roosters', competition: 'NRL' };
  const list = (prices: readonly [number, number], minutes: number) => [row('nrl', prices, pair, minutes)];
  await push('tab', 30, list([1.25, 4], START - 120));
  await push('sportsbet', 31, list([2.6, 1.5], START));
  await push('neds', 32, list([1.26, 3.9], START - 120));
  // As left by a release that joined by teams and day.
  await db.pool.query(
    `UPDATE sport_event_books SET competition = 'NRLW', placed_by = NULL WHERE bookmaker_key IN ('tab', 'neds') AND home_name = $1`,
    [pair.homeTeam],
  );
  await db.pool.query(
    `UPDATE sport_event_books SET placed_by = NULL WHERE bookmaker_key = 'sportsbet' AND home_name = $1`,
    [pair.homeTeam],
  );
  const { tab: women } = await matchOf('nrl');
  expect((await matchOf('nrl')).sportsbet).toBe(women);
  const legs = [{ bookmaker: 'sportsbet' }, { bookmaker: 'tab' }];
  await db.pool.query(`SELECT write_event('an arb of that release', 'arb.opportunity', NULL, NULL, $1, $2, 'nrl')`, [
    at(31),
    { event_id: women, edge_pct: 57.57, legs },
  ]);
  const later = at(START + 1440);
  let found: unknown;
  await crashedEverywhere(async (pool) => {
    found = await identity(pool).recheck(later);
  });
  const { tab, neds, sportsbet: men } = await matchOf('nrl');
  expect([tab, neds]).toEqual([women, women]);
  expect(men).not.toBe(women);
  expect(found).toMatchObject({
    parted: [{ from: women, to: men, bookmaker: 'sportsbet', because: 'other_competition' }],
    corrected: 1,
  });
  expect(await identity().recheck(later)).toMatchObject({ parted: [], corrected: 0 });
  const closed = await createReads(db.pool).closedMatches({
    sportKey: 'nrl',
    bookmakers: ['tab', 'sportsbet', 'neds'],
    from: at(0),
    until: later,
    offset: 0,
  });
  expect(
    closed.map(({ eventId, competition, quotes }) => [
      eventId,
      competition,
      quotes.map(({ bookmaker, home }) => [bookmaker, home]),
    ]),
  ).toEqual([
    [men, 'NRL', [['sportsbet', 2.6]]],
    [
      women,
      'NRLW',
      [
        ['neds', 1.26],
        ['tab', 1.25],
      ],
    ],
  ]);
});

test('a book without ids that moves a start by more than minutes is not listed twice; if prices cannot decide, it is reported', async () => {
  const pair = { homeTeam: 'Wigan', awayTeam: 'Leigh' };
  const list = (prices: readonly [number, number], minutes: number) => [row('super_league', prices, pair, minutes)];
  await push('tab', 40, list([1.4, 3], START));
  const { tab: match } = await matchOf('super_league');
  await push('tab', 41, list([1.4, 3], START + 90));
  expect(await matchOf('super_league')).toEqual({ tab: match });
  expect(await query('SELECT commence_time FROM sport_events WHERE event_id = $1', [match])).toEqual([
    { commence_time: at(START + 90) },
  ]);
  await push('tab', 42, list([1.45, 2.9], START + 180));
  const { tab: twin } = await matchOf('super_league');
  expect(twin).not.toBe(match);
  expect(await decisions({ bookmakerKey: 'tab', since: at(40) })).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ verdict: 'joined', because: 'moved', event_id: match }),
      expect.objectContaining({ verdict: 'probable_twin', because: 'moved', event_id: twin }),
    ]),
  );
  // The operator joins them.
  expect(await identity().join(match!, twin!, null, at(43))).toMatchObject({ kind: 'joined', eventId: match });
});
