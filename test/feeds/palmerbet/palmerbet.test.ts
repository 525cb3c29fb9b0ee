// The peculiarities of Palmerbet: its own race day and path, a worldwide list, two replies for a race, a winner without
// a field.
import type { ListedRace } from '../../../src/domain/race/feed-race';
import { placeRace, raceIdOf } from '../../../src/domain/race/identity';
import type { RaceIdentity } from '../../../src/domain/race/race';
import { createPalmerbetFeed } from '../../../src/feeds/palmerbet/fetch';
import { mapMeetings, mapRace, readMarket, readRace } from '../../../src/feeds/palmerbet/map';
import type { PalmerbetMeeting } from '../../../src/feeds/palmerbet/payload';
import { parsePalmerbetRaceId } from '../../../src/feeds/palmerbet/race-id';
import { splitCountryTag } from '../../../src/feeds/reading/country';
import { PATIENT_MS } from '../../support/patient';
import { type BookServer, json, serve, startBookServer, status } from '../support/book-server';
import { palmerbet, palmerbetList, palmerbetMarket, palmerbetRace } from '../support/books/palmerbet';

const FIELD = [
  { number: 1, name: 'Alpha', win: 4.6 },
  { number: 2, name: 'Bravo', win: 9 },
];
const race = (change: object = {}, field = FIELD) => ({ race: { ...palmerbetRace(field).race, ...change } });
const market = (field = FIELD) => readMarket(palmerbetMarket(field))!;
const mapped = (change: object = {}) => mapRace(readRace(race(change))!, market(), palmerbet.sourceRaceId);

const meeting = (change: Partial<PalmerbetMeeting>, href?: string) => {
  const [home] = palmerbetList().meetings;
  const [first] = home!.races;
  const races = [{ ...first!, ...(href !== undefined && { _links: [{ href }] }) }];
  return mapMeetings({ meetings: [{ ...home!, races, ...change }] }, '2026-11-21', 'HorseRacing')!;
};

test.each([
  ['/fixtures/racing/2026-11-21/HorseRacing/Mohawk%20-%20Can/3', 'Mohawk - Can'],
  ['fixtures//racing//2026-11-21//HorseRacing/Mohawk - Can/3//', 'Mohawk - Can'],
  ['2026-11-21/HorseRacing/Mohawk%20-%20Can/3?channel=website', 'Mohawk - Can'],
  ['2026-11-21/HorseRacing/100%/3', '100%'],
])('the path %p is one race, with any slashes', (href, venue) => {
  expect(parsePalmerbetRaceId(href)).toEqual({ day: '2026-11-21', type: 'HorseRacing', venue, raceNumber: 3 });
});

test.each([
  '',
  '2026-11-31/HorseRacing/X/3',
  '2026-11-21/CamelRacing/X/3',
  '2026-11-21/HorseRacing/X/0',
  'HorseRacing/X/3',
])('%p names no race', (href) => expect(parsePalmerbetRaceId(href)).toBeNull());

test('the day is the link’s, not the start’s: a race after midnight in London belongs to the day before', () => {
  const { value } = meeting({}, '/fixtures/racing/2026-11-20/HorseRacing/Flemington/1');
  expect(value).toMatchObject([{ meetingDate: '2026-11-20', startTime: '2026-11-21T04:00:00.000Z' }]);
  expect(value[0]!.sourceRaceId).toBe('2026-11-20/HorseRacing/Flemington/1');
});

test.each(['', '/fixtures/racing/2026-11-21/HorseRacing/Flemington/7'])(
  'without a link, or with the link %p of another race, the documented route is composed',
  (href) => expect(meeting({}, href).value[0]!.sourceRaceId).toBe('2026-11-21/HorseRacing/Flemington/1'),
);

test.each([
  [{ country: 'CA', title: 'Mohawk - Can' }, 'CA', 'Mohawk'],
  [{ country: undefined, title: 'Mohawk - Can' }, 'CA', 'Mohawk'],
  [{ country: undefined, title: 'Saratoga' }, null, 'Saratoga'],
  [{ country: 'US', title: 'Mohawk - Can' }, 'US', 'Mohawk - Can'],
  [{ country: 'AU', title: 'Eagle Farm - Inner' }, 'AU', 'Eagle Farm - Inner'],
])(
  '%p: the country comes from the field, else from the tag, which is removed only if it agrees',
  ({ country, title }, code, venue) => {
    const { value, dropped } = meeting({ country, venue: { title } });
    expect(value).toMatchObject([{ country: code, venue }]);
    expect(dropped).toEqual(code === null ? { country_unknown: 1 } : {});
  },
);

test.each(['Mohawk - Can', 'Ascot - UK', 'Riccarton - NZ'])(
  '%s is one race, whether the list names its country early or late (A 2.1)',
  (title) => {
    const at = (country?: string): ListedRace => meeting({ country, venue: { title } }).value[0] as ListedRace;
    const late = at();
    const early = at(splitCountryTag(title).country!);
    const first = placeRace(late, []) as { kind: 'new'; identity: RaceIdentity };
    const stored = { raceId: raceIdOf(first.identity), identity: first.identity, startTime: late.startTime };
    expect(placeRace(early, [stored])).toMatchObject({ kind: 'known', raceId: stored.raceId });
    expect(placeRace(early, [])).toMatchObject({ kind: 'new', identity: first.identity });
  },
);

test.each([
  ['Open', 'OPEN'],
  ['Final', 'CLOSED'],
  ['Suspended', 'CLOSED'],
  [undefined, null],
])('status %p: the market is %p', (state, marketStatus) => {
  expect(mapped({ status: state }).value).toMatchObject({ marketStatus, inPlay: null, startTime: null });
});

test('no prices are requested for a closed race; an open one without a win market is counted', () => {
  expect(readRace(race({ status: 'Final' }))!.winMarketId).toBeNull();
  const bare = mapRace(readRace(race({ markets: [] }))!, [], 'x');
  expect(bare.value.runners.map((runner) => runner.win)).toEqual([null, null]);
  expect(bare.dropped).toEqual({ win_market_missing: 1 });
});

test.each([
  [[{ id: 'a', title: 'Winner', type: 'HorseRacingWin' }], 'a'],
  [
    [
      { id: 'a', title: 'Other', type: 'BestTimeWin' },
      { id: 'b', title: 'Win', type: 'X' },
    ],
    'b',
  ],
  [
    [
      { id: 'a', title: 'Other', type: 'AWin' },
      { id: 'b', title: 'More', type: 'BWin' },
    ],
    null,
  ],
  [[{ id: 'a', title: 'Place', type: 'RacingPlace' }], null],
])('of the markets %p the win market is %p', (markets, id) => {
  expect(readRace(race({ markets }))!.winMarketId).toBe(id);
});

test('the two replies are joined by number, never by order', () => {
  const backwards = [...market()].reverse();
  const { value, dropped } = mapRace(readRace(race())!, backwards, 'x');
  expect(value.runners.map(({ number, win }) => [number, win])).toEqual([
    [1, 4.6],
    [2, 9],
  ]);
  expect(dropped).toEqual({});
});

test('a price for no runner of the race, a second price, and a price that cannot be bet on are left out', () => {
  const [first, second] = market() as { status: string; runnerNumber: number }[];
  const outcomes = [
    first,
    { ...first, prices: [] },
    { ...second, status: 'Suspended' },
    { ...second, runnerNumber: 9 },
    null,
  ];
  const { value, dropped } = mapRace(readRace(race())!, outcomes, 'x');
  expect(value.runners.map((runner) => runner.win)).toEqual([4.6, null]);
  expect(dropped).toEqual({ outcome_repeated: 1, outcome_unjoined: 1, outcome_unreadable: 1 });
});

test('a lone winner is not a placing: it is counted, without a result', () => {
  const { value, dropped } = mapped({ status: 'Final', result: { first: [2] } });
  expect(value.result).toBeNull();
  expect(dropped).toMatchObject({ winner_without_placings: 1 });
});

describe('over HTTP', () => {
  let server: BookServer;
  beforeAll(async () => {
    server = await startBookServer();
  });
  afterAll(() => server.close());

  const feed = () =>
    createPalmerbetFeed(
      { baseUrl: server.url, contact: 'c', partner: 'p', timeoutMs: PATIENT_MS },
      () => 1_795_233_571_500,
    );

  test('a race whose prices cannot be fetched is a failed poll, not a race without prices', async () => {
    const answers = palmerbet.race(FIELD);
    server.answer((request, response) =>
      request.url!.includes('/markets/') ? status(503)(request, response) : serve(answers)(request, response),
    );
    expect(await feed().fetchRace(palmerbet.sourceRaceId)).toMatchObject({ kind: 'failed', reason: 'http_error' });
  });

  test('one code that fails fails the list', async () => {
    server.answer((request, response) =>
      request.url!.includes('Harness') ? status(500)(request, response) : json({ meetings: [] })(request, response),
    );
    expect(await feed().listRaces('2026-11-21')).toMatchObject({ kind: 'failed', reason: 'http_error' });
  });

  test('spaces are sent as %20, and a closed race costs one call', async () => {
    server.answer(json(race({ status: 'Final' })));
    await feed().fetchRace('2026-11-21/HarnessRacing/Mohawk%20-%20Can/3');
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/fixtures/racing/2026-11-21/HarnessRacing/Mohawk%20-%20Can/3?channel=website',
    ]);
  });

  test('an id that is not the book’s is not requested', async () => {
    server.answer(json({}));
    expect(await feed().fetchRace('2026-11-21/../Flemington/1')).toMatchObject({ kind: 'failed', reason: 'not_found' });
    expect(server.requests).toEqual([]);
  });
});
