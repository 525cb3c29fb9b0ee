// The past prices of matches over one server: history, movements and closing lines.
import { randomUUID } from 'node:crypto';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addMadeMatch, addMadeTicks } from '../../../support/sports/made-ticks';
import { h2h, match, type Push, pusherOf, spreads } from '../../../support/sports/push';

/** As in `startApi`. */
const BASE_URL = 'https://api.example.com';

let served: Served;
let standard: string;
let push: Push;

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

beforeAll(async () => {
  served = await serve();
  push = pusherOf(served, await served.addKey({ role: 'internal', plan: 'enterprise' }));
  standard = await served.addKey({ plan: 'standard' });
  await pushAt('01:00', 'tab', [nba(1.5, 2.6, -5.5)]);
  await pushAt('01:05', 'neds', [nba(1.52, 2.5, -5.5)]);
  await pushAt('01:20', 'tab', [nba(1.5, 2.6, -6.5, [1.95, 1.85])]);
  await pushAt('02:00', 'tab', [nba(1.51, 2.6, -6.5, [1.95, 1.85])]);
  await pushAt('02:10', 'unibet', [nba(1.6, 2.4, -6.5)]);
  await pushAt('02:20', 'neds', []);
  await pushAt('02:50', 'neds', [nba(1.48, 2.7, -6.5, [1.91, 1.89])]);
  await pushAt('02:55', 'tab', [nba(1.51, 2.6, -6.5, [1.95, 1.85])]);
  // The match has started at the book, which takes it off its list.
  await pushAt('03:05', 'tab', []);
});
afterAll(() => served.stop());

const past = async (what: string, operationId: string) => {
  const answer = await served.api.get(`/v1/sports/nba/${what}`, standard);
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  expectConforms(operationId, answer.body);
  return answer.body;
};

test('history has every change, newest first, and withdrawn prices as null', async () => {
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
  // As a published client calls them.
  expect(await past('odds/history?date_from=2026-11-23&date_to=2026-11-23', 'get_odds_history')).toEqual([]);
  expect(await past(`odds/history?date_to=${at('23:59')}`, 'get_odds_history')).toEqual([one, ...others]);
});

test('movements are between captures of one book, and leave out smaller moves', async () => {
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
])('each page of %s except the last links to the next one, and new matches shift no page', async (what, sizes) => {
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
    // Time passes, and a match is captured that would come first.
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
