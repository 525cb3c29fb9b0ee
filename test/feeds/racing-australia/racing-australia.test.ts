import fc from 'fast-check';
import { mapAcceptances } from '../../../src/feeds/racing-australia/acceptances';
import { dayNear, readKey } from '../../../src/feeds/racing-australia/address';
import { mapCalendar } from '../../../src/feeds/racing-australia/calendar';
import { createRegistryFeed } from '../../../src/feeds/racing-australia/fetch';
import { mapScratchings } from '../../../src/feeds/racing-australia/scratchings';
import { createRegistrySite } from '../../../src/feeds/racing-australia/site';
import { mapTrackConditions } from '../../../src/feeds/racing-australia/track-condition';
import { PATIENT_MS } from '../../support/patient';
import { type BookServer, startBookServer } from '../support/book-server';
import { ACCEPTANCES, CALENDAR, CHALLENGE, CONDITIONS, KEY, SCRATCHINGS, STUB } from './pages';

let server: BookServer;
const waits: number[] = [];
const feed = () =>
  createRegistryFeed(
    createRegistrySite({
      endpoint: { baseUrl: server.url, contact: 'ops@x.example', partner: 'x', timeoutMs: PATIENT_MS },
      now: () => Date.parse('2026-11-20T22:00:00.000Z'),
      wait: async (ms) => void waits.push(ms),
    }),
  );
const serve = (html: string, status = 200, type = 'text/html; charset=utf-8') =>
  server.answer((_, response) => void response.writeHead(status, { 'content-type': type }).end(html));

beforeAll(async () => {
  server = await startBookServer();
});
afterAll(() => server.close());
beforeEach(() => void waits.splice(0));

test('the calendar lists published documents: a missing link is unpublished, a meeting without links is skipped, a trial is not a meeting', async () => {
  serve(CALENDAR);
  const reply = await feed().calendar('NSW');
  expect(reply).toMatchObject({
    kind: 'ok',
    value: [
      { key: KEY, day: '2026-11-21', state: 'NSW', venue: 'Rosehill Gardens', acceptances: true, scratchings: true },
      { day: '2026-11-25', venue: 'Picklebet Park Wodonga', acceptances: false, scratchings: false },
    ],
    dropped: { meeting_key_unreadable: 1 },
  });
  expect(server.requests[0]!.url).toBe('/FreeFields/Calendar.aspx?State=NSW');
  expect(server.requests[0]!.headers.accept).toBe('text/html');
});

test('acceptances: the meeting’s track, the race’s facts, every runner', async () => {
  serve(ACCEPTANCES);
  const reply = await feed().acceptances(KEY);
  expect(server.requests[0]!.url).toBe('/FreeFields/Acceptances.aspx?Key=2026Nov21%2CNSW%2CRosehill%20Gardens');
  if (reply.kind !== 'ok') throw new Error(JSON.stringify(reply));
  const { value: card, dropped } = reply;
  expect(dropped).toEqual({ runner_unreadable: 1 });
  expect(card).toMatchObject({
    statedRunners: 4,
    track: {
      rail: '+3m Entire Course',
      trackCondition: 'Good 4',
      trackType: 'Turf',
      weather: 'Fine',
      penetrometer: '4.88',
    },
  });
  const [first, second] = card.races;
  expect(first).toMatchObject({
    raceNumber: 1,
    name: 'HARVEST MOON PLATE',
    startLocal: '11:50PM',
    startTime: '2026-11-21T12:50:00.000Z',
    distanceM: 1556,
    raceClass: 'BenchMark 64',
    conditions: 'No age restriction, BenchMark 64, Handicap, Apprentices can claim',
    apprenticesCanClaim: true,
    prizeTotal: 30_000,
    prizes: { '1st': 16_500, '2nd': 5700, '3rd': 3000 },
    trackName: 'Main',
    trackType: 'Turf',
    fieldLimit: 14,
  });
  expect(first!.runners).toEqual([
    {
      number: 1,
      name: 'HELLOVA NATURE (NZ)',
      emergency: false,
      horseCode: '2012062480',
      raceEntryCode: '5843941648',
      barrier: 7,
      jockey: 'Ms Grace Palmer',
      jockeyCode: '43',
      claimKg: 3,
      trainer: 'A Trainer',
      trainerCode: '42',
      weightKg: 58.5,
      last10: '90x0321121',
      rating: 64,
    },
    expect.objectContaining({ number: 2, horseCode: null, jockey: null, weightKg: null, last10: null, rating: null }),
    expect.objectContaining({ number: 16, emergency: true, jockey: null, barrier: 16, claimKg: null, rating: null }),
  ]);
  // After midnight on the track's clock it is the next day.
  expect(second).toMatchObject({
    startTime: '2026-11-21T13:25:00.000Z',
    raceClass: null,
    conditions: null,
    apprenticesCanClaim: null,
    prizeTotal: null,
    prizes: null,
    trackName: null,
    fieldLimit: null,
  });
});

test('the scratching sheet: per race, without times; an empty race has no scratchings', async () => {
  serve(SCRATCHINGS);
  expect(await feed().scratchings(KEY)).toMatchObject({
    kind: 'ok',
    value: {
      races: [
        {
          raceNumber: 1,
          scratched: [
            { number: 2, name: 'NO LINKS' },
            { number: 16, name: 'STANDING BY' },
          ],
        },
        { raceNumber: 2, scratched: [] },
      ],
    },
  });
});

test('track conditions: the day in the venue’s cell gets the nearest year, N/A is unknown, a row without a day is counted', async () => {
  serve(CONDITIONS);
  expect(await feed().trackConditions('NSW')).toMatchObject({
    kind: 'ok',
    dropped: { track_row_unreadable: 1 },
    value: [
      {
        day: '2026-11-21',
        venue: 'Rosehill Gardens',
        trackCondition: 'Good 4',
        rail: 'True',
        weather: 'Fine',
        penetrometer: '4.88',
        rainfall: '2mm/24hrs, 19mm/7d',
        irrigation: '5mm',
        updated: '7:05AM',
      },
      { day: '2027-02-02', venue: 'Beaumont Newcastle', trackCondition: null, rail: null, updated: null },
    ],
  });
});

describe('invalid documents', () => {
  test.each([
    ['a challenge with 200', CHALLENGE, 200, 'blocked'],
    ['a stub without its tables', STUB, 200, 'malformed'],
    ['a refusal', STUB, 403, 'blocked'],
    ['an error', STUB, 500, 'http_error'],
  ])('%s', async (_, html, status, reason) => {
    serve(html, status);
    const one = feed();
    const replies = [one.calendar('NSW'), one.acceptances(KEY), one.scratchings(KEY), one.trackConditions('NSW')];
    for (const reply of await Promise.all(replies)) expect(reply).toMatchObject({ kind: 'failed', reason });
  });

  test('data that is not a page', async () => {
    serve('{}', 200, 'application/json');
    expect(await feed().calendar('NSW')).toMatchObject({ kind: 'failed', reason: 'wrong_content_type' });
  });
});

test('calls are made one after the other, a second apart, even if one fails', async () => {
  serve(STUB, 500);
  const one = feed();
  await Promise.all([one.calendar('NSW'), one.calendar('VIC'), one.trackConditions('NSW')]);
  expect(waits).toEqual([1000, 1000]);
  expect(server.requests.map((request) => request.url)).toEqual([
    '/FreeFields/Calendar.aspx?State=NSW',
    '/FreeFields/Calendar.aspx?State=VIC',
    '/InteractiveForm/TrackCondition.aspx?State=NSW',
  ]);
});

test.each([
  ['Sat 01-Aug', '2026-11-21', '2026-08-01'],
  ['Fri 01-Jan', '2026-12-30', '2027-01-01'],
  ['Thu 31-Dec', '2027-01-02', '2026-12-31'],
  ['Sun 30-Feb', '2026-11-21', null],
  ['tomorrow', '2026-11-21', null],
])('%p seen on %s is %s', (text, today, day) => {
  expect(dayNear(text, today)).toBe(day);
});

test.each([
  ['Apprentices can claim', true],
  ['Apprentices cannot claim', false],
  ['Apprentices can not claim', false],
  ['Apprentices', null],
])('%s: a claim is %p', (printed, claim) => {
  const card = mapAcceptances(ACCEPTANCES.replace('Apprentices can claim', printed), KEY)!.value;
  expect(card.races[0]!.apprenticesCanClaim).toBe(claim);
});

test.each(['2026Aug01,NSW,Rosehill Gardens,Trial', '2026Aug32,NSW,Rosehill', '2026Aug01,NZ,Rosehill', 'Rosehill'])(
  '%p is not a meeting’s key',
  (key) => expect(readKey(key)).toBeNull(),
);

test('a page cut off anywhere, or with a piece missing, is read or refused, and never throws', () => {
  const pages = [CALENDAR, ACCEPTANCES, SCRATCHINGS, CONDITIONS];
  const readers = [
    mapCalendar,
    (html: string) => mapAcceptances(html, KEY),
    (html: string) => mapScratchings(html, KEY),
    (html: string) => mapTrackConditions(html, '2026-11-21'),
  ];
  const damaged = fc
    .tuple(fc.constantFrom(...pages), fc.nat(5000), fc.nat(400))
    .map(([html, from, length]) => html.slice(0, from) + html.slice(from + length));
  fc.assert(
    fc.property(damaged, fc.constantFrom(...readers), (html, read) => {
      const mapped = read(html);
      expect(mapped === null || typeof mapped.dropped === 'object').toBe(true);
    }),
  );
});
