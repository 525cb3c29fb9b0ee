// The Odds API: how it is called, what its replies mean, and each of its refusals, over real HTTP.
import fc from 'fast-check';
import type { FeedReply } from '../../../src/feeds/feed';
import { createGate } from '../../../src/feeds/gate/gate';
import type { FeedOdds } from '../../../src/feeds/sports-feed';
import { createTheOddsApi, THE_ODDS_API } from '../../../src/feeds/the-odds-api/fetch';
import { mapOdds, mapSports } from '../../../src/feeds/the-odds-api/map';
import type { OddsEvent } from '../../../src/feeds/the-odds-api/payload';
import { PATIENT_MS } from '../../support/patient';
import { runs } from '../../support/property';
import { describeRecorded, readRecorded } from '../../support/races/recorded';
import { type BookServer, json, startBookServer } from '../support/book-server';

const nowMs = Date.parse('2026-11-21T03:00:00.000Z');
const observedAt = new Date(nowMs).toISOString();
const AFL = { sourceKey: 'aussierules_afl', sportKey: 'afl' };
const SPENT = { 'x-requests-used': '120', 'x-requests-remaining': '380', 'x-requests-last': '3' };
let server: BookServer;
beforeAll(async () => {
  server = await startBookServer();
});
afterAll(() => server.close());

const api = (over: { key?: string; timeoutMs?: number } = {}) => {
  const { key = 'mine', timeoutMs = PATIENT_MS } = over;
  const settings = { ...(key && { key }) };
  const address = { baseUrl: `${server.url}/api`, contact: 'ops@x.example', partner: 'x', timeoutMs, settings };
  return createTheOddsApi(address, () => nowMs);
};

const market = (key: string, outcomes: readonly object[], last_update?: string) => ({
  key,
  outcomes,
  ...(last_update && { last_update }),
});
const h2h = (home: number, away: number, stamp?: string) =>
  market(
    'h2h',
    [
      { name: 'Carlton Blues', price: away },
      { name: 'Sydney Swans', price: home },
    ],
    stamp,
  );
const book = (key: string, markets: readonly object[], last_update = '2026-11-21T02:58:00Z') => ({
  key,
  title: key,
  last_update,
  markets,
});
const event = (bookmakers: readonly object[], over: object = {}) => ({
  id: 'e1',
  sport_key: 'aussierules_afl',
  sport_title: 'AFL',
  commence_time: '2026-11-21T09:00:00Z',
  home_team: 'Sydney Swans',
  away_team: 'Carlton Blues',
  bookmakers,
  ...over,
});

const odds = (reply: FeedReply<FeedOdds>) => {
  if (reply.kind !== 'ok') throw new Error(JSON.stringify(reply));
  return reply;
};

test('one call has a sport’s matches at every book, with its cost; lists are read unchanged', async () => {
  const spreads = market('spreads', [
    { name: 'Sydney Swans', price: 1.9, point: -4.5 },
    { name: 'Carlton Blues', price: 1.92, point: 4.5 },
  ]);
  const totals = market('totals', [
    { name: 'Under', price: 1.95, point: 165.5 },
    { name: 'Over', price: 1.87, point: 165.5 },
  ]);
  server.answer(json([event([book('tab', [h2h(1.5, 2.6, '2026-11-21T02:59:00Z'), spreads, totals])])], SPENT));
  const { reply, credits } = await api().odds(AFL);
  expect(credits).toEqual({ used: 120, remaining: 380, last: 3 });
  const { value, dropped } = odds(reply);
  expect([value.starts, dropped]).toEqual([['2026-11-21T09:00:00.000Z'], {}]);
  expect([...value.books]).toMatchObject([
    [
      'tab',
      [
        {
          sourceId: 'e1',
          homeTeam: 'Sydney Swans',
          awayTeam: 'Carlton Blues',
          competition: 'AFL',
          commenceTime: '2026-11-21T09:00:00.000Z',
          markets: [
            {
              market: 'h2h',
              prices: { home: 1.5, away: 2.6, draw: null },
              sourceUpdatedAt: '2026-11-21T02:59:00.000Z',
            },
            { market: 'spreads', prices: { home: 1.9, homePoint: -4.5 }, sourceUpdatedAt: '2026-11-21T02:58:00.000Z' },
            { market: 'totals', prices: { home: 1.87, away: 1.95, homePoint: 165.5 } },
          ],
        },
      ],
    ],
  ]);
  const { url, headers } = server.requests[0]!;
  expect(url).toBe(
    '/api/v4/sports/aussierules_afl/odds?apiKey=mine&regions=au&markets=h2h%2Cspreads%2Ctotals&oddsFormat=decimal&dateFormat=iso',
  );
  expect(headers['accept-encoding']).toContain('gzip');

  server.answer(json([event([]), event([], { id: 'e2', commence_time: 'soon' })]));
  expect(await api().starts('aussierules_afl')).toMatchObject({
    reply: { value: ['2026-11-21T09:00:00.000Z'], dropped: { event_unreadable: 1 } },
    credits: { last: null },
  });
  const sport = (key: string, over: object = {}) => ({ key, active: true, has_outrights: false, ...over });
  const listed = [
    sport('aussierules_afl'),
    sport('tennis_atp_wimbledon'),
    sport('politics_us'),
    sport('golf_masters_winner', { has_outrights: true }),
    sport('icehockey_nhl', { active: false }),
  ];
  expect(mapSports(listed)).toMatchObject({
    value: [AFL, { sourceKey: 'tennis_atp_wimbledon', sportKey: 'tennis_atp' }],
    dropped: { sport_unknown: 1 },
  });
});

test('exchange prices and lay markets are withheld, unknown books and markets counted, and nothing else is lost with them', () => {
  const list = [
    event([
      book('betfair_ex_au', [h2h(1.6, 2.5), market('h2h_lay', [])]),
      book('bet365_au', [h2h(1.5, 2.5)]),
      book('tab', [h2h(1.5, 2.6), market('h2h_lay', []), market('outrights', []), h2h(9, 9)]),
      book('tab', [h2h(8, 8)]),
      book('ladbrokes', [market('h2h', [{ name: 'Geelong', price: 2 }])]),
    ]),
    event([book('tab', [h2h(2, 2)])]),
    event([], { id: 'e2', home_team: null }),
    event([book('neds', [h2h(2, 1.8)])], { id: 'e3', sport_key: 'rugbyleague_nrl' }),
    'no event',
  ];
  const mapped = mapOdds(list, AFL)!;
  expect([...mapped.value.books].map(([key, [one]]) => [key, one!.markets[0]!.prices.home])).toEqual([['tab', 1.5]]);
  expect(mapped.dropped).toEqual({
    exchange_withheld: 2,
    book_unknown: 1,
    lay_withheld: 1,
    market_unknown: 1,
    h2h_repeated: 1,
    book_repeated: 1,
    h2h_unknown_selection: 1,
    event_repeated: 1,
    event_without_teams: 1,
    event_of_another_sport: 1,
    event_unreadable: 1,
  });
});

test('any JSON is mapped, counted or refused, and never throws', () => {
  const nearly = fc.record(
    {
      id: fc.anything(),
      sport_key: fc.constantFrom('aussierules_afl', 7),
      commence_time: fc.constantFrom('2026-11-21T09:00:00Z', '', 3),
      home_team: fc.anything(),
      away_team: fc.string(),
      bookmakers: fc.oneof(
        fc.anything(),
        fc.array(fc.record({ key: fc.constantFrom('tab', 'x'), markets: fc.anything() })),
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.array(fc.oneof(nearly, fc.anything()))), (payload) => {
      for (const mapped of [mapOdds(payload, AFL), mapSports(payload)])
        if (mapped === null) expect(Array.isArray(payload)).toBe(false);
    }),
    { numRuns: runs(1000) },
  );
});

const refusal = (code: number, error_code: string, headers = {}) =>
  json({ message: 'no', error_code, details_url: 'https://x.example' }, headers, code);

test.each([
  ['a key that ended', refusal(401, 'DEACTIVATED_KEY'), 'blocked', 'DEACTIVATED_KEY', null],
  ['credits that are spent', refusal(401, 'OUT_OF_USAGE_CREDITS'), 'blocked', 'OUT_OF_USAGE_CREDITS', null],
  ['too many calls', refusal(429, 'EXCEEDED_FREQ_LIMIT'), 'rate_limited', 'HTTP 429', 2000],
  ['too many calls, with a time', refusal(429, 'X', { 'retry-after': '7' }), 'rate_limited', 'HTTP 429', 7000],
  ['an error of theirs', json('<html>', {}, 503), 'http_error', 'HTTP 503', null],
  ['half a reply', json('[{"id":"e1"'), 'malformed', 'not JSON', null],
  ['another document', json({ message: 'ok' }), 'malformed', 'documented', null],
] as const)(
  '%s is a failure, with the credits that its headers report',
  async (_, answer, reason, detail, retryAfterMs) => {
    server.answer((request, response) => {
      for (const [name, value] of Object.entries(SPENT)) response.setHeader(name, value);
      answer(request, response);
    });
    expect(await api().odds(AFL)).toMatchObject({
      reply: { kind: 'failed', reason, detail: expect.stringContaining(detail), retryAfterMs, observedAt },
      credits: { used: 120, remaining: 380, last: 3 },
    });
  },
);

test('a hanging host costs its deadline; without a key nothing is sent', async () => {
  server.answer(() => undefined);
  expect(await api({ timeoutMs: 50 }).odds(AFL)).toMatchObject({
    reply: { kind: 'failed', reason: 'timeout' },
    credits: { last: null },
  });
  server.answer(json([]));
  expect(await api({ key: '' }).odds(AFL)).toMatchObject({
    reply: { reason: 'blocked', detail: expect.stringContaining('FEED_THE_ODDS_API_KEY') },
  });
  expect(server.requests).toEqual([]);
});

test('after failures its gate opens the breaker, and then nothing is sent', async () => {
  const shared = {
    lease: async () => ({ granted: 100, waitMs: 0, paused: false }),
    ping: async () => undefined,
    pause: async () => undefined,
  };
  const source = {
    shared,
    reachable: () => true,
    reached: () => undefined,
    unreachable: () => undefined,
    workers: () => 1,
  };
  const gate = createGate(THE_ODDS_API, { perSecond: 100, burst: 100 }, source, {
    failures: 2,
    firstPauseMs: PATIENT_MS,
  });
  const endpoint = {
    baseUrl: server.url,
    contact: 'c',
    partner: 'p',
    timeoutMs: PATIENT_MS,
    settings: { key: 'k' },
    gate,
  };
  const feed = createTheOddsApi(endpoint, () => nowMs);
  server.answer(json('', {}, 500));
  const reasons = [];
  for (let i = 0; i < 4; i++) reasons.push((await feed.odds(AFL)).reply);
  expect(reasons.map((reply) => reply.kind === 'failed' && reply.reason)).toEqual([
    'http_error',
    'http_error',
    'breaker_open',
    'breaker_open',
  ]);
  expect(server.requests).toHaveLength(2);
});

describeRecorded('The Odds API', () => {
  test('the recorded reply is mapped completely: every price of every book, except the exchange’s', () => {
    const reply = readRecorded<OddsEvent[]>('the-odds-api/aussierules_afl_h2h_au_2022-06-29.json');
    const { value, dropped } = mapOdds(reply, AFL)!;
    const exchange = reply.flatMap(({ bookmakers }) => bookmakers.filter(({ key }) => key === 'betfair'));
    expect(dropped).toEqual({ exchange_withheld: exchange.reduce((sum, { markets }) => sum + markets.length, 0) });
    expect(value.starts).toHaveLength(3);
    const ours = (key: string) => (key === 'ladbrokes' ? 'ladbrokes_au' : key);
    const sent = reply.flatMap(({ id, home_team, away_team, bookmakers }) =>
      bookmakers
        .filter(({ key }) => key !== 'betfair')
        .map(({ key, markets, last_update }) => {
          const price = (team: string | null) => markets[0]!.outcomes.find(({ name }) => name === team)!.price;
          return [ours(key), id, price(home_team), price(away_team), Date.parse(last_update!)];
        }),
    );
    const read = [...value.books].flatMap(([key, matches]) =>
      matches.map(({ sourceId, markets: [one] }) => [
        key,
        sourceId,
        one!.prices.home,
        one!.prices.away,
        Date.parse(one!.sourceUpdatedAt!),
      ]),
    );
    expect(read.sort()).toEqual(sent.sort());
  });
});
