// POST /v1/ingest/sports/{bookmaker_key}: which prices a push stores, withdraws and announces.
import { ArbOpportunityEvent } from '../../../../src/api/operations/events/other-events-schema';
import { createReads } from '../../../../src/store/reads/reads';
import { h2h, match, spreads, totals } from '../../../support/sports/push';
import { at, pushedSports } from './pushed-sports';

const lab = pushedSports();
const { push, send, rows, ticksOf } = lab;

test('prices are stored when they change and withdrawn when they are no longer listed, and a replay changes nothing', async () => {
  const names = { home_team: 'Geelong Cats', away_team: 'Hawthorn Hawks', sport_key: 'afl' };
  const lines = [h2h('Geelong Cats', 'Hawthorn', [1.5, 2.6]), totals(170.5, [1.9, 1.95])];
  expect(await push('tab', [match([], { ...names, markets: lines })], at(1))).toEqual({
    ok: true,
    bookmaker_key: 'tab',
    replayed: false,
    events_ingested: 1,
    markets_changed: 2,
    markets_taken_back: 0,
    observed_at_applied: at(1),
    refused: [],
    dropped: {},
  });
  expect(await push('tab', [match([], { ...names, markets: lines })], at(2))).toMatchObject({ markets_changed: 0 });
  expect(await push('tab', [match([9, 9], names)], at(2))).toMatchObject({
    replayed: true,
    events_ingested: 0,
    markets_changed: 0,
    observed_at_applied: at(2),
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

test('a push that only takes back says whether it did: a replayed one names the stored push, and is counted once', async () => {
  const names = { home_team: 'Port Adelaide Power', away_team: 'Sydney Swans', sport_key: 'afl' };
  await push('betr_au', [match([1.5, 2.6], names)], at(3));
  const counted = () =>
    rows("SELECT count FROM connector_counts WHERE connector = 'betr_au' AND reason = 'sports_replayed'");
  for (const [second, count] of [
    [2, 1],
    [3, 2],
  ] as const) {
    expect(await push('betr_au', [], at(second))).toMatchObject({
      replayed: true,
      markets_taken_back: 0,
      observed_at_applied: at(3),
      refused: [],
    });
    expect(await counted()).toEqual([{ count }]);
  }
  expect(await push('betr_au', [], at(4))).toMatchObject({
    replayed: false,
    markets_taken_back: 1,
    observed_at_applied: at(4),
    refused: [],
  });
  expect(await counted()).toEqual([{ count: 2 }]);
});

test('an invalid market is dropped, and the others of the push are stored', async () => {
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

test('every line of a market is stored, 40 with the main one, until it is no longer listed', async () => {
  const names = { sport_key: 'nba', home_team: 'Miami Heat', away_team: 'Orlando Magic' };
  const ladder = (points: readonly number[]) => ({
    market_type: 'alternate_totals',
    selections: points.flatMap((point) => totals(point, [1.9, 1.9]).selections),
  });
  const main = totals(210.5, [1.9, 1.95]);
  const many = Array.from({ length: 45 }, (_, i) => 200.5 + i);
  // Its main line is also among the alternates, at the price of an alternate.
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

test('moves more than a month old are deleted with the next push of their book', async () => {
  const past = (back: number): string => new Date(Date.parse(at(0)) - back * 86_400_000).toISOString().slice(0, 10);
  await rows(`INSERT INTO sport_moves SELECT book, 'nrl', d::date, 5, 1
    FROM unnest(ARRAY['pointsbetau', 'neds']) book, unnest(ARRAY['${past(30)}', '${past(31)}', '${past(400)}']) d`);
  await push('pointsbetau', [match([1.9, 2])], at(0));
  const left = (book: string) =>
    rows(`SELECT day FROM sport_moves WHERE bookmaker_key = '${book}' AND day <= '${past(30)}' ORDER BY day`);
  expect(await left('pointsbetau')).toEqual([{ day: past(30) }]);
  expect(await left('neds')).toEqual([400, 31, 30].map((back) => ({ day: past(back) })));
});

test('an arb is announced once, in the transaction of its prices; stale prices make none (D31, D59)', async () => {
  const events = () =>
    rows(
      "SELECT category, occurred_at, facts FROM events WHERE kind = 'arb.opportunity' AND facts ->> 'sport' = 'nba' ORDER BY written",
    );
  const names = { sport_key: 'nba', home_team: 'Chicago Bulls', away_team: 'Utah Jazz' };
  const list = (prices: readonly [number, number], point: number, sides: readonly [number, number]) =>
    match([], { ...names, markets: [h2h('Bulls', 'Jazz', prices), spreads('Bulls', 'Jazz', point, sides)] });
  lab.served.api.now = Date.parse('2026-11-21T03:30:00.000Z');
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
  lab.served.api.now += 60_000;
  await push('ladbrokes_au', [list([1.8, 1.91], -3.5, [1.8, 2.16])]);
  expect(await events()).toHaveLength(2);
  lab.served.api.now += 1_800_000;
  await push('ladbrokes_au', [list([1.8, 1.95], -3.5, [1.8, 2.2])]);
  expect(await events()).toHaveLength(2);
  await push('sportsbet', [list([2.12, 1.75], -2.5, [1.9, 1.9])]);
  expect(await events()).toHaveLength(4);
});

test('a market keeps the source’s own time when repeated; a time ahead is refused or replaced by the time of observation', async () => {
  const names = { sport_key: 'afl', home_team: 'GWS Giants', away_team: 'West Coast Eagles' };
  lab.served.api.now = Date.parse('2026-11-21T07:00:00.000Z');
  const nowMs = lab.served.api.now;
  const [line, total] = [h2h('GWS Giants', 'West Coast', [1.5, 2.6]), totals(170.5, [1.9, 1.95])];
  const pushed = (last_update: unknown, observedAt?: string) =>
    push('tab', [match([], { ...names, markets: [{ ...line, last_update }, total] })], observedAt);
  const read = async () => {
    const reads = createReads(lab.served.db.pool);
    const matches = await reads.matches({ sportKey: 'afl', after: new Date(nowMs).toISOString() });
    const [book] = matches.find(({ books }) => books[0]!.homeName === 'GWS Giants')!.books;
    return [book!.observedAtMs - nowMs, ...book!.markets.map(({ sourceUpdatedAtMs }) => sourceUpdatedAtMs)];
  };
  const old = '2026-11-20T16:00:00.123Z';
  await pushed(old);
  expect(await read()).toEqual([0, Date.parse(old), null]);
  lab.served.api.now = nowMs + 20_000;
  expect(await pushed('2026-11-21T02:00:00.123+10:00')).toMatchObject({ markets_changed: 0 });
  expect(await read()).toEqual([20_000, Date.parse(old), null]);
  // Within the tolerance of clocks, and later than the observation.
  await pushed(new Date(nowMs + 25_000).toISOString(), new Date(nowMs + 20_001).toISOString());
  expect(await read()).toEqual([20_001, nowMs + 20_001, null]);
  const late = { ...line, last_update: new Date(nowMs + 25_001).toISOString() };
  const refused = await send({ bookmaker_key: 'tab', events: [match([], { ...names, markets: [total, late] })] });
  expect([refused.status, refused.body.errors]).toMatchObject([422, [{ pointer: '/events/0/markets/1/last_update' }]]);
  lab.served.api.now = nowMs + 21_000;
  await pushed(null);
  expect(await read()).toEqual([21_000, null, null]);
});
