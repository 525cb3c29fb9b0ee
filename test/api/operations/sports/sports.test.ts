// The operations on sports over one server: list, odds and best odds.
import { randomUUID } from 'node:crypto';
import { createCharger } from '../../../../src/api/kernel/charging/charger';
import { createStores } from '../../../../src/store/create-stores';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addMadeMatch, addMadeTicks } from '../../../support/sports/made-ticks';
import { h2h, match, type Push, pusherOf, spreads, totals } from '../../../support/sports/push';

/** As `startApi` has it. */
const BASE_URL = 'https://api.example.com';

let served: Served;
let key: string;
let push: Push;

/** A step of the clock longer than rows are cached, so that a request sees what was pushed before it. */
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

test('a match has every book’s prices as the book spells its teams, turned to one home side, each with its time', async () => {
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

test('markets, books, format, age and competition select; each distinct market costs a credit', async () => {
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

test('the best price of each selection, and no arb where there is none', async () => {
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

test('a match leaves when it starts; a price grows stale, is left out by age, and is gone when the book takes it back', async () => {
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

describe('past prices', () => {
  const at = (time: string): string => `2026-11-24T${time}:00.000Z`;
  const nba = (home: number, away: number, point: number, prices: readonly [number, number] = [1.9, 1.9]) =>
    match([], {
      sport_key: 'nba',
      home_team: 'Celtics',
      away_team: 'Heat',
      commence_time: at('03:00'),
      markets: [h2h('Celtics', 'Heat', [home, away]), spreads('Celtics', 'Heat', point, prices)],
    });
  const pushAt = async (time: string, book: string, events: readonly object[]) => {
    served.api.now = Date.parse(at(time));
    await push(book, events);
  };
  let standard: string;
  beforeAll(async () => {
    standard = await served.addKey({ plan: 'standard' });
    await pushAt('01:00', 'tab', [nba(1.5, 2.6, -5.5)]);
    await pushAt('01:05', 'neds', [nba(1.52, 2.5, -5.5)]);
    await pushAt('01:20', 'tab', [nba(1.5, 2.6, -6.5, [1.95, 1.85])]);
    await pushAt('02:00', 'tab', [nba(1.51, 2.6, -6.5, [1.95, 1.85])]);
    await pushAt('02:10', 'unibet', [nba(1.6, 2.4, -6.5)]);
    await pushAt('02:20', 'neds', []);
    await pushAt('02:50', 'neds', [nba(1.48, 2.7, -6.5, [1.91, 1.89])]);
    await pushAt('02:55', 'tab', [nba(1.51, 2.6, -6.5, [1.95, 1.85])]);
    // The match has started at the book, and is taken off its list.
    await pushAt('03:05', 'tab', []);
  });
  const past = async (what: string, operationId: string) => {
    const answer = await served.api.get(`/v1/sports/nba/${what}`, standard);
    expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
    expectConforms(operationId, answer.body);
    return answer.body;
  };

  test('history has every change, newest first, and what was taken back as null', async () => {
    const [one, ...others] = await past('odds/history', 'get_odds_history');
    expect([one.home_team, one.truncated, others]).toEqual(['Boston Celtics', false, []]);
    const steps = one.snapshots.map((row: Record<string, unknown>) =>
      [String(row.recorded_at).slice(11, 16), row.bookmaker, row.home_price, row.away_price].join(' '),
    );
    expect(steps).toEqual([
      '02:50 neds 1.48 2.7',
      '02:20 neds  ',
      '02:10 unibet 1.6 2.4',
      '02:00 tab 1.51 2.6',
      '01:05 neds 1.52 2.5',
      '01:00 tab 1.5 2.6',
    ]);
    const [lines] = await past(`odds/history?market=spreads&bookmakers=tab&to=${at('01:30')}`, 'get_odds_history');
    expect(lines.snapshots).toMatchObject([
      { home_point: -6.5, away_point: 6.5, home_price: 1.95, away_price: 1.85, draw_price: null },
      { home_point: -5.5, away_point: 5.5 },
    ]);
    expect(await past(`odds/history?event_ids=${one.event_id}`, 'get_odds_history')).toEqual([one]);
    expect(await past(`odds/history?event_ids=${randomUUID()}`, 'get_odds_history')).toEqual([]);
    expect(await past('odds/history?offset=1', 'get_odds_history')).toEqual([]);
    expect(await past('odds/history?from=2026-11-23&to=2026-11-23', 'get_odds_history')).toEqual([]);
  });

  test('movements are between captures of one book, and leave out what moved by less', async () => {
    const found = await past('odds/movements', 'get_odds_movements');
    expect(found).toMatchObject([
      {
        bookmaker: 'tab',
        market_type: 'h2h',
        home_point: null,
        to_recorded_at: at('02:00'),
        from_recorded_at: at('01:00'),
        changes: { home_price: { from: 1.5, to: 1.51, delta: 0.01 } },
      },
    ]);
    expect(await past('odds/movements?min_delta=0.02', 'get_odds_movements')).toEqual([]);
    const lines = await past('odds/movements?market=spreads&min_delta=1', 'get_odds_movements');
    expect(lines).toMatchObject([
      {
        bookmaker: 'tab',
        home_point: -6.5,
        away_point: 6.5,
        from_recorded_at: at('01:00'),
        changes: {
          home_price: { from: 1.9, to: 1.95, delta: 0.05 },
          away_price: { from: 1.9, to: 1.85, delta: -0.05 },
          home_point: { from: -5.5, to: -6.5, delta: -1 },
          away_point: { from: 5.5, to: 6.5, delta: 1 },
        },
      },
    ]);
    expect(await past(`odds/movements?market=spreads&since=${at('01:21')}`, 'get_odds_movements')).toEqual([]);
  });

  test.each([
    ['odds/history', [25, 25, 3]],
    ['closing-lines', [50, 3]],
  ])('%s: each page but the last has the address of the next one, which nothing shifts', async (what, sizes) => {
    const made = Array.from({ length: 53 }, (_, n) => ({
      eventId: randomUUID(),
      commenceTime: at(`02:${10 + (n % 50)}`),
    }));
    const sportKey = what === 'odds/history' ? 'afl' : 'nhl';
    const add = async (eventId: string, commenceTime: string, capturedAt: string) => {
      await addMadeMatch(served.db, { eventId, sportKey, commenceTime });
      await addMadeTicks(served.db, [
        { eventId, bookmaker: 'tab', market: 'h2h', capturedAt, prices: [2, null, 1.8, null, null] },
      ]);
    };
    for (const { eventId, commenceTime } of made) await add(eventId, commenceTime, at('02:05'));
    served.api.now = Date.parse(at('03:05'));
    const pages: string[][] = [];
    let next: string | undefined = `${BASE_URL}/v1/sports/${sportKey}/${what}?bookmakers=tab,neds`;
    while (next !== undefined) {
      const { status, body, headers } = await served.api.get(next.replace(BASE_URL, ''), standard);
      expect(status).toBe(200);
      pages.push(body.map((one: { event_id: string }) => one.event_id));
      next = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
      // Time goes on, and a match is captured that would stand first.
      served.api.now += 60_000;
      await add(randomUUID(), at('03:06'), new Date(served.api.now - 1000).toISOString());
    }
    expect(pages.map((page) => page.length)).toEqual(sizes);
    expect(new Set(pages.flat())).toEqual(new Set(made.map(({ eventId }) => eventId)));
    served.api.now = Date.parse(at('03:05'));
  });

  test('closing lines are the last prices before the start, and their consensus', async () => {
    const [one] = await past('closing-lines', 'get_closing_lines');
    const price = (book: string, market: string) =>
      one.bookmakers.find(({ key }: { key: string }) => key === book)[market];
    expect(price('tab', 'h2h')).toEqual({
      home_price: 1.51,
      draw_price: null,
      away_price: 2.6,
      home_point: null,
      away_point: null,
      recorded_at: at('02:00'),
      last_seen_at: at('02:55'),
      secs_to_start: 300,
      is_closing: true,
    });
    expect(price('unibet', 'h2h')).toMatchObject({ home_price: 1.6, secs_to_start: 3000, is_closing: false });
    expect(price('tab', 'totals')).toBeNull();
    expect(one.consensus).toEqual({
      h2h: { home_price: 1.495, draw_price: null, away_price: 2.65, home_point: null, away_point: null, books: 2 },
      spreads: { home_price: 1.93, draw_price: null, away_price: 1.87, home_point: -6.5, away_point: 6.5, books: 2 },
      totals: null,
    });
    expect((await past('closing-lines?bookmakers=unibet', 'get_closing_lines'))[0].consensus.h2h).toBeNull();
    served.api.now = Date.parse(at('02:59'));
    expect(await past('closing-lines', 'get_closing_lines')).toEqual([]);
    served.api.now = Date.parse(at('03:05'));
  });

  test.each([
    ['hobby', 'odds/history', 403, 'Standard'],
    ['hobby', 'odds/movements', 403, 'Standard'],
    ['hobby', 'closing-lines', 200, null],
    ['standard', 'odds/history?from=2026-11-24&to=2026-11-23', 422, 'must not be after'],
    ['standard', 'closing-lines?from=2026-09-01', 422, 'more than 31 days'],
    ['standard', 'odds/history?to=soon', 422, 'to'],
    ['standard', 'odds/history?market=outrights', 422, 'spreads'],
    ['standard', 'odds/movements?since=2026-11-01T00:00:00Z', 422, 'more than 7 days'],
    ['standard', 'odds/movements?since=2026-12-01T00:00:00Z', 422, 'future'],
  ])('on %s, %s is a %d', async (plan, what, status, text) => {
    const answer = await served.api.get(`/v1/sports/nba/${what}`, await served.addKey({ plan: plan as 'hobby' }));
    expect(answer.status).toBe(status);
    if (text) expect(answer.body.detail).toContain(text);
  });
});

test('the health of connectors lists the sports that each book covers', async () => {
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

test('a sport is active while a match of it has a price that the other operations show', async () => {
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

test('a match that returns to the board has no price of before it was last listed', async () => {
  const now = Date.parse('2027-01-06T01:50:00.000Z');
  const list = (book: string, minutes: number, start: string, prices: readonly number[] | null) => {
    served.api.now = now + minutes * 60_000;
    const names = { sport_key: 'mlb', home_team: 'Boston Red Sox', away_team: 'Chicago Cubs', source_id: book };
    const markets = prices ? [h2h('Boston Red Sox', 'Chicago Cubs', prices)] : [];
    return push(book, [match([], { ...names, markets, commence_time: `2027-01-06T${start}:00.000Z` })]);
  };
  await list('tab', 0, '02:00', [2.1, 1.75]);
  await list('neds', 1, '02:00', [2, 1.8]);
  // Past its start tab withdraws the market.
  await list('tab', 15, '02:00', null);
  await list('neds', 16, '03:00', [1.9, 1.9]);
  await list('unibet', 17, '03:00', [1.92, 1.9]);
  await list('neds', 18, '03:00', [1.9, 1.9]);
  later();
  const [one] = await odds('', 'mlb');
  expect(one.commence_time).toBe('2027-01-06T03:00:00.000Z');
  expect(one.bookmakers.map(({ key }: { key: string }) => key)).toEqual(['neds', 'unibet']);
  // In play a book moves its start by minutes: its prices are none of before the start.
  const { refused } = await list('unibet', 72, '03:05', [1.01, 15]);
  expect(refused).toMatchObject([{ index: 0, reason: 'started' }]);
});

test('alternates are markets of their own, with every line; main lines stand alone in theirs', async () => {
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
