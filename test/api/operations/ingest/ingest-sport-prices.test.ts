// POST /v1/ingest/sports/{bookmaker_key}: what a push stores, takes back and refuses.
import { ArbOpportunityEvent } from '../../../../src/api/operations/events/other-events-schema';
import { createStores } from '../../../../src/store/create-stores';
import { createReads } from '../../../../src/store/reads/reads';
import { type Served, serve } from '../../../support/api/served';
import { untilBlocked } from '../../../support/servers/lock-waiters';
import { h2h, match, type Push, pusherOf, spreads, totals } from '../../../support/sports/push';

let served: Served;
let operator: string;
let push: Push;
beforeAll(async () => {
  served = await serve();
  operator = await served.addKey({ role: 'internal', plan: 'enterprise' });
  push = pusherOf(served, operator);
});
afterAll(() => served.stop());

/** Every test has teams of its own; the last digit of an instant is its second. */
const at = (second: number): string => `2026-11-21T02:59:0${second}.000Z`;
const rows = async (text: string, values: unknown[] = []) => (await served.db.pool.query(text, values)).rows;
const ticksOf = (home: string) =>
  rows(
    `SELECT to_char(t.captured_at, 'SS')::int AS at, t.bookmaker_key AS book, t.market, t.home_price AS home, t.away_price AS away, t.home_point AS point
       FROM sport_ticks t JOIN sport_events e USING (event_id) WHERE e.home_team = $1 ORDER BY t.captured_at, book, market`,
    [home],
  );
const eventsOf = (home: string) =>
  rows('SELECT canonical_event_id, commence_time, competition FROM sport_events WHERE home_team = $1 ORDER BY 1', [
    home,
  ]);
const send = (body: unknown, { book = 'tab', key = operator } = {}) =>
  served.api.send('POST', `/v1/ingest/sports/${book}`, {
    key,
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

test('prices are written when they change, taken back when they are no longer listed, and a replay changes nothing', async () => {
  const names = { home_team: 'Geelong Cats', away_team: 'Hawthorn Hawks', sport_key: 'afl' };
  const lines = [h2h('Geelong Cats', 'Hawthorn', [1.5, 2.6]), totals(170.5, [1.9, 1.95])];
  expect(await push('tab', [match([], { ...names, markets: lines })], at(1))).toEqual({
    ok: true,
    bookmaker_key: 'tab',
    events_ingested: 1,
    markets_changed: 2,
    markets_taken_back: 0,
    observed_at_applied: at(1),
    refused: [],
    dropped: {},
  });
  expect(await push('tab', [match([], { ...names, markets: lines })], at(2))).toMatchObject({ markets_changed: 0 });
  expect(await push('tab', [match([9, 9], names)], at(2))).toMatchObject({
    events_ingested: 0,
    markets_changed: 0,
    refused: [{ index: 0, source_id: null, reason: 'replayed' }],
  });
  const moved = [h2h('Geelong', 'Hawthorn', [1.45, 2.75])];
  expect(await push('tab', [match([], { ...names, markets: moved })], at(3))).toMatchObject({
    markets_changed: 2,
    markets_taken_back: 1,
  });
  expect(await push('tab', [], at(4))).toMatchObject({ events_ingested: 0, markets_changed: 1, markets_taken_back: 1 });
  expect(await push('tab', [], at(5))).toMatchObject({ markets_changed: 0 });
  const book = 'tab';
  expect(await ticksOf('Geelong Cats')).toEqual([
    { at: 1, book, market: 'h2h', home: 1.5, away: 2.6, point: null },
    { at: 1, book, market: 'totals', home: 1.9, away: 1.95, point: 170.5 },
    { at: 3, book, market: 'h2h', home: 1.45, away: 2.75, point: null },
    { at: 3, book, market: 'totals', home: null, away: null, point: null },
    { at: 4, book, market: 'h2h', home: null, away: null, point: null },
  ]);
});

test('books meet in one match, also one that lists the teams the other way round; nothing of another book is touched', async () => {
  const lines = [h2h('Roosters', 'Panthers', [2.2, 1.7]), spreads('Roosters', 'Panthers', 3.5, [1.9, 1.92])];
  await push('tab', [match([], { home_team: 'Sydney Roosters', away_team: 'Penrith', markets: lines })], at(6));
  const turned = [
    h2h('Penrith Panthers', 'Roosters', [1.72, 2.15]),
    spreads('Penrith Panthers', 'Roosters', -4.5, [2, 1.8]),
  ];
  const listed = {
    home_team: 'Penrith Panthers',
    away_team: 'Roosters',
    competition: 'NRL Premiership',
    markets: turned,
  };
  await push('betr_au', [match([], { ...listed, commence_time: '2026-11-21T09:05:00.000Z' })], at(1));
  expect(await eventsOf('Sydney Roosters')).toEqual([
    {
      canonical_event_id: 'nrl:sydney-roosters:penrith-panthers:2026-11-21',
      commence_time: '2026-11-21T09:00:00.000Z',
      competition: 'NRL Premiership',
    },
  ]);
  expect((await ticksOf('Sydney Roosters')).filter(({ book }) => book === 'betr_au')).toEqual([
    { at: 1, book: 'betr_au', market: 'h2h', home: 2.15, away: 1.72, point: null },
    { at: 1, book: 'betr_au', market: 'spreads', home: 1.8, away: 2, point: 4.5 },
  ]);
});

test('two books that push one new match at the same moment create it once', async () => {
  const fresh = match([1.8, 2.1], { home_team: 'Parramatta Eels', away_team: 'Canberra Raiders' });
  await Promise.all(['neds', 'unibet', 'playup'].map((book) => push(book, [fresh], at(1))));
  expect(await eventsOf('Parramatta Eels')).toHaveLength(1);
  expect(await ticksOf('Parramatta Eels')).toHaveLength(3);
});

test('pushes that wait for another process’s push take one connection together', async () => {
  const { pool } = served.db;
  const { sportIngest } = createStores(pool);
  const holder = await pool.connect();
  try {
    await holder.query('SELECT pg_advisory_lock(77)');
    const pushes = ['neds', 'unibet', 'playup'].map((bookmakerKey) =>
      sportIngest.push({ bookmakerKey, observedAt: at(2), events: [] }, at(2)),
    );
    await untilBlocked(pool, holder);
    expect([pool.totalCount - pool.idleCount, pool.waitingCount]).toEqual([2, 0]);
    await holder.query('SELECT pg_advisory_unlock(77)');
    expect(await Promise.all(pushes)).toMatchObject([{ replayed: false }, { replayed: false }, { replayed: false }]);
  } finally {
    holder.release(true);
  }
});

test('the start is the one that most books list; after it no price is stored, and what stood stays', async () => {
  const names = { competition: 'NRL', home_team: 'Wests Tigers', away_team: 'Dolphins' };
  const start = (commence_time: string) => match([1.8, 2.1], { source_id: 'w1', ...names, commence_time });
  await push('dabble_au', [start('2026-11-21T03:10:00.000Z')], at(1));
  await push('betright', [start('2026-11-21T04:00:00.000Z')], at(1));
  const startOf = async () => (await eventsOf('Wests Tigers'))[0]!.commence_time;
  expect(await startOf()).toBe('2026-11-21T03:10:00.000Z');
  await push('palmerbet', [start('2026-11-21T04:00:00.000Z')], at(1));
  expect(await startOf()).toBe('2026-11-21T04:00:00.000Z');

  served.api.now = Date.parse('2026-11-21T04:01:00.000Z');
  expect(await push('betright', [start('2026-11-21T04:00:00.000Z')])).toMatchObject({
    events_ingested: 0,
    refused: [{ index: 0, source_id: 'w1', reason: 'started' }],
  });
  expect(await push('palmerbet', [])).toMatchObject({ markets_taken_back: 0 });
  expect(await ticksOf('Wests Tigers')).toHaveLength(3);
  // Postponed by hours, by the book's own id.
  served.api.now += 60_000;
  await push('dabble_au', [start('2026-11-21T03:10:00.000Z')]);
  await push('betright', [start('2026-11-21T07:00:00.000Z')]);
  expect(await startOf()).toBe('2026-11-21T03:10:00.000Z');
  // Without an id the start that another book lists is followed.
  await push('tabtouch', [{ ...start('2026-11-21T07:05:00.000Z'), source_id: null }]);
  expect(await eventsOf('Wests Tigers')).toHaveLength(1);
  served.api.now += 60_000;
  await push('dabble_au', [start('2026-11-21T07:00:00.000Z')]);
  expect(await startOf()).toBe('2026-11-21T07:00:00.000Z');
  expect(await push('palmerbet', [start('2026-11-21T07:00:00.000Z')])).toMatchObject({ events_ingested: 1 });
  // The id of a match that has started, on another day: another match, and the first keeps its start and its closing
  // prices (D66).
  served.api.now = Date.parse('2026-11-21T07:30:00.000Z');
  await push('betright', [start('2026-11-22T04:00:00.000Z')]);
  expect((await eventsOf('Wests Tigers')).map((one) => one.commence_time).sort()).toEqual([
    '2026-11-21T07:00:00.000Z',
    '2026-11-22T04:00:00.000Z',
  ]);
  served.api.now = Date.parse('2026-11-21T03:00:00.000Z');
});

test('books that are silent do not keep a start; a book’s own start closes it for the book', async () => {
  const names = { sport_key: 'afl', competition: 'AFL', home_team: 'Essendon Bombers', away_team: 'Carlton Blues' };
  const start = (minutes: number) =>
    match([1.8, 2.1], {
      ...names,
      source_id: 'e1',
      commence_time: new Date(Date.parse('2026-11-21T05:00:00.000Z') + minutes * 60_000).toISOString(),
    });
  const startOf = async () => (await eventsOf('Essendon Bombers'))[0]!.commence_time;
  served.api.now = Date.parse('2026-11-21T04:30:00.000Z');
  for (const book of ['betr_au', 'tab', 'neds']) await push(book, [start(0)]);
  // The last two are silent from here on, and count until their prices are stale.
  served.api.now = Date.parse('2026-11-21T05:00:00.000Z');
  expect(await push('betr_au', [start(60)])).toMatchObject({ events_ingested: 0 });
  expect(await startOf()).toBe('2026-11-21T05:00:00.000Z');
  served.api.now += 1000;
  expect(await push('betr_au', [start(60)])).toMatchObject({ events_ingested: 1 });
  expect(await startOf()).toBe('2026-11-21T06:00:00.000Z');
  served.api.now = Date.parse('2026-11-21T05:01:00.000Z');
  for (const book of ['unibet', 'playup']) await push(book, [start(60)]);
  const body = await push('betr_au', [start(1)]);
  expect(body).toMatchObject({ events_ingested: 0, markets_taken_back: 1, refused: [{ reason: 'started' }] });
  expect(await startOf()).toBe('2026-11-21T06:00:00.000Z');
  served.api.now = Date.parse('2026-11-21T03:00:00.000Z');
});

test('a match that started before it was listed, however long ago, is refused alone, by every push', async () => {
  const names = { sport_key: 'afl', home_team: 'Fremantle Dockers', away_team: 'Sydney Swans' };
  const past = (commence_time: string) => match([2, 2], { ...names, commence_time });
  const list = [past('0001-01-01T00:00:00Z'), past('2026-10-01T09:00:00Z'), match([1.9, 1.9], names)];
  for (const second of [2, 3])
    expect(await push('betgold', list, at(second))).toMatchObject({
      events_ingested: 1,
      refused: [
        { index: 0, reason: 'started' },
        { index: 1, reason: 'started' },
      ],
    });
  expect(await eventsOf('Fremantle Dockers')).toHaveLength(1);
});

test('an odd market is dropped, and the others of the push are stored', async () => {
  const names = { sport_key: 'afl', home_team: 'Richmond Tigers', away_team: 'Melbourne Demons' };
  const [home, away] = h2h('Richmond', 'Melbourne', [1.9, 2]).selections;
  const markets = [
    { selections: [home, away, { name: 'Draw', price: 0 }] },
    { market_type: 'spreads', selections: [{ name: 'Richmond', price: 1.9, point: -4.5 }] },
    totals(160.5, [1.9, 1.9]),
    { ...totals(161.5, [2, 1.8]), selections: [...totals(161.5, [2, 1.8]).selections, home, away] },
  ];
  expect(await push('boostbet', [match([], { ...names, markets })], at(1))).toMatchObject({
    events_ingested: 1,
    markets_changed: 1,
    dropped: { h2h_draw_not_priced: 1, spreads_missing_side: 1, alternate_totals_unknown_selection: 1 },
  });
  expect(await ticksOf('Richmond Tigers')).toMatchObject([{ market: 'totals', point: 160.5 }]);
});

test('a price outside 1.01 to 1001 is dropped and counted; both ends are prices (D23, D66)', async () => {
  const names = { sport_key: 'afl', home_team: 'Richmond Tigers', away_team: 'Adelaide Crows' };
  const list = (prices: readonly number[]) => match([], { ...names, markets: [h2h('Richmond', 'Adelaide', prices)] });
  for (const [second, prices] of [
    [2, [1_000_000, 1.01]],
    [3, [1.001, 34]],
  ] as const)
    expect(await push('boostbet', [list(prices)], at(second))).toMatchObject({
      events_ingested: 1,
      dropped: { h2h_price_out_of_range: 1 },
    });
  expect((await push('boostbet', [list([1001, 1.01])], at(4))).dropped).toEqual({});
  const stored = (await ticksOf('Richmond Tigers')).filter(({ market }) => market === 'h2h');
  expect(stored.map(({ home, away }) => [home, away])).toEqual([
    [null, 1.01],
    [null, 34],
    [1001, 1.01],
  ]);
});

test('every line of a market is stored, 40 with the main one; what is listed no longer goes', async () => {
  const names = { sport_key: 'nba', home_team: 'Miami Heat', away_team: 'Orlando Magic' };
  const ladder = (points: readonly number[]) => ({
    market_type: 'alternate_totals',
    selections: points.flatMap((point) => totals(point, [1.9, 1.9]).selections),
  });
  const main = totals(210.5, [1.9, 1.95]);
  const many = Array.from({ length: 45 }, (_, i) => 200.5 + i);
  // Its main line stands among the alternates too, at the price of an alternate.
  const first = await push('betdeluxe', [match([], { ...names, markets: [main, ladder(many)] })], at(5));
  expect(first).toMatchObject({
    markets_changed: 1,
    dropped: { alternate_totals_repeated: 1, alternate_totals_too_many: 5 },
  });
  const lines = () =>
    rows(
      `SELECT l.market, l.point, l.home_price AS home FROM sport_lines l JOIN sport_events e USING (event_id)
        WHERE e.home_team = 'Miami Heat' ORDER BY 1, 2`,
    );
  expect((await lines()).map(({ point }) => point)).toEqual(many.filter((point) => point !== 210.5).slice(0, 39));
  const spreadLines = [spreads('Heat', 'Magic', -3.5, [1.9, 1.9]), spreads('Heat', 'Magic', -1.5, [1.7, 2.1])];
  // The other way round, and without a main total: the most even of its lines is it.
  const turned = { ...names, home_team: 'Orlando Magic', away_team: 'Heat' };
  const odd = [totals(212.5, [1.7, 2.1]), totals(213.5, [1.95, 1.85])].map((one) => ({
    ...one,
    market_type: 'alternate_totals',
  }));
  await push('betdeluxe', [match([], { ...turned, markets: [...spreadLines, ...odd] })], at(6));
  expect(await lines()).toEqual([
    { market: 'alternate_spreads', point: -1.5, home: 1.7 },
    { market: 'alternate_totals', point: 212.5, home: 1.7 },
  ]);
  expect((await ticksOf('Miami Heat')).filter((one) => one.at === 6)).toMatchObject([
    { market: 'spreads', point: -3.5 },
    { market: 'totals', point: 213.5 },
  ]);
  await push('betdeluxe', [], at(7));
  expect(await lines()).toEqual([]);
});

test('a player whom a book lists by the family name is shown with the given name first', async () => {
  const names = { sport_key: 'tennis_atp', home_team: 'Sarkady, Owen', away_team: 'Bruno Tal' };
  await push('betgold', [match([1.9, 1.9], names)], at(8));
  expect(await rows("SELECT home_team, away_team FROM sport_events WHERE sport_key = 'tennis_atp'")).toEqual([
    { home_team: 'Owen Sarkady', away_team: 'Bruno Tal' },
  ]);
});

test('prices that move or vanish within ten minutes are counted for the book and the sport', async () => {
  const names = { sport_key: 'cricket_other', home_team: 'Perth Scorchers', away_team: 'Hobart Hurricanes' };
  const list = (minute: number, events: readonly object[]) =>
    push('sportsbet', events, new Date(Date.parse(at(0)) - (25 - minute) * 60_000).toISOString());
  const one = (home: number) => [match([home, 1.9], names)];
  // Moved after 5 minutes, stood for 11, vanished after 2.
  for (const [minute, events] of [
    [0, one(1.9)],
    [5, one(1.8)],
    [10, one(1.8)],
    [16, one(1.85)],
    [18, []],
  ] as const)
    await list(minute, events);
  expect(await rows("SELECT offered, moved FROM sport_moves WHERE bookmaker_key = 'sportsbet'")).toEqual([
    { offered: 3, moved: 2 },
  ]);
});

test('moves of more than a month ago go with the next push of their book', async () => {
  const past = (back: number): string => new Date(Date.parse(at(0)) - back * 86_400_000).toISOString().slice(0, 10);
  await rows(`INSERT INTO sport_moves SELECT book, 'nrl', d::date, 5, 1
    FROM unnest(ARRAY['pointsbetau', 'neds']) book, unnest(ARRAY['${past(30)}', '${past(31)}', '${past(400)}']) d`);
  await push('pointsbetau', [match([1.9, 2])], at(0));
  const left = (book: string) =>
    rows(`SELECT day FROM sport_moves WHERE bookmaker_key = '${book}' AND day <= '${past(30)}' ORDER BY day`);
  expect(await left('pointsbetau')).toEqual([{ day: past(30) }]);
  expect(await left('neds')).toEqual([400, 31, 30].map((back) => ({ day: past(back) })));
});

test('what cannot be read is refused or dropped alone, named and counted', async () => {
  const good = { home_team: 'Dolphins', away_team: 'Gold Coast Titans' };
  const odd = [h2h('Dolphins', 'Titans', [1, 3]), { ...totals(40.5, [2, 2]), market_type: 'spreads' }];
  const body = await push('pointsbetau', [
    match([], { ...good, markets: [...odd, h2h('Dolphins', 'Titans', [5, 5])] }),
    match([2, 2], { home_team: 'Broncos', away_team: 'Brisbane', source_id: 'x' }),
    match([2, 2], { ...good, home_team: 'Gold Coast', away_team: 'Dolphins' }),
    match([2, 2], { commence_time: '2028-01-01T00:00:00.000Z' }),
    match([2, 2], { home_team: '=1+1' }),
    match([2, 2], { away_team: '@Storm' }),
    match([2, 2], { competition: '-NRL' }),
  ]);
  expect(body).toMatchObject({
    events_ingested: 1,
    refused: [
      { index: 1, source_id: 'x', reason: 'same_team' },
      { index: 2, source_id: null, reason: 'repeated' },
      { index: 3, source_id: null, reason: 'start_out_of_window' },
      ...[4, 5, 6].map((index) => ({ index, source_id: null, reason: 'name_is_formula' })),
    ],
    dropped: { h2h_not_a_price: 1, spreads_unknown_selection: 1, h2h_repeated: 1, h2h_repeated_selection: 1 },
  });
  const counted = await rows(
    "SELECT kind || ' ' || reason AS what FROM connector_counts WHERE connector = 'pointsbetau' ORDER BY 1",
  );
  expect(counted.map(({ what }) => what)).toEqual([
    'dropped sports_h2h_not_a_price',
    'dropped sports_h2h_repeated',
    'dropped sports_h2h_repeated_selection',
    'dropped sports_spreads_unknown_selection',
    'refused sports_name_is_formula',
    'refused sports_repeated',
    'refused sports_same_team',
    'refused sports_start_out_of_window',
  ]);
});

test('a push that is no push is refused as a whole, with every fault at its place', async () => {
  const before = await rows('SELECT count(*) FROM sport_pushes');
  const customer = await served.addKey({ plan: 'scale' });
  const pusher = await served.addKey({ role: 'pusher', bookmakerKey: 'boostbet' });
  const body = { bookmaker_key: 'sportsbet', events: [match()] };
  expect((await send(body, { key: customer })).status).toBe(403);
  expect((await send(body, { book: 'sportsbet', key: pusher })).status).toBe(403);
  expect(
    (await send({ ...body, events: [{ ...match(), sport_key: 'horse-racing', extra: 1 }, {}] })).body.errors,
  ).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ pointer: '/events/0/sport_key', detail: expect.stringContaining('afl') }),
      expect.objectContaining({ pointer: '/events/0/extra' }),
      expect.objectContaining({ pointer: '/events/1' }),
    ]),
  );
  const late = await send({ ...body, observed_at: '2026-11-21T02:20:00.000Z' });
  expect(late.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/bookmaker_key',
    '/observed_at',
  ]);
  for (const book of ['betfair_ex_au', 'pinnacle', 'ponybet', 'none'])
    expect((await send({ ...body, bookmaker_key: book }, { book })).body.errors[0].valid_values).toContain('sportsbet');
  const many = await send({ ...body, bookmaker_key: 'tab', events: Array.from({ length: 2001 }, () => ({})) });
  expect(many.body.errors).toEqual([{ pointer: '/events', detail: expect.stringContaining('the maximum is 2000') }]);
  const counted = await rows(
    "SELECT count FROM connector_counts WHERE reason = 'sports_push_refused' AND connector = 'tab'",
  );
  expect(counted).toEqual([{ count: 1 }]);
  expect(await rows('SELECT count(*) FROM sport_pushes')).toEqual(before);
});

test('an arb is announced once, in the transaction of the prices that make it; stale prices make none (D31, D59)', async () => {
  const events = () =>
    rows(
      "SELECT category, occurred_at, facts FROM events WHERE kind = 'arb.opportunity' AND facts ->> 'sport' = 'nba' ORDER BY written",
    );
  const names = { sport_key: 'nba', home_team: 'Chicago Bulls', away_team: 'Utah Jazz' };
  const list = (prices: readonly [number, number], point: number, sides: readonly [number, number]) =>
    match([], { ...names, markets: [h2h('Bulls', 'Jazz', prices), spreads('Bulls', 'Jazz', point, sides)] });
  served.api.now = Date.parse('2026-11-21T03:30:00.000Z');
  await push('sportsbet', [list([2.12, 1.75], -2.5, [1.9, 1.9])]);
  expect(await events()).toEqual([]);
  await push('ladbrokes_au', [list([1.8, 1.91], -3.5, [1.8, 2.16])]);
  const [one, lines, ...others] = await events();
  expect([one, others]).toEqual([
    {
      category: 'nba',
      occurred_at: '2026-11-21T03:30:00.000Z',
      facts: {
        sport: 'nba',
        event_name: 'Chicago Bulls v Utah Jazz',
        market_type: 'h2h',
        edge_pct: 0.47,
        confidence: expect.any(Number),
        event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        commence_time: '2026-11-21T09:00:00.000Z',
        legs: [
          { bookmaker: 'sportsbet', selection: 'Chicago Bulls', odds: 2.12 },
          { bookmaker: 'ladbrokes_au', selection: 'Utah Jazz', odds: 1.91 },
        ],
      },
    },
    [],
  ]);
  expect(lines!.facts).toMatchObject({
    market_type: 'spreads',
    edge_pct: 1.08,
    legs: [{ selection: 'Chicago Bulls -2.5' }, { selection: 'Utah Jazz +3.5' }],
  });
  const members = Object.keys(ArbOpportunityEvent.properties).filter(
    (name) => !['event', 'id', 'occurred_at', 'sequence'].includes(name),
  );
  expect(Object.keys(one!.facts).sort()).toEqual(members.sort());
  served.api.now += 60_000;
  await push('ladbrokes_au', [list([1.8, 1.91], -3.5, [1.8, 2.16])]);
  expect(await events()).toHaveLength(2);
  served.api.now += 1_800_000;
  await push('ladbrokes_au', [list([1.8, 1.95], -3.5, [1.8, 2.2])]);
  expect(await events()).toHaveLength(2);
  await push('sportsbet', [list([2.12, 1.75], -2.5, [1.9, 1.9])]);
  expect(await events()).toHaveLength(4);
});

test('a market keeps the source’s own time: repeated it is as old as before, and one ahead is refused or counts as the observation', async () => {
  const names = { sport_key: 'afl', home_team: 'GWS Giants', away_team: 'West Coast Eagles' };
  served.api.now = Date.parse('2026-11-21T07:00:00.000Z');
  const nowMs = served.api.now;
  const [line, total] = [h2h('GWS Giants', 'West Coast', [1.5, 2.6]), totals(170.5, [1.9, 1.95])];
  const pushed = (last_update: unknown, observedAt?: string) =>
    push('tab', [match([], { ...names, markets: [{ ...line, last_update }, total] })], observedAt);
  const read = async () => {
    const reads = createReads(served.db.pool);
    const matches = await reads.matches({ sportKey: 'afl', after: new Date(nowMs).toISOString() });
    const [book] = matches.find(({ books }) => books[0]!.homeName === 'GWS Giants')!.books;
    return [book!.observedAtMs - nowMs, ...book!.markets.map(({ sourceUpdatedAtMs }) => sourceUpdatedAtMs)];
  };
  const old = '2026-11-20T16:00:00.123Z';
  await pushed(old);
  expect(await read()).toEqual([0, Date.parse(old), null]);
  served.api.now = nowMs + 20_000;
  expect(await pushed('2026-11-21T02:00:00.123+10:00')).toMatchObject({ markets_changed: 0 });
  expect(await read()).toEqual([20_000, Date.parse(old), null]);
  // Within the tolerance of clocks, and later than the observation.
  await pushed(new Date(nowMs + 25_000).toISOString(), new Date(nowMs + 20_001).toISOString());
  expect(await read()).toEqual([20_001, nowMs + 20_001, null]);
  const late = { ...line, last_update: new Date(nowMs + 25_001).toISOString() };
  const refused = await send({ bookmaker_key: 'tab', events: [match([], { ...names, markets: [total, late] })] });
  expect([refused.status, refused.body.errors]).toMatchObject([422, [{ pointer: '/events/0/markets/1/last_update' }]]);
  served.api.now = nowMs + 21_000;
  await pushed(null);
  expect(await read()).toEqual([21_000, null, null]);
});

test('women and men of two clubs, two hours apart in one sport, are two matches without an arb (D66)', async () => {
  const names = { home_team: 'Cronulla Sharks', away_team: 'Manly Sea Eagles' };
  const women = { ...names, source_id: 'c-w', competition: 'NRLW', commence_time: '2026-11-21T08:00:00.000Z' };
  const men = { ...names, source_id: 'c-m', competition: 'NRL', commence_time: '2026-11-21T10:00:00.000Z' };
  served.api.now = Date.parse('2026-11-21T07:00:00.000Z');
  await push('ladbrokes_au', [match([1.25, 4], women)]);
  await push('boostbet', [match([2.6, 1.5], men)]);
  const both = [match([1.26, 3.9], women), match([2.55, 1.5], men)];
  expect(await push('betdeluxe', both)).toMatchObject({ events_ingested: 2, refused: [] });
  const { body } = await served.api.get('/v1/best-odds/nrl', operator);
  const matches = body.filter((one: { home_team: string }) => one.home_team.startsWith('Cronulla'));
  expect(matches).toHaveLength(2);
  for (const one of matches) expect(one).toMatchObject({ arb_exists: false });
  const { body: arbs } = await served.api.get('/v1/arb/sports?sport_key=nrl', operator);
  const ofBoth = arbs.filter((one: { home_team: string }) => one.home_team.startsWith('Cronulla'));
  expect(ofBoth.map(({ is_arb, arb_pct }: { is_arb: boolean; arb_pct: number }) => [is_arb, arb_pct])).toEqual([
    [false, 0],
    [false, 0],
  ]);
  const { body: shown } = await served.api.get('/v1/sports/nrl/odds?competition=NRLW', operator);
  const ofWomen = JSON.stringify(shown);
  expect([/:1[.]25\b/.test(ofWomen), /:2[.](?:6|55)\b/.test(ofWomen)]).toEqual([true, false]);
  expect(await push('betgold', [match([4, 1.25], { ...women, source_id: null })])).toMatchObject({
    refused: [{ reason: 'prices_disagree' }],
  });
});
