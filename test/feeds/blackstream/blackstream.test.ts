// The peculiarities of BlackStream: a 200 that is an error, a window of one Sydney day, an outcome id that is not a
// saddlecloth, flucs without times.
import { numberRunners } from '../../../src/domain/race/join-runners';
import { createBlackStreamFeed } from '../../../src/feeds/blackstream/fetch';
import { mapRacecard, mapSchedule } from '../../../src/feeds/blackstream/map';
import { PATIENT_MS } from '../../support/patient';
import { type Answer, json, startBookServer } from '../support/book-server';
import { blackStreamList, blackStreamRace } from '../support/books/blackstream';

const ID = '800628/11415981';
const FIELD = [1, 2, 3].map((number) => ({ number, name: `Runner ${number}`, win: number + 2 }));
const card = (change: (race: Record<string, unknown>) => void = () => undefined) => {
  const { data } = structuredClone(blackStreamRace(FIELD));
  change((data as { race: Record<string, unknown> }).race);
  return mapRacecard(data, ID)!;
};
const list = (change: (meeting: Record<string, unknown>) => void) => {
  const { data } = structuredClone(blackStreamList());
  change((data as unknown as { thoroughbred: Record<string, unknown>[] }).thoroughbred[0]!);
  return mapSchedule(data)!;
};

/** The feed's result for one reply, and the paths that it called. */
async function replyTo(answer: Answer, what: (feed: ReturnType<typeof createBlackStreamFeed>) => Promise<unknown>) {
  const server = await startBookServer();
  server.answer(answer);
  const endpoint = { baseUrl: server.url, contact: 'c', partner: 'p', timeoutMs: PATIENT_MS };
  const reply = await what(createBlackStreamFeed(endpoint, () => 0));
  await server.close();
  return { reply, paths: server.requests.map((request) => request.url!) };
}

test('a 200 with an error is a failure with its own message, never an empty list', async () => {
  const refused = json({ code: 'ValidationError', message: 'window too wide', data: [] });
  const failure = { kind: 'failed', reason: 'http_error', detail: 'HTTP 200 with ValidationError: window too wide' };
  expect((await replyTo(refused, (feed) => feed.listRaces('2026-11-21'))).reply).toMatchObject(failure);
  expect((await replyTo(refused, (feed) => feed.fetchRace(ID))).reply).toMatchObject(failure);
});

test('success without documented content is malformed; a day without races is a list', async () => {
  const empty = json({ code: 'Success', message: '', data: [] });
  expect((await replyTo(empty, (feed) => feed.listRaces('2026-11-21'))).reply).toMatchObject({ reason: 'malformed' });
  expect((await replyTo(empty, (feed) => feed.fetchRace(ID))).reply).toMatchObject({ reason: 'malformed' });
  const quiet = json({ code: 'Success', message: '', data: { thoroughbred: [], greyhounds: [], trots: [] } });
  expect((await replyTo(quiet, (feed) => feed.listRaces('2026-11-21'))).reply).toMatchObject({ kind: 'ok', value: [] });
});

test.each([
  ['2026-11-21', '2026-11-20T13:00:00.000Z', '2026-11-21T12:59:59.999Z', 24],
  ['2026-06-21', '2026-06-20T14:00:00.000Z', '2026-06-21T13:59:59.999Z', 24],
  // Daylight saving ends on 4 April 2027 and begins on 4 October 2026.
  ['2027-04-04', '2027-04-03T13:00:00.000Z', '2027-04-04T13:59:59.999Z', 25],
  ['2026-10-04', '2026-10-03T14:00:00.000Z', '2026-10-04T12:59:59.999Z', 23],
])('%s is requested by its midnights in Sydney', async (day, start, end, hours) => {
  const { paths } = await replyTo(json(blackStreamList()), (feed) => feed.listRaces(day));
  expect(paths).toEqual([`/api/racing/v1/schedule?startDateTime=${start}&endDateTime=${end}&topfouroutcomes=true`]);
  expect(Date.parse(end) + 1 - Date.parse(start)).toBe(hours * 3_600_000);
});

test.each(['800628', '800628/', '0/1', '800628/11415981/2', '../1', 'a/b'])(
  '%p is not one of our races: nothing is sent',
  async (id) => {
    const { reply, paths } = await replyTo(json(blackStreamRace(FIELD)), (feed) => feed.fetchRace(id));
    expect(reply).toMatchObject({ kind: 'failed', reason: 'not_found' });
    expect(paths).toEqual([]);
  },
);

test('runners are joined to the card by name, whatever their outcome ids', () => {
  const entries = [3, 1, 2].map((number) => ({ number, name: `RUNNER ${number} (NZ)` }));
  const { runners, unjoined } = numberRunners(card().value.runners, entries);
  expect(runners.map((runner) => [runner.number, runner.win])).toEqual([
    [1, 3],
    [2, 4],
    [3, 5],
  ]);
  expect(unjoined).toBe(0);
});

test.each([
  [[4.2, 3.9, 3.8], 3.8, {}],
  [[9, 0], null, {}],
  [[], null, {}],
  [undefined, null, {}],
  [null, null, {}],
  [[4.2, null], null, {}],
  [[4.2, 1], null, { win_not_above_1: 1 }],
])('prices %p: the last one is the price, and an older one never replaces it', (winPrices, win, dropped) => {
  const mapped = card((race) => {
    race.runners = [{ outcomeId: 1, runnerName: 'A', isScratched: false, winPrices }];
  });
  expect(mapped).toMatchObject({ value: { runners: [{ win, place: null }] }, dropped });
});

test.each([
  [1, 'OPEN', {}],
  [5, 'CLOSED', {}],
  [2, 'CLOSED', {}],
  [0, 'CLOSED', {}],
  [undefined, null, {}],
  ['open', null, { status_unknown: 1 }],
])('status %p: the market is %p, and no outcome is invented', (status, marketStatus, dropped) => {
  expect(card((race) => (race.status = status))).toMatchObject({ value: { marketStatus, result: null }, dropped });
});

test.each([
  [{ meetId: null }, 'meeting_id_missing'],
  [{ venue: '' }, 'venue_missing'],
])('a meeting with %p drops its races', (change, reason) => {
  expect(list((meeting) => Object.assign(meeting, change))).toMatchObject({ value: [], dropped: { [reason]: 2 } });
});

test.each([
  [{ eventId: null }, 'race_id_missing'],
  [{ raceNumber: 0 }, 'race_number_unreadable'],
  [{ advertisedStartTime: '2026-11-21 04:00' }, 'start_unreadable'],
])('a race with %p drops that race', (change, reason) => {
  const mapped = list((meeting) => Object.assign((meeting.races as object[])[0]!, change));
  expect(mapped).toMatchObject({ value: [{ raceNumber: 2 }], dropped: { [reason]: 1 } });
});

test('the codes are spelled as in the schedule', () => {
  const meetings = (blackStreamList().data as { thoroughbred: unknown[] }).thoroughbred;
  const { value } = mapSchedule({ trots: meetings, greyhounds: meetings, greyhound: meetings })!;
  expect(value.map((race) => race.category)).toEqual(['greyhound', 'greyhound', 'harness', 'harness']);
  expect(mapSchedule({ harness: meetings })).toBeNull();
});
