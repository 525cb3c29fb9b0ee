// A meeting's results as a whole: the stage of each race, the meaning of the meeting's notices, and the identity of the
// page.

import { createRegistryFeed } from '../../../../src/feeds/racing-australia/fetch';
import { mapResultsCalendar } from '../../../../src/feeds/racing-australia/results/calendar';
import { createRacingAustraliaResults } from '../../../../src/feeds/racing-australia/results/fetch';
import { mapResults } from '../../../../src/feeds/racing-australia/results/results';
import { createRegistrySite } from '../../../../src/feeds/racing-australia/site';
import { PATIENT_MS } from '../../../support/patient';
import { startBookServer } from '../../support/book-server';
import { finishers, NOT_AVAILABLE, type RaceText, RESULTS_CALENDAR, RESULTS_KEY, resultsPage } from '../results-pages';

const read = (html: string) => mapResults(html, RESULTS_KEY);
const stages = (races: readonly RaceText[]) => read(resultsPage(races))!.value.races.map((race) => race.stage);
const entries = (count: number) => finishers(count).map(({ no }) => ({ no }));

test('the calendar: Results links of these days, trials and jump-outs left out, an unreadable key counted', () => {
  const listing = { day: '2026-11-19', region: 'VIC' };
  expect(mapResultsCalendar(RESULTS_CALENDAR, '2026-11-19', '2026-11-20')).toEqual({
    value: [
      { key: RESULTS_KEY, day: '2026-11-20', region: 'VIC', venue: 'Sportsbet-Ballarat' },
      { ...listing, key: '2026Nov19,VIC,The Valley', venue: 'The Valley' },
      { ...listing, key: '2026Nov19,VIC,Woolamai,Picnic', venue: 'Woolamai' },
    ],
    bookAt: null,
    dropped: { meeting_key_unreadable: 1 },
  });
  expect(mapResultsCalendar('<table class="race-fields"></table>', '2026-11-19', '2026-11-20')?.value).toEqual([]);
  expect(mapResultsCalendar('<p>Welcome</p>', '2026-11-19', '2026-11-20')).toBeNull();
});

test('INTERIM marks a page: before the comments in any case, in the comments in the site’s capitals', () => {
  const rows = finishers(3);
  expect(
    stages([
      { number: 1, rows, mark: '<b>INTERIM RESULTS</b>' },
      { number: 2, rows, mark: 'Interim' },
      { number: 3, rows, comments: 'INTERIM' },
      { number: 4, rows, comments: 'The interim result stood.' },
      { number: 5, rows, name: 'Interim Measures Plate' },
    ]),
  ).toEqual(['interim', 'interim', 'interim', 'final', 'final']);
});

test('an interim page may have only the first places: the others ran, with unknown places', () => {
  const rows = [...finishers(2), { no: '3' }, { no: '4', scratched: true }];
  const race = read(resultsPage([{ number: 1, rows, mark: 'INTERIM' }]))!;
  expect(race.dropped).toEqual({});
  expect(race.value.races[0]!.runners.map(({ status, position }) => [status, position])).toEqual([
    ['ran', 1],
    ['ran', 2],
    ['ran', null],
    ['scratched', null],
  ]);
});

test('ABANDONED inside a race: no runners, the races that ran stay; with a place in it a race was run', () => {
  expect(
    stages([
      { number: 1, rows: finishers(3), comments: 'Meeting abandoned after this race due to track conditions.' },
      { number: 2, mark: 'ABANDONED' },
      { number: 3, mark: 'ABANDONED', rows: entries(4) },
      { number: 4, comments: 'Race abandoned: lightning.', rows: entries(4) },
      { number: 5, rows: entries(4) },
      { number: 6 },
      { number: 7, name: 'Abandoned Mill Stakes' },
    ]),
  ).toEqual(['final', 'abandoned', 'abandoned', 'abandoned', 'none', 'none', 'none']);
});

describe('a meeting that does not run', () => {
  test.each([
    ['<div class="Scratched">Meeting Abandoned.</div>', 'abandoned'],
    ['<div>MEETING <b>POSTPONED</b> to Tuesday.</div>', 'postponed'],
    ['<div>This meeting has been transferred to Kembla Grange</div><p>Next</p>', 'transferred to Kembla Grange'],
    ['<div>Meeting Transferred to Mount Gambier (see calendar)</div>', 'transferred to Mount Gambier'],
    ['<div>Meeting transferred.</div>', 'transferred'],
    [
      '<div>Meeting transferred to Geelong Synthetic due to a waterlogged track</div>',
      'transferred to Geelong Synthetic',
    ],
  ])('%s', (notice, note) => {
    const mapped = read(resultsPage([], { notice, starters: null }))!;
    expect(mapped).toMatchObject({ value: { note, races: [] }, dropped: {} });
  });

  test.each(['transferred', 'postponed'])('one that was %s from elsewhere or another day runs here', (how) => {
    const notice = `<div>Please note: meeting ${how} from Bairnsdale, Thursday 19 November.</div>`;
    const { note, races } = read(resultsPage([{ number: 1, rows: entries(3) }, { number: 2 }], { notice }))!.value;
    expect([note, ...races.map(({ stage }) => stage)]).toEqual([null, 'none', 'none']);
  });

  test('its races, if the page still has them, are abandoned; a race with places proves that the meeting ran', () => {
    const notice = '<div class="Scratched">Meeting Abandoned.</div>';
    const off = read(resultsPage([{ number: 1, rows: entries(3) }, { number: 2 }], { notice }))!.value;
    expect(off.note).toBe('abandoned');
    expect(off.races.map(({ stage, runners }) => [stage, runners])).toEqual(Array(2).fill(['abandoned', []]));
    const partWay = read(resultsPage([{ number: 1, rows: finishers(3) }, { number: 2 }], { notice }))!.value;
    expect(partWay.note).toBeNull();
    // Not concluded for race 2 itself: its result may only be late.
    expect(partWay.races.map((race) => race.stage)).toEqual(['final', 'none']);
  });
});

test('a page without results yet, or without results any more, is a meeting without races; a stub is not a page', () => {
  expect(read(NOT_AVAILABLE)).toMatchObject({ value: { note: null, races: [] }, dropped: {} });
  expect(read('<html><body><h2>Sportsbet-Ballarat</h2></body></html>')).toBeNull();
});

test('another meeting’s page is refused: by its date, by its runners’ links', () => {
  const races = [{ number: 1, rows: finishers(3) }];
  expect(read(resultsPage(races))).not.toBeNull();
  expect(read(resultsPage(races, { date: 'Thursday, 19 November 2026' }))).toBeNull();
  expect(mapResults(resultsPage(races), '2026Nov20,VIC,The Valley')).toBeNull();
  expect(mapResults(resultsPage(races), '2026Nov20,VIC,Sportsbet Ballarat')).not.toBeNull();
  expect(mapResults(resultsPage(races), '2026Nov20,VIC,Sportsbet-Ballarat,Trial')).toBeNull();
});

test('a race after midnight is on the next day', () => {
  const races = [
    { number: 1, rows: finishers(2), clock: '11:50PM' },
    { number: 2, rows: finishers(2), clock: '12:25AM' },
  ];
  const starts = read(resultsPage(races))!.value.races.map((race) => race.startTime);
  expect(starts).toEqual(['2026-11-20T12:50:00.000Z', '2026-11-20T13:25:00.000Z']);
});

test('fields and results share one spacing, because it is one site', async () => {
  const server = await startBookServer();
  const order: string[] = [];
  const endpoint = { baseUrl: server.url, contact: 'ops@x.example', partner: 'x', timeoutMs: PATIENT_MS };
  const now = () => Date.parse('2026-11-21T00:00:00.000Z');
  const site = createRegistrySite({ endpoint, now, wait: async (ms) => void order.push(`wait ${ms}`) });
  server.answer((request, response) => {
    order.push(request.url!.split('?')[0]!);
    response.writeHead(500).end();
  });
  const fields = createRegistryFeed(site);
  const results = createRacingAustraliaResults(site);
  await Promise.all([
    fields.calendar('NSW'),
    results.listings('NSW', '2026-11-20', '2026-11-20'),
    fields.scratchings('x'),
    results.meeting(RESULTS_KEY),
  ]);
  expect(order).toEqual([
    '/FreeFields/Calendar.aspx',
    'wait 1000',
    '/FreeFields/Calendar_Results.aspx',
    'wait 1000',
    '/FreeFields/Scratchings.aspx',
    'wait 1000',
    '/FreeFields/Results.aspx',
  ]);
  expect(server.requests.at(-1)!.url).toBe('/FreeFields/Results.aspx?Key=2026Nov20%2CVIC%2CSportsbet-Ballarat');
  await server.close();
});
