// The sandbox's samples of sports.
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedField } from '../../../support/races/builders';
import { match, pusherOf } from '../../../support/sports/push';

let served: Served;
beforeAll(async () => {
  served = await serve();
  const push = pusherOf(served, await served.addKey({ role: 'internal', plan: 'enterprise' }));
  const game = (home_team: string, away_team: string, minutes: number, prices = [1.9, 1.9]) =>
    match(prices, { home_team, away_team, commence_time: new Date(served.api.now + minutes * 60_000).toISOString() });
  await push('tab', [
    game('Broncos', 'Storm', 1),
    game('Eels', 'Penrith', 30, [2.1, 1.8]),
    game('Sharks', 'Knights', 40),
    game('Titans', 'Dolphins', 50),
    match([1.5, 2.5], { sport_key: 'tennis_atp', home_team: 'Jannik Sinner', away_team: 'Alcaraz, Carlos' }),
  ]);
  await push('ladbrokes_au', [game('Eels', 'Panthers', 30, [1.85, 2.05])]);
});
afterAll(() => served.stop());

const get = async (path: string, operationId: string) => {
  const { status, body, headers } = await served.api.get(path);
  expect([status, body.detail]).toEqual([200, undefined]);
  expect([...headers.keys()].filter((name) => /^x-(credits|ratelimit)/.test(name))).toEqual([]);
  expectConforms(operationId, body);
  return body;
};
const homes = (rows: { home_team: string }[]) => rows.map(({ home_team }) => home_team);

test('best odds: three matches of the sport that most books price, without a key', async () => {
  const body = await get('/v1/demo/best-odds', 'demo_best_odds');
  expect(body).toMatchObject({ demo: true, cached: false, truncated: true, sport: 'nrl' });
  expect(homes(body.events)).toEqual(['Brisbane Broncos', 'Parramatta Eels', 'Cronulla Sharks']);
  expect(body.events[1]).toMatchObject({
    arb_exists: true,
    arb_profit_pct: 3.73,
    selections: [
      { name: 'Parramatta Eels', best_price: 2.1, best_bookmaker: 'tab', last_update: '2026-11-21T03:00:00.000Z' },
      { name: 'Penrith Panthers', best_price: 2.05, best_bookmaker: 'ladbrokes_au' },
    ],
  });
  expect(await get('/v1/demo/best-odds?sport=tennis-atp', 'demo_best_odds')).toMatchObject({
    sport: 'tennis_atp',
    truncated: false,
    events: [{ away_team: 'Carlos Alcaraz', arb_exists: false }],
  });
  expect(await get('/v1/demo/best-odds?sport=nba', 'demo_best_odds')).toMatchObject({ sport: 'nba', events: [] });
});

test('book-sport: one book’s prices, under the sandbox’s names', async () => {
  const body = await get('/v1/demo/book-sport?book=ladbrokes&sport=nrl', 'demo_book_sport');
  expect(body).toMatchObject({
    book: 'ladbrokes_au',
    sport: 'nrl',
    type: 'sports',
    has_data: true,
    truncated: false,
    items: [
      {
        home_team: 'Parramatta Eels',
        prices: [
          { name: 'Eels', price: 1.85 },
          { name: 'Panthers', price: 2.05 },
        ],
      },
    ],
  });
  expect(await get('/v1/demo/book-sport?book=neds&sport=nrl', 'demo_book_sport')).toMatchObject({
    has_data: false,
    items: [],
  });
});

test('book-sport: win prices of the next races of a code', async () => {
  const books = { tab: { runners: feedField(3.4, 5) } };
  for (const n of [1, 2, 3, 4])
    await addRace(served.db.pool, { raceNumber: n, startTime: `2026-11-21T03:${n}0:00.000Z` }, books);
  const body = await get('/v1/demo/book-sport?book=tab&sport=horse-racing', 'demo_book_sport');
  expect(body).toMatchObject({ sport: 'horse-racing', type: 'racing', has_data: true, truncated: true });
  expect(body.items.map((one: Record<string, unknown>) => one.race_number)).toEqual([1, 2, 3]);
  expect(body.items[0]).toMatchObject({
    start_time: '2026-11-21T03:10:00.000Z',
    prices: [{ price: 3.4 }, { price: 5 }],
  });
  const none = await get('/v1/demo/book-sport?book=tab&sport=greyhound_racing', 'demo_book_sport');
  expect(none).toMatchObject({ sport: 'greyhound-racing', type: 'racing', has_data: false, items: [] });
});

test('a sample is shared for a while, but contains no match after its start', async () => {
  served.api.now += 44_000;
  expect(await get('/v1/demo/best-odds', 'demo_best_odds')).toMatchObject({ cached: true });
  await get('/v1/demo/book-sport?book=tab&sport=nrl', 'demo_book_sport');
  served.api.now += 17_000;
  const { items, cached } = await get('/v1/demo/book-sport?book=tab&sport=nrl', 'demo_book_sport');
  expect([cached, homes(items)]).toEqual([true, ['Parramatta Eels', 'Cronulla Sharks']]);
});

test.each([
  ['best-odds?sport=horse-racing', 'tennis-atp'],
  ['book-sport?book=nobody&sport=nrl', 'ladbrokes'],
  ['book-sport?book=tab&sport=cricket', 'cricket-test'],
  ['book-sport?book=tab&sport=racing', 'greyhound-racing'],
  ['book-sport?book=tab', 'sport'],
])('%s is a 422 that names what is valid', async (path, text) => {
  const { status, body } = await served.api.get(`/v1/demo/${path}`);
  expect([status, body.detail]).toEqual([422, expect.stringContaining(text)]);
});
