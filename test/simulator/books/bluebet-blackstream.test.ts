// The simulated BlackStream and BlueBet hosts have the peculiarities that clients documented, and no undocumented
// field.
import { betdeluxeBook } from '../../../src/simulator/books/blackstream';
import { betrBook, betrightBook } from '../../../src/simulator/books/bluebet';
import type { Book, BookReply } from '../../../src/simulator/books/reply';
import { createWorld, racesOf } from '../../../src/simulator/world/world';

const NOW = Date.parse('2026-11-21T03:10:00Z');
const world = createWorld({ seed: 'a' });
const betdeluxe = betdeluxeBook(world);
const betr = betrBook(world);
const betright = betrightBook(world);

function call(book: Book, url: string, agent = 'racing-odds-service'): BookReply {
  const { pathname, searchParams } = new URL(url, 'http://book');
  const header = (name: string) => (name.toLowerCase() === 'user-agent' ? agent : '');
  return book({ method: 'GET', body: '', path: pathname, query: searchParams, url, baseUrl: '', header, nowMs: NOW });
}
const bodyOf = (reply: BookReply) => JSON.parse(reply.body);
const scheduleOf = (from: string, to: string) =>
  call(betdeluxe, `/api/racing/v1/schedule?startDateTime=${from}&endDateTime=${to}`);

test('BlackStream refuses a window wider than a day and a bit, with 200', () => {
  const wide = scheduleOf('2026-11-20T13:00:00.000Z', '2026-11-21T16:00:00.000Z');
  expect(wide.status).toBe(200);
  expect(bodyOf(wide)).toMatchObject({ code: 'ValidationError', data: [] });
  const longestDay = bodyOf(scheduleOf('2026-11-20T13:00:00.000Z', '2026-11-21T13:59:59.999Z'));
  expect(longestDay).toMatchObject({ code: 'Success', data: { trots: expect.anything() } });
  expect(longestDay.data.thoroughbred.length).toBeGreaterThan(2);
});

test('BlackStream lists the window and nothing outside it, at Australian tracks', () => {
  const { data } = bodyOf(scheduleOf('2026-11-21T03:00:00.000Z', '2026-11-21T04:00:00.000Z'));
  const meetings = Object.values<{ countryCode: string; races: { advertisedStartTime: string }[] }[]>(data).flat();
  const starts = meetings.flatMap(({ races }) => races.map((race) => race.advertisedStartTime));
  expect(starts.length).toBeGreaterThan(5);
  expect(starts.every((start) => start >= '2026-11-21T03' && start <= '2026-11-21T04:00:00.000Z')).toBe(true);
  expect(new Set(meetings.map((meeting) => meeting.countryCode))).toEqual(new Set(['AUS']));
});

test('a scratched BlackStream runner stays listed with price 0; the market is 1, 5 or neither', () => {
  const races = racesOf(world, '2026-11-21').filter(({ meeting }) => meeting.track.country === 'AU');
  const cards = races.map(
    (race) =>
      bodyOf(call(betdeluxe, `/api/racing/v2/meetings/${race.meeting.serial}/races/${race.serial}/racecard`)).data.race,
  );
  expect(new Set(cards.map((card) => card.status))).toEqual(new Set([1, 2, 5]));
  const runners = cards.flatMap((card) => card.runners);
  expect(new Set(runners.flatMap(Object.keys))).toEqual(
    new Set(['outcomeId', 'runnerName', 'isScratched', 'winPrices']),
  );
  const out = runners.filter((runner) => runner.isScratched && runner.winPrices.length > 0);
  expect(out.length).toBeGreaterThan(5);
  expect(out.every((runner) => runner.winPrices.at(-1) === 0)).toBe(true);
  expect(runners.some((runner) => runner.winPrices.length > 3)).toBe(true);
});

test('Betr refuses the user agent of urllib, and no other', () => {
  expect(call(betr, '/GroupedRaceCard?DaysToRace=0', 'Python-urllib/3.11').status).toBe(403);
  expect(call(betr, '/GroupedRaceCard?DaysToRace=0', 'python-requests/2.32').status).toBe(200);
});

test("Betr's starts have seven digits, and its race has only runners and prices", () => {
  const [[first]] = bodyOf(call(betr, '/GroupedRaceCard?DaysToRace=1')).Thoroughbred;
  expect(first.AdvertisedStartTime).toMatch(/^2026-11-2\dT\d\d:\d\d:\d\d\.\d{7}Z$/);
  const race = bodyOf(call(betr, `/Race?eventId=${first.EventId}`));
  expect(Object.keys(race)).toEqual(['Outcomes']);
  expect(Object.keys(race.Outcomes[0])).toEqual(['OutcomeId', 'OutcomeName', 'Scratched', 'FixedPrices']);
});

test('BetRight reports the same in its own format', () => {
  const [meeting] = bodyOf(call(betright, '/Racing/GroupedRaceCard?raceDate=2026-11-21')).thoroughbred;
  expect(Object.keys(meeting)).toEqual(['venue', 'countryCode', 'races']);
  const race = bodyOf(call(betright, `/Racing/Event?eventId=${meeting.races[0].eventId}`));
  expect(Object.keys(race)).toEqual(['isOpenForBetting', 'outcomes']);
  expect(Object.keys(race.outcomes[0])).toEqual(['outcomeId', 'outcomeName', 'scratched', 'fixedPrices']);
});

test.each<[string, Book, string, number]>([
  ['Betr: no day', betr, '/GroupedRaceCard', 400],
  ['Betr: no such race', betr, '/Race?eventId=1', 404],
  ['Betr: no race requested', betr, '/Race', 404],
  ['BetRight: no day', betright, '/Racing/GroupedRaceCard?raceDate=today', 400],
  ['BetRight: no such race', betright, '/Racing/Event?eventId=1', 404],
  ['BlackStream: no such race', betdeluxe, '/api/racing/v2/meetings/1/races/2/racecard', 404],
])('%s', (_, book, url, status) => {
  expect(call(book, url).status).toBe(status);
});
