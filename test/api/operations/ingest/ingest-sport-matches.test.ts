// POST /v1/ingest/sports/{bookmaker_key}: which match a row joins, when that match starts, and which rows and pushes
// are refused.
import { until } from '../../../support/races/stream-lab';
import { untilBlocked } from '../../../support/servers/lock-waiters';
import { h2h, match, spreads, totals } from '../../../support/sports/push';
import { at, pushedSports } from './pushed-sports';

const lab = pushedSports();
const { push, send, rows, ticksOf, eventsOf, hold, letGo } = lab;
/** Of a test in which pushes wait for a lock: one that waits in vain is no reason to wait ten minutes. */
const MOST_MS = 120_000;

test('books join one match, even one that lists the teams in the other order, without touching another book’s prices', async () => {
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

test('two simultaneous pushes of one new match create it once', async () => {
  const fresh = match([1.8, 2.1], { home_team: 'Parramatta Eels', away_team: 'Canberra Raiders' });
  await Promise.all(['neds', 'unibet', 'playup'].map((book) => push(book, [fresh], at(1))));
  expect(await eventsOf('Parramatta Eels')).toHaveLength(1);
  expect(await ticksOf('Parramatta Eels')).toHaveLength(3);
});

test(
  'pushes that wait for another process’s push share one connection',
  async () => {
    const { pool } = lab.served.db;
    const holder = await hold();
    const pushes = ['neds', 'unibet', 'playup'].map((book) => push(book, [], at(2)));
    await untilBlocked(pool, holder);
    const waiting = await pool.query("SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event = 'advisory'");
    expect(waiting.rows).toEqual([{ n: 1 }]);
    await letGo(holder);
    expect(await Promise.all(pushes)).toMatchObject([{ replayed: false }, { replayed: false }, { replayed: false }]);
  },
  MOST_MS,
);

test(
  'while the database stands still the newest push of a book waits; others are refused, counted and not written',
  async () => {
    const { pool } = lab.served.db;
    const holder = await hold();
    const pushOf = (home: string, observed_at: string, book = 'sportsbet') => {
      const events = [match([1.8, 2.1], { sport_key: 'afl', home_team: home, away_team: 'Gws' })];
      return send({ bookmaker_key: book, observed_at, events }, { book });
    };
    const writing = pushOf('Carlton', at(1));
    await untilBlocked(pool, holder);
    // The newer one waits, whichever comes first.
    const others = [pushOf('Hawthorn', at(2)), pushOf('Essendon', at(1))];
    const refused = await Promise.race(others);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([409, null]);
    expect(refused.body).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('newer waits'),
    });
    expect(refused.body.retryable).not.toBe(true);
    const ofOther = pushOf('Carlton', at(1), 'pointsbetau');
    await letGo(holder);
    const answers = await Promise.all([writing, ...others, ofOther]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409]);
    const stored = await rows(
      `SELECT e.home_team AS home, b.bookmaker_key AS book FROM sport_event_books b JOIN sport_events e USING (event_id)
      WHERE e.home_team LIKE ANY ('{Carlton%,Essendon%,Hawthorn%}') ORDER BY 1, 2`,
    );
    expect(stored.map(({ home, book }) => `${home.split(' ')[0]} ${book}`)).toEqual([
      'Carlton pointsbetau',
      'Carlton sportsbet',
      'Hawthorn sportsbet',
    ]);
    const counted = "SELECT connector, count FROM connector_counts WHERE reason = 'sports_push_waiting'";
    expect(await rows(counted)).toEqual([{ connector: 'sportsbet', count: 1 }]);
  },
  MOST_MS,
);

test(
  'a push whose client leaves while it waits is never written, and leaves its place in the queue',
  async () => {
    const { pool } = lab.served.db;
    const holder = await hold();
    const writing = push('sportsbet', [], at(3));
    await untilBlocked(pool, holder);
    const leaving = new AbortController();
    const events = [match([1.8, 2.1], { sport_key: 'afl', home_team: 'Geelong', away_team: 'Gws' })];
    const gone = fetch(`${lab.served.api.url}/v1/ingest/sports/tab`, {
      ...{ method: 'POST', signal: leaving.signal, body: JSON.stringify({ bookmaker_key: 'tab', events }) },
      headers: { 'X-API-Key': lab.operator, 'Content-Type': 'application/json' },
    });
    // By when these are answered or wait, it does.
    const next = push('neds', [], at(3));
    await lab.served.api.get('/v1/sports', lab.operator, { Connection: 'close' });
    leaving.abort();
    await expect(gone).rejects.toThrow('abort');
    const { api } = lab.served;
    await until(async () => (await api.connections()) <= 2);
    await letGo(holder);
    expect(await Promise.all([writing, next])).toMatchObject([{ replayed: false }, { replayed: false }]);
    expect(await rows("SELECT FROM sport_events WHERE home_team LIKE 'Geelong%' AND away_team LIKE '%Gws%'")).toEqual(
      [],
    );
    expect(
      await rows(
        "SELECT FROM sport_event_books b JOIN sport_events e USING (event_id) WHERE home_team LIKE 'Geelong%'",
      ),
    ).toEqual([]);
  },
  MOST_MS,
);

test('a match starts when most books list its start; after it no price is stored and the stored ones are kept', async () => {
  const names = { competition: 'NRL', home_team: 'Wests Tigers', away_team: 'Dolphins' };
  const start = (commence_time: string) => match([1.8, 2.1], { source_id: 'w1', ...names, commence_time });
  await push('dabble_au', [start('2026-11-21T03:10:00.000Z')], at(1));
  await push('betright', [start('2026-11-21T04:00:00.000Z')], at(1));
  const startOf = async () => (await eventsOf('Wests Tigers'))[0]!.commence_time;
  expect(await startOf()).toBe('2026-11-21T03:10:00.000Z');
  await push('palmerbet', [start('2026-11-21T04:00:00.000Z')], at(1));
  expect(await startOf()).toBe('2026-11-21T04:00:00.000Z');

  lab.served.api.now = Date.parse('2026-11-21T04:01:00.000Z');
  expect(await push('betright', [start('2026-11-21T04:00:00.000Z')])).toMatchObject({
    events_ingested: 0,
    refused: [{ index: 0, source_id: 'w1', reason: 'started' }],
  });
  expect(await push('palmerbet', [])).toMatchObject({ markets_taken_back: 0 });
  expect(await ticksOf('Wests Tigers')).toHaveLength(3);
  // Postponed by hours, by the book's own id.
  lab.served.api.now += 60_000;
  await push('dabble_au', [start('2026-11-21T03:10:00.000Z')]);
  await push('betright', [start('2026-11-21T07:00:00.000Z')]);
  expect(await startOf()).toBe('2026-11-21T03:10:00.000Z');
  // Without an id the start that another book lists is followed.
  await push('tabtouch', [{ ...start('2026-11-21T07:05:00.000Z'), source_id: null }]);
  expect(await eventsOf('Wests Tigers')).toHaveLength(1);
  lab.served.api.now += 60_000;
  await push('dabble_au', [start('2026-11-21T07:00:00.000Z')]);
  expect(await startOf()).toBe('2026-11-21T07:00:00.000Z');
  expect(await push('palmerbet', [start('2026-11-21T07:00:00.000Z')])).toMatchObject({ events_ingested: 1 });
  // The id of a match that has started, on another day: another match, and the first keeps its start and its closing
  // prices (D66).
  lab.served.api.now = Date.parse('2026-11-21T07:30:00.000Z');
  await push('betright', [start('2026-11-22T04:00:00.000Z')]);
  expect((await eventsOf('Wests Tigers')).map((one) => one.commence_time).sort()).toEqual([
    '2026-11-21T07:00:00.000Z',
    '2026-11-22T04:00:00.000Z',
  ]);
  lab.served.api.now = Date.parse('2026-11-21T03:00:00.000Z');
});

test('a silent book no longer counts for the start, and a book’s own start closes the match for that book', async () => {
  const names = { sport_key: 'afl', competition: 'AFL', home_team: 'Essendon Bombers', away_team: 'Carlton Blues' };
  const start = (minutes: number) =>
    match([1.8, 2.1], {
      ...names,
      source_id: 'e1',
      commence_time: new Date(Date.parse('2026-11-21T05:00:00.000Z') + minutes * 60_000).toISOString(),
    });
  const startOf = async () => (await eventsOf('Essendon Bombers'))[0]!.commence_time;
  lab.served.api.now = Date.parse('2026-11-21T04:30:00.000Z');
  for (const book of ['betr_au', 'tab', 'neds']) await push(book, [start(0)]);
  // The last two are silent from here on, and count until their prices are stale.
  lab.served.api.now = Date.parse('2026-11-21T05:00:00.000Z');
  expect(await push('betr_au', [start(60)])).toMatchObject({ events_ingested: 0 });
  expect(await startOf()).toBe('2026-11-21T05:00:00.000Z');
  lab.served.api.now += 1000;
  expect(await push('betr_au', [start(60)])).toMatchObject({ events_ingested: 1 });
  expect(await startOf()).toBe('2026-11-21T06:00:00.000Z');
  lab.served.api.now = Date.parse('2026-11-21T05:01:00.000Z');
  for (const book of ['unibet', 'playup']) await push(book, [start(60)]);
  const body = await push('betr_au', [start(1)]);
  expect(body).toMatchObject({ events_ingested: 0, markets_taken_back: 1, refused: [{ reason: 'started' }] });
  expect(await startOf()).toBe('2026-11-21T06:00:00.000Z');
  lab.served.api.now = Date.parse('2026-11-21T03:00:00.000Z');
});

test('a match that started before it was listed, however long ago, is refused alone, in every push', async () => {
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

test('a player listed by family name first is shown with the given name first', async () => {
  const names = { sport_key: 'tennis_atp', home_team: 'Sarkady, Owen', away_team: 'Bruno Tal' };
  await push('betgold', [match([1.9, 1.9], names)], at(8));
  expect(await rows("SELECT home_team, away_team FROM sport_events WHERE sport_key = 'tennis_atp'")).toEqual([
    { home_team: 'Owen Sarkady', away_team: 'Bruno Tal' },
  ]);
});

test('an unreadable row is refused or dropped alone, named and counted', async () => {
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

test('a push without a valid body is refused as a whole, with every error at its place', async () => {
  const before = await rows('SELECT count(*) FROM sport_pushes');
  const customer = await lab.served.addKey({ plan: 'scale' });
  const pusher = await lab.served.addKey({ role: 'pusher', bookmakerKey: 'boostbet' });
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

test('women’s and men’s teams of two clubs, two hours apart in one sport, are two matches without an arb (D66)', async () => {
  const names = { home_team: 'Cronulla Sharks', away_team: 'Manly Sea Eagles' };
  const women = { ...names, source_id: 'c-w', competition: 'NRLW', commence_time: '2026-11-21T08:00:00.000Z' };
  const men = { ...names, source_id: 'c-m', competition: 'NRL', commence_time: '2026-11-21T10:00:00.000Z' };
  lab.served.api.now = Date.parse('2026-11-21T07:00:00.000Z');
  await push('ladbrokes_au', [match([1.25, 4], women)]);
  await push('boostbet', [match([2.6, 1.5], men)]);
  const both = [match([1.26, 3.9], women), match([2.55, 1.5], men)];
  expect(await push('betdeluxe', both)).toMatchObject({ events_ingested: 2, refused: [] });
  const { body } = await lab.served.api.get('/v1/best-odds/nrl', lab.operator);
  const matches = body.filter((one: { home_team: string }) => one.home_team.startsWith('Cronulla'));
  expect(matches).toHaveLength(2);
  for (const one of matches) expect(one).toMatchObject({ arb_exists: false });
  const { body: arbs } = await lab.served.api.get('/v1/arb/sports?sport_key=nrl', lab.operator);
  const ofBoth = arbs.filter((one: { home_team: string }) => one.home_team.startsWith('Cronulla'));
  expect(ofBoth.map(({ is_arb, arb_pct }: { is_arb: boolean; arb_pct: number }) => [is_arb, arb_pct])).toEqual([
    [false, 0],
    [false, 0],
  ]);
  const { body: shown } = await lab.served.api.get('/v1/sports/nrl/odds?competition=NRLW', lab.operator);
  const ofWomen = JSON.stringify(shown);
  expect([/:1[.]25\b/.test(ofWomen), /:2[.](?:6|55)\b/.test(ofWomen)]).toEqual([true, false]);
  expect(await push('betgold', [match([4, 1.25], { ...women, source_id: null })])).toMatchObject({
    refused: [{ reason: 'prices_disagree' }],
  });
});
