// The operations on sports over one server: list, odds and best odds.
import { randomUUID } from 'node:crypto';
import { createCharger } from '../../../../src/api/kernel/charging/charger';
import { createStores } from '../../../../src/store/create-stores';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { h2h, match, type Push, pusherOf, spreads, totals } from '../../../support/sports/push';

let served: Served;
let key: string;
let push: Push;

/** A step of the clock longer than rows are cached, so that a request sees earlier pushes. */
const later = (seconds = 31) => {
  served.api.now += seconds * 1000;
};

async function get(path: string, operationId: string) {
  const answer = await served.api.get(path, key);
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  expectConforms(operationId, answer.body);
  return answer;
}
const odds = async (search = '', sport = 'nrl') =>
  (await get(`/v1/sports/${sport}/odds?${search}`, 'get_sport_odds')).body;

beforeAll(async () => {
  const log = { error: () => undefined, warn: () => undefined };
  served = await serve(({ pool }) => ({ charger: createCharger(createStores(pool).credits, log) }));
  key = await served.addKey({ plan: 'free' });
  push = pusherOf(served, await served.addKey({ role: 'internal', plan: 'enterprise' }));
  const lines = [spreads('Broncos', 'Storm', -2.5, [1.95, 1.9]), totals(40.5, [1.88, 1.92])];
  await push('tab', [
    match([], { home_team: 'Broncos', away_team: 'Storm', markets: [h2h('Broncos', 'Storm', [1.8, 2.1]), ...lines] }),
    match([3.1, 2.4, 3.3], {
      sport_key: 'soccer_epl',
      home_team: 'Man City',
      away_team: 'Arsenal',
      competition: 'EPL',
      markets: [h2h('Man City', 'Arsenal', [2.4, 3.1, 3.4])],
    }),
    match([2, 1.8], {
      home_team: 'Parramatta',
      away_team: 'Penrith',
      competition: 'NRL',
      commence_time: '2026-11-21T03:05:00.000Z',
    }),
  ]);
  later();
  await push('sportsbet', [match([2.06, 1.85], { home_team: 'Melbourne Storm', away_team: 'Brisbane Broncos' })]);
  later();
});
afterAll(() => served.stop());

test('every sport is listed, with the quality of its rows', async () => {
  const { body } = await get('/v1/sports', 'list_sports');
  expect(body).toHaveLength(20);
  expect(body.find((one: { key: string }) => one.key === 'nrl')).toEqual({
    key: 'nrl',
    title: 'NRL',
    group: 'Rugby League',
    active: true,
    cached: false,
    cache_age_seconds: 0,
    data_quality: { score: 100, status: 'ok', source_count: 3, bookmaker_count: 2 },
  });
  expect(body.find((one: { key: string }) => one.key === 'nba')).toMatchObject({ active: false, data_quality: null });
});

test('a match has every book’s prices under the book’s spelling of the teams, with one home side, each with its time', async () => {
  const [eels, one] = await odds();
  expect(eels).toMatchObject({ home_team: 'Parramatta Eels', competition: 'NRL', bookmakers: [{ key: 'tab' }] });
  expect(one).toMatchObject({
    canonical_event_id: 'nrl:brisbane-broncos:melbourne-storm:2026-11-21',
    sport_key: 'nrl',
    sport_title: 'NRL',
    home_team: 'Brisbane Broncos',
    away_team: 'Melbourne Storm',
    competition: null,
    odds_format: 'decimal',
    commence_time: '2026-11-21T09:00:00.000Z',
    fetched_at: '2026-11-21T03:00:31.000Z',
    data_age_seconds: 62,
    freshest_age_seconds: 31,
    stale: false,
    stale_bookmakers: [],
    data_quality: { score: 100, status: 'ok', source_count: 2, bookmaker_count: 2 },
  });
  const quality = { score: 100, status: 'ok', issues: [], source_count: 2, stale_after_seconds: 1800 };
  expect(one.bookmakers).toEqual([
    {
      key: 'sportsbet',
      title: 'Sportsbet',
      last_update: '2026-11-21T03:00:31.000Z',
      age_seconds: 31,
      stale: false,
      quality: { ...quality, age_seconds: 31 },
      markets: [
        {
          key: 'h2h',
          quality: { ...quality, age_seconds: 31 },
          outcomes: [
            { name: 'Brisbane Broncos', price: 1.85 },
            { name: 'Melbourne Storm', price: 2.06 },
          ],
        },
      ],
    },
    expect.objectContaining({
      key: 'tab',
      age_seconds: 62,
      markets: [
        expect.objectContaining({
          outcomes: [
            { name: 'Broncos', price: 1.8 },
            { name: 'Storm', price: 2.1 },
          ],
        }),
      ],
    }),
  ]);
});

test('markets, books, format, age and competition filter; each distinct market costs a credit', async () => {
  const answer = await get('/v1/sports/nrl/odds?markets=totals,spreads,TOTALS&oddsFormat=american', 'get_sport_odds');
  expect(answer.headers.get('x-credits-cost')).toBe('2');
  expect(answer.body.map((one: { bookmakers: unknown[] }) => one.bookmakers.length)).toEqual([1]);
  const [{ markets }] = answer.body[0].bookmakers;
  expect(markets.map((one: { key: string; outcomes: unknown }) => [one.key, one.outcomes])).toEqual([
    [
      'spreads',
      [
        { name: 'Broncos', price: -105, point: -2.5 },
        { name: 'Storm', price: -111, point: 2.5 },
      ],
    ],
    [
      'totals',
      [
        { name: 'Over', price: -114, point: 40.5 },
        { name: 'Under', price: -109, point: 40.5 },
      ],
    ],
  ]);
  expect((await odds('bookmakers=sportsbet,ponybet'))[0].bookmakers).toHaveLength(1);
  const homes = async (search: string) => (await odds(search)).map((one: { home_team: string }) => one.home_team);
  expect(await homes('competition=nrl')).toEqual(['Parramatta Eels', 'Brisbane Broncos']);
  expect(await homes('competition=NRL&include_unknown_competition=false')).toEqual(['Parramatta Eels']);
  const [draw] = await odds('', 'soccer_epl');
  expect(draw.bookmakers[0].markets[0].outcomes).toEqual([
    { name: 'Man City', price: 2.4 },
    { name: 'Arsenal', price: 3.1 },
    { name: 'Draw', price: 3.4 },
  ]);
});

test('matches by start and by id, and one match alone', async () => {
  const [eels, broncos] = await odds();
  const ids = async (search: string) => (await odds(search)).map(({ id }: { id: string }) => id);
  expect(await ids(`commence_time_from=${broncos.commence_time}`)).toEqual([broncos.id]);
  expect(await ids(`commence_time_to=${eels.commence_time}`)).toEqual([eels.id]);
  expect(await ids('commence_time_from=2026-11-21&commence_time_to=2026-11-21')).toEqual([eels.id, broncos.id]);
  expect(await ids('commence_time_from=2026-11-22')).toEqual([]);
  expect(await ids(`event_ids=${broncos.id.toUpperCase()},${randomUUID()}`)).toEqual([broncos.id]);
  const best = await get(`/v1/best-odds/nrl?event_ids=${eels.id}`, 'best_odds');
  expect(best.body.map(({ id }: { id: string }) => id)).toEqual([eels.id]);
  const one = await get(`/v1/sports/nrl/events/${broncos.id}/odds?markets=h2h,totals`, 'get_event_odds');
  expect(one.headers.get('x-credits-cost')).toBe('2');
  const [row] = await odds(`event_ids=${broncos.id}&markets=h2h,totals`);
  expect(one.body).toEqual({ ...row, cached: expect.any(Boolean) });
  const other = await served.api.get(`/v1/sports/afl/events/${broncos.id}/odds`, key);
  expect([other.status, other.headers.get('x-credits-cost') ?? '0']).toEqual([404, '0']);
});

test('the best price of each selection, and no arb if there is none', async () => {
  const { body, headers } = await get('/v1/best-odds/nrl', 'best_odds');
  expect(headers.get('x-data-age-seconds')).toBe('62');
  expect(body[1]).toMatchObject({
    home_team: 'Brisbane Broncos',
    arb_exists: false,
    arb_profit_pct: 0,
    data_age_seconds: 62,
    selections: [
      {
        name: 'Brisbane Broncos',
        best_price: 1.85,
        best_bookmaker: 'sportsbet',
        all_prices: [{ price: 1.85, suspect: false }, { price: 1.8 }],
      },
      {
        name: 'Melbourne Storm',
        best_price: 2.1,
        best_bookmaker: 'tab',
        all_prices: [{ price: 2.1 }, { price: 2.06 }],
      },
    ],
  });
});

test.each([
  ['/v1/sports/horse-racing/odds', 404, 'horse-racing'],
  ['/v1/best-odds/cricket', 404, 'cricket'],
  ['/v1/sports/nrl/odds?markets=outrights', 422, 'h2h'],
  ['/v1/sports/nrl/odds?bookmakers=nobody', 422, 'sportsbet'],
  ['/v1/sports/nrl/odds?competition=NRLW', 422, 'known are NRL'],
  ['/v1/sports/nrl/odds?maxAgeMinutes=4', 422, 'maxAgeMinutes'],
  ['/v1/sports/nrl/odds?oddsFormat=fractional', 422, 'american'],
  ['/v1/sports/nrl/odds?regions=au', 422, 'regions'],
  ['/v1/sports/nrl/odds?event_ids=1', 422, 'event_ids'],
  ['/v1/sports/nrl/odds?commence_time_from=2026-11-22&commence_time_to=2026-11-21', 422, 'must not be after'],
  ['/v1/best-odds/nrl?commence_time_to=soon', 422, 'commence_time_to'],
  ['/v1/sports/nrl/events/4be4a572-bca6-5a79-b1a6-c1b5b130df92/odds', 404, 'No such match'],
  ['/v1/sports/nrl/events/4be4a572-bca6-5a79-b1a6-c1b5b130df91/odds?markets=outrights', 422, 'alternate_totals'],
])('%s is a free %d', async (path, status, text) => {
  const answer = await served.api.get(path, key);
  expect([answer.status, answer.headers.get('x-credits-cost') ?? '0']).toEqual([status, '0']);
  expect(answer.body.detail).toContain(text);
});

test('a match leaves when it starts; a price becomes stale, is left out by age, and goes when the book withdraws it', async () => {
  later(300);
  expect((await odds()).map((one: { home_team: string }) => one.home_team)).toEqual(['Brisbane Broncos']);
  await push('sportsbet', [match([2.06, 1.85], { home_team: 'Melbourne Storm', away_team: 'Brisbane Broncos' })]);
  later(1500);
  const [one] = await odds();
  expect(one).toMatchObject({ stale: true, stale_bookmakers: ['tab'], data_quality: { score: 75, status: 'warn' } });
  expect(one.bookmakers[1].quality).toMatchObject({ score: 50, status: 'stale', issues: ['stale'] });
  expect((await odds('maxAgeMinutes=30'))[0].bookmakers.map(({ key }: { key: string }) => key)).toEqual(['sportsbet']);
  await push('sportsbet', []);
  later();
  expect((await odds())[0].bookmakers.map(({ key }: { key: string }) => key)).toEqual(['tab']);
  expect(await odds('maxAgeMinutes=5')).toEqual([]);
});

test('the health of connectors lists the sports that each book covers', async () => {
  const list = (time: string, events: readonly object[]) => {
    served.api.now = Date.parse(`2026-11-24T${time}:00.000Z`);
    return push('tab', events);
  };
  const nba = (commence_time: string) =>
    match([1.9, 1.9], { sport_key: 'nba', home_team: 'Celtics', away_team: 'Heat', commence_time });
  await list('02:55', [nba('2026-11-24T03:00:00.000Z')]);
  await list('03:05', []);
  const read = async (search: string) => {
    const { body } = await served.api.get(`/v1/health/connectors?${search}`, key);
    const tab = body.connectors.find(({ connector }: { connector: string }) => connector === 'tab');
    return { not_covering: body.not_covering, sports: tab.sports, gone: tab.sports_not_covering };
  };
  expect(await read('')).toMatchObject({
    not_covering: ['sportsbet', 'tab'],
    sports: [
      { sport_key: 'nba', markets: 0, newest_age_s: 600, covering: true },
      { sport_key: 'nrl', markets: 0, covering: false },
      { sport_key: 'soccer_epl', markets: 0, covering: false },
    ],
    gone: ['nrl', 'soccer_epl'],
  });
  expect(await read('coverage_stale_after_s=604800')).toMatchObject({ not_covering: [], gone: [] });
  later(1);
  await push('tab', [
    match([1.9, 1.9], {
      sport_key: 'nba',
      home_team: 'Bulls',
      away_team: 'Jazz',
      commence_time: '2026-11-24T09:00:00.000Z',
    }),
  ]);
  expect((await read('')).sports[0]).toMatchObject({ sport_key: 'nba', markets: 1, newest_age_s: 0 });
  expect(await read('include_sports=false')).toEqual({ not_covering: [], sports: undefined, gone: undefined });
});

test('a sport is active while one of its matches has a price that the other operations show', async () => {
  served.api.now = Date.parse('2027-01-05T00:00:00.000Z');
  const names = { home_team: 'Las Vegas Aces', away_team: 'New York Liberty' };
  await push('tab', [match([1.9, 1.9], { ...names, sport_key: 'wnba', commence_time: '2027-01-05T12:00:00.000Z' })]);
  const active = async () => {
    const { body } = await get('/v1/sports', 'list_sports');
    return body.find((one: { key: string }) => one.key === 'wnba').active;
  };
  later();
  expect([(await odds('', 'wnba')).length, await active()]).toEqual([1, true]);
  later(6 * 3600);
  expect([(await odds('', 'wnba')).length, await active()]).toEqual([0, false]);
});

test('a match that returns to the board has only prices from after its return', async () => {
  const now = Date.parse('2027-01-06T01:50:00.000Z');
  const list = (book: string, minutes: number, start: string, prices: readonly number[] | null) => {
    served.api.now = now + minutes * 60_000;
    const names = { sport_key: 'mlb', home_team: 'Boston Red Sox', away_team: 'Chicago Cubs', source_id: book };
    const markets = prices ? [h2h('Boston Red Sox', 'Chicago Cubs', prices)] : [];
    return push(book, [match([], { ...names, markets, commence_time: `2027-01-06T${start}:00.000Z` })]);
  };
  await list('tab', 0, '02:00', [2.1, 1.75]);
  await list('neds', 1, '02:00', [2, 1.8]);
  // After its start tab withdraws the market.
  await list('tab', 15, '02:00', null);
  await list('neds', 16, '03:00', [1.9, 1.9]);
  await list('unibet', 17, '03:00', [1.92, 1.9]);
  await list('neds', 18, '03:00', [1.9, 1.9]);
  later();
  const [one] = await odds('', 'mlb');
  expect(one.commence_time).toBe('2027-01-06T03:00:00.000Z');
  expect(one.bookmakers.map(({ key }: { key: string }) => key)).toEqual(['neds', 'unibet']);
  // In play a book moves its start by minutes: its prices do not count as prices before the start.
  const { refused } = await list('unibet', 72, '03:05', [1.01, 15]);
  expect(refused).toMatchObject([{ index: 0, reason: 'started' }]);
});

test('alternates are markets of their own, with every line; by default only main lines are returned', async () => {
  const nhl = {
    sport_key: 'nhl',
    home_team: 'Boston Bruins',
    away_team: 'New York Rangers',
    commence_time: '2027-01-07T09:00:00.000Z',
  };
  const lines = [
    totals(5.5, [1.85, 1.95]),
    totals(6.5, [2.3, 1.6]),
    spreads('Boston Bruins', 'Rangers', -1.5, [2.4, 1.55]),
  ];
  await push('betright', [match([], { ...nhl, markets: lines })]);
  later();
  const { body, headers } = await get(
    '/v1/sports/nhl/odds?markets=totals,alternate_totals,alternate_spreads',
    'get_sport_odds',
  );
  expect(headers.get('x-credits-cost')).toBe('3');
  expect(
    body[0].bookmakers[0].markets.map(({ key, outcomes }: { key: string; outcomes: unknown }) => [key, outcomes]),
  ).toEqual([
    [
      'totals',
      [
        { name: 'Over', price: 1.85, point: 5.5 },
        { name: 'Under', price: 1.95, point: 5.5 },
      ],
    ],
    [
      'alternate_totals',
      [
        { name: 'Over', price: 2.3, point: 6.5 },
        { name: 'Under', price: 1.6, point: 6.5 },
      ],
    ],
  ]);
});
