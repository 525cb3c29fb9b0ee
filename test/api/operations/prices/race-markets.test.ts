import { createStores } from '../../../../src/store/create-stores';
import { expectConforms } from '../../../support/api/conforms';
import { EXCHANGE_PRICES, type Served, seedEverything, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedResult, feedRunner } from '../../../support/races/builders';

let served: Served;
let seeded: { next: string; final: string };
let key: string;
beforeAll(async () => {
  served = await serve();
  seeded = await seedEverything(served.db);
  key = await served.addKey({ plan: 'plus' });
});
afterAll(() => served.stop());

const request = (search: string, by = key) => served.api.get(`/v1/racing/markets?${search}`, by);
const get = async (search: string, by = key) => {
  const { status, body } = await request(search, by);
  expect(status).toBe(200);
  expectConforms('race_markets', body);
  return body;
};

test('every market per book and runner, with the best price and the age of every price', async () => {
  const body = await get(`race_id=${seeded.next}`);
  expect(body).toMatchObject({
    race: { race_id: seeded.next, venue: 'Flemington', race_number: 1, secs_to_jump: 600, status: 'upcoming' },
    as_of: '2026-11-21T03:00:00.000Z',
    markets: ['win', 'place', 'top2', 'top3', 'top4', 'exotics'],
    prices: 'current',
    data_age_seconds: 10,
    freshest_age_seconds: 10,
    scratchings: [{ number: 3, name: 'Late Mail', late: true }],
    exotics: { status: null, settled: false, dividends: [] },
    note: null,
  });
  expect(body.market_percentage).toBe(Math.round((100 / 6 + 100 / 2.9) * 100) / 100);
  const [first, second, ...others] = body.runners;
  expect(others).toEqual([]);
  const at = {
    last_update: '2026-11-21T02:59:50.000Z',
    age_seconds: 10,
    stale: false,
    refresh_tier: 'live',
    age_basis: 'poll',
  };
  const ladbrokes = { bookmaker: 'ladbrokes_au', ...at, source_url: 'https://ladbrokes.example/race/1' };
  const tab = { bookmaker: 'tab', ...at, source_url: null };
  expect(first).toMatchObject({ number: 1, name: 'Gold Trip (FR)', horse_ref: 'pe:goldtrip' });
  expect(first.markets.win).toEqual({
    best: { price: 6, ...tab },
    books_quoting: 2,
    price_spread_pct: 9.09,
    suspects: [],
    quotes: [
      { price: 6, ...tab },
      { price: 5.5, ...ladbrokes },
    ],
  });
  expect(first.markets.top4).toMatchObject({ best: { price: 1.9, bookmaker: 'ladbrokes_au' }, books_quoting: 2 });
  expect(second.markets.place).toEqual({
    best: null,
    books_quoting: 0,
    price_spread_pct: null,
    suspects: [],
    quotes: [],
  });
  expect(body.bookmakers).toEqual([
    { runners_priced: { win: 2, place: 1, top2: 1, top3: 1, top4: 1 }, ...ladbrokes },
    { runners_priced: { win: 2, place: 1, top2: 1, top3: 1, top4: 1 }, ...tab },
  ]);
});

test('only the requested markets and books', async () => {
  const body = await get(`race_id=${seeded.next}&markets=place,WIN&bookmakers=ladbrokes_au`);
  expect(body.markets).toEqual(['win', 'place']);
  expect(body).not.toHaveProperty('exotics');
  expect(Object.keys(body.runners[0].markets)).toEqual(['win', 'place']);
  expect(body.bookmakers).toMatchObject([{ bookmaker: 'ladbrokes_au', runners_priced: { win: 2, place: 1 } }]);
  const exotics = await get(`race_id=${seeded.next}&markets=exotics`);
  expect(exotics).toMatchObject({ market_percentage: null, data_age_seconds: null, bookmakers: [] });
  expect(exotics.runners.map((runner: { markets: object }) => runner.markets)).toEqual([{}, {}]);
});

test('a placeholder is shown, but never the best', async () => {
  const quote = (win: number) => ({ runners: [feedRunner(1, { win })] });
  const books = { ladbrokes_au: quote(5), neds: quote(5.5), tab: quote(6), unibet: quote(101) };
  const { raceId } = await addRace(served.db.pool, { raceNumber: 8, startTime: '2026-11-21T04:00:00.000Z' }, books);
  const [{ markets }] = (await get(`race_id=${raceId}`)).runners;
  expect(markets.win).toMatchObject({
    best: { price: 6, bookmaker: 'tab' },
    books_quoting: 4,
    price_spread_pct: 20,
    suspects: [{ bookmaker: 'unibet', price: 101, consensus: 5.5 }],
  });
  expect(markets.win.quotes[0]).toMatchObject({ price: 101, bookmaker: 'unibet' });
});

test('a race off the board has the last stored prices, none of them called live, and its settled exotics', async () => {
  const body = await get('venue=FLEMINGTON&meeting_date=2026-11-21&race_number=3');
  expect(body).toMatchObject({
    race: { race_id: seeded.final, status: 'off_board' },
    prices: 'last_held',
    exotics: {
      status: 'final',
      settled: true,
      settled_at: '2026-11-21T01:30:00.000Z',
      dividends: [{ code: 'QN', type: 'Quinella', product: 'VIC', selection: '1,2', amount: 8.4 }],
    },
    note: expect.stringContaining('last ones stored'),
  });
  expect(body.runners[0].markets.win.quotes).toMatchObject([
    { bookmaker: 'ladbrokes_au', price: 5.5, age_seconds: 7200, stale: true, refresh_tier: null },
  ]);
  expect(JSON.stringify(body)).not.toContain('"live"');
});

test('interim dividends are shown as such, and an abandoned race has none', async () => {
  const byNumber = (number: number) => get(`venue=Flemington&meeting_date=2026-11-21&race_number=${number}`);
  expect((await byNumber(4)).exotics).toMatchObject({
    status: 'interim',
    settled: false,
    settled_at: null,
    dividends: [{ code: 'QN' }],
  });
  await addRace(served.db.pool, { raceNumber: 9, startTime: '2026-11-21T05:00:00.000Z' }, { tab: {} });
  const upcoming = (await byNumber(9)).race.race_id;
  await createStores(served.db.pool).results.abandon(upcoming, 'abandoned', 'tab', '2026-11-21T02:00:00.000Z');
  const abandoned = await byNumber(9);
  expect(abandoned).toMatchObject({
    race: { status: 'abandoned' },
    prices: 'last_held',
    exotics: { status: 'abandoned', settled: false, status_note: 'abandoned', dividends: [] },
  });
  expect(abandoned.bookmakers).toMatchObject([{ stale: true, refresh_tier: null }]);
});

test('the reason an interim result is delayed reads as in results, even if no book gives one', async () => {
  const { results } = createStores(served.db.pool);
  const startTime = '2026-11-21T02:10:00.000Z';
  const { raceId } = await addRace(served.db.pool, { raceNumber: 12, startTime }, { tab: {} });
  for (const [note, statusNote] of [
    ['protest: second against first', 'protest: second against first'],
    [null, 'protest'],
  ] as const) {
    const result = feedResult({ protest: true, note });
    await results.saveResult({ raceId, source: 'tab', result, at: `2026-11-21T02:1${note ? 5 : 6}:00.000Z` });
    const { exotics } = await get(`race_id=${raceId}&markets=exotics`);
    expect(exotics).toMatchObject({ status: 'interim', settled: false, status_note: statusNote });
  }
});

test('a result that became final after its interim dividends were corrected has the corrected ones', async () => {
  const stores = createStores(served.db.pool);
  const { raceId } = await addRace(
    served.db.pool,
    { raceNumber: 10, startTime: '2026-11-21T02:00:00.000Z' },
    { tab: {} },
  );
  const declared = (amount: number) =>
    feedResult({ exotics: [{ code: 'EX' as const, product: 'VIC', selection: '1,2', amount }] });
  const exotics = async () => (await get(`race_id=${raceId}&markets=exotics`)).exotics;
  await stores.results.saveResult({ raceId, source: 'tab', result: declared(12), at: '2026-11-21T02:05:00.000Z' });
  expect(await exotics()).toMatchObject({ settled: false, dividends: [{ amount: 12 }] });
  await stores.results.saveResult({ raceId, source: 'tab', result: declared(14), at: '2026-11-21T02:06:00.000Z' });
  await stores.results.finalise(raceId, '2026-11-21T02:40:00.000Z');
  expect(await exotics()).toMatchObject({
    settled: true,
    settled_at: '2026-11-21T02:40:00.000Z',
    dividends: [{ type: 'Exacta', amount: 14 }],
  });
});

test('past its start a race has jumped: its prices are the last that each book showed', async () => {
  await addRace(served.db.pool, { raceNumber: 11, startTime: '2026-11-21T02:59:59.000Z' }, { tab: {} });
  const body = await get('venue=Flemington&meeting_date=2026-11-21&race_number=11');
  expect(body).toMatchObject({ race: { status: 'jumped', secs_to_jump: -1 }, prices: 'last_held' });
  expect(body.bookmakers).toMatchObject([{ stale: false, refresh_tier: 'live' }]);
  expect(body.note).toContain('has jumped');
});

test('an unknown race is a free 404; two races with the name are a free 409 with both', async () => {
  const gone = await request('race_id=0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10');
  expect([gone.status, gone.body.code]).toEqual([404, 'not_found']);
  for (const category of ['harness', 'greyhound'] as const) {
    await addRace(served.db.pool, { venue: 'Bendigo', category }, { tab: {} });
  }
  const both = await request('venue=bendigo&meeting_date=2026-11-21&race_number=1');
  expect([both.status, both.body.code]).toEqual([409, 'race_ambiguous']);
  expect(both.body.candidates).toHaveLength(2);
});

test('Plus and above, and Standard keys issued before 2026-09-20', async () => {
  const withKey = async (plan: string, issuedAt = '2026-10-01T00:00:00.000Z') =>
    request(`race_id=${seeded.next}`, await served.addKey({ plan, issuedAt }));
  for (const plan of ['free', 'hobby', 'standard']) {
    const { status, body } = await withKey(plan);
    expect([status, body.code, body.required_plan]).toEqual([403, 'plan_required', 'plus']);
  }
  for (const plan of ['plus', 'growth', 'business']) expect((await withKey(plan)).status).toBe(200);
  expect((await withKey('standard', '2026-09-19T23:59:59.000Z')).status).toBe(200);
  expect((await withKey('standard', '2026-09-20T00:00:00.000Z')).status).toBe(403);
  expect((await withKey('hobby', '2026-09-19T23:59:59.000Z')).status).toBe(403);
});

test.each([
  ['markets=win,quaddie', 'markets'],
  ['markets=', 'markets'],
  ['bookmakers=betfair_ex_au', 'bookmakers'],
  ['venue=', 'venue'],
])('%s is a free 422', async (search, parameter) => {
  const { status, body } = await request(`race_id=${seeded.next}&${search}`);
  expect([status, body.errors[0].parameter]).toEqual([422, parameter]);
});

test('an exchange is never among the books; an operator sees it', async () => {
  const { text } = await request(`race_id=${seeded.next}`);
  for (const trace of [...EXCHANGE_PRICES.map(String), 'betfair']) expect(text).not.toContain(trace);
  const operator = await served.addKey({ role: 'internal', plan: 'enterprise' });
  expect((await get(`race_id=${seeded.next}`, operator)).bookmakers[0].bookmaker).toBe('betfair_ex_au');
});
