// The peculiarities of the BlueBet platform: days counted from today, seven fractional digits of a second, two dialects
// of one content.
import { BLUEBET_DIALECTS } from '../../../src/feeds/bluebet/dialects';
import { createBlueBetFeed } from '../../../src/feeds/bluebet/fetch';
import { mapRace, mapRaceCard } from '../../../src/feeds/bluebet/map';
import { PATIENT_MS } from '../../support/patient';
import { json, startBookServer } from '../support/book-server';
import { betRightList, betRightRace, betrList, betrRace } from '../support/books/bluebet';

const [BETR, BETRIGHT] = BLUEBET_DIALECTS as [(typeof BLUEBET_DIALECTS)[0], (typeof BLUEBET_DIALECTS)[0]];
const FIELD = [
  { number: 3, name: 'Alpha', win: 4.2 },
  { number: 7, name: 'Bravo', win: 0, scratched: true },
];

test('both dialects give the same race', () => {
  const races = [mapRace(betrRace(FIELD), '1', BETR)!, mapRace(betRightRace(FIELD), '1', BETRIGHT)!];
  expect(races[0]!.value.runners).toEqual(races[1]!.value.runners);
  expect(races.map((race) => race.value.marketStatus)).toEqual([null, 'OPEN']);
  expect(races.map((race) => race.dropped)).toEqual([{}, {}]);
});

test.each([
  ['2026-11-21T03:00:00Z', '2026-11-21', '/GroupedRaceCard?DaysToRace=0'],
  ['2026-11-21T03:00:00Z', '2026-11-23', '/GroupedRaceCard?DaysToRace=2'],
  // Midnight in Sydney is 13:00Z in summer.
  ['2026-11-21T12:59:59Z', '2026-11-22', '/GroupedRaceCard?DaysToRace=1'],
  ['2026-11-21T13:00:00Z', '2026-11-22', '/GroupedRaceCard?DaysToRace=0'],
  // A day stays one day across the end of daylight saving.
  ['2027-04-03T03:00:00Z', '2027-04-05', '/GroupedRaceCard?DaysToRace=2'],
])('at %s Betr is called for %s by %s', async (now, day, path) => {
  const server = await startBookServer();
  server.answer(json(betrList()));
  const endpoint = { baseUrl: server.url, contact: 'c', partner: 'p', timeoutMs: PATIENT_MS };
  await createBlueBetFeed(BETR, endpoint, () => Date.parse(now)).listRaces(day);
  await server.close();
  expect(server.requests.map((request) => request.url)).toEqual([path]);
});

test('a list of another day than requested keeps its own day', () => {
  expect(mapRaceCard(betrList(), BETR)!.value.map((race) => race.meetingDate)).toEqual(['2026-11-21', '2026-11-21']);
});

test.each([
  ['Thoroughbred', 'horse'],
  ['Trots', 'harness'],
  ['Harness', 'harness'],
  ['Greyhounds', 'greyhound'],
  ['Greyhound', 'greyhound'],
])("Betr's %s is %s", (key, category) => {
  const { value } = mapRaceCard({ [key]: betrList().Thoroughbred }, BETR)!;
  expect(value).toMatchObject([{ category }, { category }]);
});

test('summaries next to the codes are not races, and a list without any code has none', () => {
  const summaries = { MultipleShortcutSummary: [{ Races: [1, 2] }], FutureDays: [1, 2, 3] };
  expect(mapRaceCard({ ...betrList(), ...summaries }, BETR)).toEqual(mapRaceCard(betrList(), BETR));
  expect(mapRaceCard(summaries, BETR)).toBeNull();
});

test('a card that runs past midnight in Sydney has one meeting day: that of its first race', () => {
  const list = betRightList();
  list.thoroughbred![0]!.races[0]!.advertisedStartTimeUtc = '2026-11-21T12:45:00.0000000Z';
  list.thoroughbred![0]!.races[1]!.advertisedStartTimeUtc = '2026-11-21T13:20:00.1234567Z';
  expect(mapRaceCard(list, BETRIGHT)!.value).toMatchObject([
    { meetingDate: '2026-11-21', startTime: '2026-11-21T12:45:00.000Z' },
    { meetingDate: '2026-11-21', startTime: '2026-11-21T13:20:00.123Z' },
  ]);
});

test.each([
  ['EventId', null, 'race_id_missing'],
  ['RaceNumber', 0, 'race_number_unreadable'],
  ['AdvertisedStartTime', '2026-11-21T04:00:00.0000000', 'start_unreadable'],
  ['Venue', ' ', 'venue_missing'],
])('a race with %s %p is dropped as %s', (field, value, reason) => {
  const list = betrList();
  Object.assign(list.Thoroughbred![0]![0]!, { [field]: value });
  expect(mapRaceCard(list, BETR)).toMatchObject({ value: [{ raceNumber: 2 }], dropped: { [reason]: 1 } });
});

test('an invalid meeting is counted; an unknown country is counted once per race', () => {
  expect(mapRaceCard({ thoroughbred: [null, {}] }, BETRIGHT)).toMatchObject({
    value: [],
    dropped: { meeting_unreadable: 2 },
  });
  const abroad = betRightList([], [{ venue: 'Nowhere', country: 'XX' }]);
  expect(mapRaceCard(abroad, BETRIGHT)!.dropped).toEqual({ country_unknown: 1 });
});

test.each([
  [true, 'OPEN'],
  [false, 'CLOSED'],
  [undefined, null],
  ['false', null],
])('open for betting %p: the market is %p', (open, marketStatus) => {
  const race = { ...betrRace(FIELD), IsOpenForBetting: open };
  expect(mapRace(race, '1', BETR)!.value.marketStatus).toBe(marketStatus);
});

test('a price of another market is neither win nor place', () => {
  const race = betRightRace([{ number: 1, name: 'A', win: 3 }]);
  race.outcomes[0]!.fixedPrices.unshift({ marketTypeCode: 'QIN', price: 99 });
  expect(mapRace(race, '1', BETRIGHT)!.value.runners).toMatchObject([{ win: 3, place: 1.5 }]);
});
