// The arbitrage operations over one server.
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { h2h, match, type Push, pusherOf, spreads, totals } from '../../../support/sports/push';

let served: Served;
let key: string;
let push: Push;
const BRONCOS = { home_team: 'Broncos', away_team: 'Storm' };
const EELS = { home_team: 'Eels', away_team: 'Panthers', commence_time: '2026-11-21T07:00:00.000Z' };
const ARSENAL = { sport_key: 'soccer_epl', home_team: 'Arsenal', away_team: 'Chelsea' };

/** The last of these is a misprint. */
const LAKERS = { sport_key: 'nba', home_team: 'Lakers', away_team: 'Celtics' };
const OF_LAKERS = { tab: [1.9, 1.9], neds: [1.92, 1.88], unibet: [1.88, 1.92], playup: [19, 1.01] };
const lakers = (book: keyof typeof OF_LAKERS) => match(OF_LAKERS[book], LAKERS);

const list = (point: number, prices: readonly number[], sides: readonly [number, number]) =>
  match([], {
    ...BRONCOS,
    markets: [h2h('Broncos', 'Storm', prices), spreads('Broncos', 'Storm', point, sides), totals(40.5, [1.9, 1.9])],
  });

beforeAll(async () => {
  served = await serve();
  key = await served.addKey({ plan: 'free' });
  push = pusherOf(served, await served.addKey({ role: 'internal', plan: 'enterprise' }));
  await push('tab', [
    list(-2.5, [2.12, 1.75], [2.02, 1.8]),
    match([1.9, 1.9], EELS),
    match([2.6, 2.6, 3.4], ARSENAL),
    lakers('tab'),
  ]);
  await push('neds', [
    list(-3.5, [1.8, 1.91], [1.8, 2]),
    match([1.95, 1.85], EELS),
    match([2.2, 2.9, 3.2], ARSENAL),
    lakers('neds'),
  ]);
  // Two outcomes in a sport with three: another bet.
  await push('unibet', [match([2.9, 2.9], ARSENAL), lakers('unibet')]);
  // It joins with prices that agree, and misprints them after.
  await push('playup', [match([1.9, 1.91], LAKERS)], new Date(served.api.now - 1000).toISOString());
  await push('playup', [lakers('playup')]);
});
afterAll(() => served.stop());

async function get(path: string, operationId: string) {
  const answer = await served.api.get(path, key);
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  expectConforms(operationId, answer.body);
  return answer.body;
}

test('arbs come first, with exact stakes; without the draw there are none', async () => {
  const body = await get('/v1/arb/sports', 'sports_arb');
  expect(body.map((one: { home_team: string; is_arb: boolean }) => [one.home_team, one.is_arb])).toEqual([
    ['Brisbane Broncos', true],
    ['Parramatta Eels', false],
    ['Arsenal', false],
    ['Los Angeles Lakers', false],
  ]);
  expect(body[0]).toMatchObject({
    sport_key: 'nrl',
    arb_pct: 0.47,
    max_overlay_pct: 8.16,
    data_age_seconds: 0,
    optimal_stakes: [
      { name: 'Brisbane Broncos', bookmaker: 'tab', price: 2.12, stake: 47.3945, profit_if_wins: 0.47 },
      { name: 'Melbourne Storm', bookmaker: 'neds', price: 1.91, stake: 52.6055, profit_if_wins: 0.47 },
    ],
  });
  expect(body[1]).toMatchObject({ arb_pct: 0, optimal_stakes: [] });
  expect(
    body[2].selections.map(({ name, all_prices }: { name: string; all_prices: unknown[] }) => [
      name,
      all_prices.length,
    ]),
  ).toEqual([
    ['Arsenal', 2],
    ['Chelsea', 2],
    ['Draw', 2],
  ]);
  expect(await get('/v1/arb/sports?min_profit_pct=0.4&sport_key=nrl', 'sports_arb')).toHaveLength(1);
  expect(await get('/v1/arb/sports?min_profit_pct=0.48', 'sports_arb')).toEqual([]);
});

test('lines: arbs that are middles, and the best comparison of the others', async () => {
  const body = await get('/v1/arb/lines?sport_key=nrl', 'lines_arb');
  expect(body.map((one: { market_type: string }) => one.market_type)).toEqual(['spreads', 'totals']);
  expect(body[0].opportunities).toEqual([
    expect.objectContaining({
      side_a: expect.objectContaining({ name: 'Brisbane Broncos', point: -2.5, price: 2.02, bookmaker: 'tab' }),
      side_b: expect.objectContaining({ name: 'Melbourne Storm', point: 3.5, price: 2, bookmaker: 'neds' }),
      is_arb: true,
      is_middle: true,
      arb_pct: 0.49,
      optimal_stakes: [
        { name: 'Brisbane Broncos', point: -2.5, bookmaker: 'tab', stake: 49.7512, profit_if_wins: 0.49 },
        { name: 'Melbourne Storm', point: 3.5, bookmaker: 'neds', stake: 50.2488, profit_if_wins: 0.49 },
      ],
    }),
  ]);
  expect(body[1].opportunities).toMatchObject([{ is_arb: false, is_middle: false, arb_pct: 0, optimal_stakes: [] }]);
  const arbs = await get('/v1/arb/lines?min_profit_pct=0.1', 'lines_arb');
  expect(arbs.map((one: { market_type: string }) => one.market_type)).toEqual(['spreads']);
});

test('best prices: best, worst, mean and spread of each selection, for nrl unless another sport is named', async () => {
  const body = await get('/v1/arb/best-prices', 'best_prices');
  expect(body[0].selections[0]).toMatchObject({
    name: 'Parramatta Eels',
    best_price: 1.95,
    best_bookmaker: 'neds',
    worst_price: 1.9,
    avg_price: 1.93,
    price_spread: 0.05,
    overlay_pct: 1.3,
  });
  expect(await get('/v1/arb/best-prices?sport_key=afl', 'best_prices')).toEqual([]);
});

test('a misprint is shown as suspect: it is never best, and is in no mean and no arb', async () => {
  const [{ selections, ...match }] = await get('/v1/arb/sports?sport_key=nba', 'sports_arb');
  expect(match).toMatchObject({ is_arb: false, arb_pct: 0, max_overlay_pct: 1.05 });
  expect(selections[0]).toMatchObject({ best_price: 1.92, best_bookmaker: 'neds', avg_price: 1.9 });
  const shown = selections[0].all_prices.map((one: Record<string, unknown>) => [one.bookmaker, one.price, one.suspect]);
  expect(shown).toEqual([
    ['neds', 1.92, false],
    ['tab', 1.9, false],
    ['unibet', 1.88, false],
    ['playup', 19, true],
  ]);
  const [best] = await get('/v1/best-odds/nba', 'best_odds');
  expect(best).toMatchObject({ arb_exists: false, selections: [{ best_price: 1.92 }, { best_price: 1.92 }] });
  const [prices] = await get('/v1/arb/best-prices?sport_key=nba', 'best_prices');
  expect(prices.selections[0]).toMatchObject({ best_price: 1.92, worst_price: 1.88, price_spread: 0.04 });
});

test('a mistake of one book is shown with its reason, and makes no arb, no middle and no event (F2)', async () => {
  const later = (seconds: number) => new Date(served.api.now - 60_000 + seconds * 1000).toISOString();
  const wnba = { sport_key: 'wnba', home_team: 'Las Vegas Aces', away_team: 'New York Liberty' };
  const afl = { sport_key: 'afl', home_team: 'Carlton Blues', away_team: 'Richmond Tigers' };
  const of = (prices: readonly number[], point: number, total: number) => [
    match(prices, wnba),
    match([], {
      ...afl,
      markets: [spreads('Carlton', 'Richmond', point, [1.9, 1.9]), totals(total, [1.9, 1.9])],
    }),
  ];
  await push('betr_au', of([1.25, 4], -14.5, 165.5), later(1));
  await push('betright', of([1.26, 3.9], -14.5, 165.5), later(1));
  await push('palmerbet', of([1.27, 3.8], -14.5, 165.5), later(1));
  await push('palmerbet', of([4, 1.25], 14.5, 16.5), later(2));
  const [one] = await get('/v1/arb/sports?sport_key=wnba', 'sports_arb');
  expect(one).toMatchObject({ is_arb: false, arb_pct: 0, suspect_reason: 'sides_exchanged', confidence: null });
  const [home] = one.selections;
  expect(home).toMatchObject({
    best_price: 1.26,
    all_prices: [{}, {}, { suspect: true, suspect_reason: 'sides_exchanged' }],
  });
  expect(await get('/v1/best-odds/wnba', 'best_odds')).toMatchObject([{ arb_exists: false, arb_profit_pct: 0 }]);
  const lines = await get('/v1/arb/lines?sport_key=afl', 'lines_arb');
  const found = lines.map((row: { market_type: string; opportunities: { [name: string]: unknown }[] }) => [
    row.market_type,
    row.opportunities.some((pair) => pair.is_arb || pair.is_middle),
    row.opportunities.at(-1)!.suspect_reason,
  ]);
  expect(found).toEqual([
    ['spreads', false, 'sign_turned'],
    ['totals', false, 'far_from_own_history'],
  ]);
  const { rows } = await served.db.pool.query("SELECT facts FROM events WHERE facts ->> 'sport' IN ('afl', 'wnba')");
  expect(rows).toEqual([]);
});

test('alternates count in lines, and every opportunity has its confidence with the components', async () => {
  const nhl = { sport_key: 'nhl', home_team: 'Boston Bruins', away_team: 'New York Rangers' };
  const other = { ...totals(6.5, [2.35, 1.62]), market_type: 'alternate_totals' };
  const of = (main: object, ...more: object[]) => [match([], { ...nhl, markets: [main, ...more] })];
  const at = new Date(served.api.now - 30_000).toISOString();
  await push('betr_au', of(totals(5.5, [1.72, 2.1]), other), at);
  await push('betright', of(totals(6.5, [2.25, 1.78])), at);
  const [row] = await get('/v1/arb/lines?sport_key=nhl&min_profit_pct=0.5', 'lines_arb');
  expect(row.opportunities).toMatchObject([
    {
      side_a: { point: 6.5, price: 2.35, bookmaker: 'betr_au' },
      side_b: { point: 6.5, price: 1.78, bookmaker: 'betright' },
      arb_pct: 1.28,
      suspect_reason: null,
      confidence_parts: {
        books: 2,
        legs: [
          { bookmaker: 'betr_au', age_seconds: 30, moved_share: expect.any(Number) },
          { bookmaker: 'betright', age_seconds: 30 },
        ],
      },
    },
  ]);
  const { score, legs } = {
    score: row.opportunities[0].confidence,
    legs: row.opportunities[0].confidence_parts.legs as { distance: number; moved_share: number }[],
  };
  const worst = (of: (leg: (typeof legs)[number]) => number) => Math.max(...legs.map(of));
  const formula =
    0.5 * (1 - 30 / 3600) * (1 - worst((leg) => leg.distance) / 0.2) * (1 - worst((leg) => leg.moved_share));
  // Both are rounded to hundredths.
  expect(Math.abs(score - formula)).toBeLessThan(0.011);
});

test('a leg is as old as its source states: a push that repeats an old time does not refresh it', async () => {
  const mlb = { sport_key: 'mlb', home_team: 'Boston Red Sox', away_team: 'Chicago Cubs' };
  const of = (prices: readonly number[], last_update?: string) => [
    match([], {
      ...mlb,
      markets: [{ ...h2h('Boston Red Sox', 'Chicago Cubs', prices), ...(last_update && { last_update }) }],
    }),
  ];
  const ago = (seconds: number) => new Date(served.api.now - seconds * 1000).toISOString();
  await push('betdeluxe', of([2.12, 1.75], ago(1500)), ago(20));
  await push('betgold', of([1.8, 1.92]), ago(20));
  const read = async () => (await get('/v1/arb/sports?sport_key=mlb', 'sports_arb'))[0];
  expect(await read()).toMatchObject({
    is_arb: true,
    data_age_seconds: 1500,
    confidence_parts: { legs: [{ bookmaker: 'betdeluxe', age_seconds: 1500 }, { age_seconds: 20 }] },
  });
  await push('betdeluxe', of([2.12, 1.75], ago(1801)), ago(10));
  served.api.now += 31_000;
  expect(await read()).toMatchObject({ is_arb: false, stale_bookmakers: ['betdeluxe'] });
  served.api.now -= 31_000;
});

test('a stale price makes no arb, but is still compared', async () => {
  served.api.now += 1700 * 1000;
  await push('neds', [list(-3.5, [1.8, 1.91], [1.8, 2])]);
  served.api.now += 120 * 1000;
  const [, one] = await get('/v1/arb/sports?sport_key=nrl', 'sports_arb');
  expect(one).toMatchObject({
    is_arb: false,
    stale: true,
    stale_bookmakers: ['tab'],
    selections: [{ best_price: 2.12 }, {}],
  });
  const [spread] = await get('/v1/arb/lines?sport_key=nrl', 'lines_arb');
  expect(spread.opportunities).toMatchObject([{ is_arb: false, is_middle: false, side_a: { stale: true } }]);
  expect(await get('/v1/arb/sports?sport_key=nrl&maxAgeMinutes=30', 'sports_arb')).toMatchObject([
    { selections: [{ best_price: 1.8 }, { best_price: 1.91 }] },
  ]);
});

test.each([
  ['/v1/arb/sports?sport_key=horse-racing', 'tennis_atp'],
  ['/v1/arb/lines?min_profit_pct=-1', 'min_profit_pct'],
  ['/v1/arb/best-prices?maxAgeMinutes=1441', '1440'],
  ['/v1/arb/sports?regions=au', 'regions'],
])('%s is a free 422', async (path, text) => {
  const answer = await served.api.get(path, key);
  expect([answer.status, answer.body.detail]).toEqual([422, expect.stringContaining(text)]);
});
