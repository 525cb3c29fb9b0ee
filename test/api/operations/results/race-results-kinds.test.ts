// Every member of every kind of row, as sent: which are present, which are null and which are absent (A 2.11, D3).

import type { ResultRunner } from '../../../../src/domain/results/result';
import { createStores } from '../../../../src/store/create-stores';
import type { Stores } from '../../../../src/store/stores';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedField, feedResult, feedRunner, resultRunner } from '../../../support/races/builders';

let served: Served;
let stores: Stores;
let key: string;
beforeAll(async () => {
  served = await serve();
  stores = createStores(served.db.pool);
  key = await served.addKey();
});
afterAll(() => served.stop());

const START = '2026-11-21T01:00:00.000Z';
const PASS = '2026-11-21T19:00:00.000Z';
const after = (minutes: number, start = START): string => new Date(Date.parse(start) + minutes * 60_000).toISOString();

const shut = { runners: feedField(2.6, 4.4, 8.5), marketStatus: 'CLOSED' } as const;
const straight = [
  { market: 'WIN', product: 'VIC', number: 1, amount: 2.8 },
  { market: 'PLC', product: 'VIC', number: 2, amount: 1.6 },
] as const;
const exotics = [{ code: 'EX', product: 'VIC', selection: '1,2', amount: 11.2 }] as const;
const DOUBLE = {
  code: 'DD',
  type: 'Daily Double',
  product: 'VIC',
  legs: [{ raceNumber: 1 }],
  selection: '1',
  amount: 9,
};
const inOrder = (...positions: number[]) =>
  positions.map((position, i) => ({ position, number: i + 1, name: `Runner ${i + 1}` }));

interface Ran {
  readonly listed: Parameters<typeof addRace>[1];
  readonly report?: Parameters<typeof feedResult>[0];
  readonly runners?: ReturnType<typeof feedField>;
  readonly field?: readonly ResultRunner[];
  readonly end?: 'final' | 'abandoned';
}

async function ran({ listed, report, runners, field, end }: Ran): Promise<string> {
  const { startTime = START } = listed;
  const priced = runners ?? [1, 2, 3].map((n) => feedRunner(n, { win: 1 + n, place: 1 + n / 10 }));
  const books = { ladbrokes_au: { runners: priced, at: startTime }, pointsbetau: { ...shut, at: after(1, startTime) } };
  const { raceId } = await addRace(served.db.pool, { startTime, ...listed }, books);
  // With so few runners there would be no place betting.
  await served.db.pool.query('UPDATE races SET places_paid = 3 WHERE race_id = $1', [raceId]);
  const at = after(5, startTime);
  await stores.results.saveResult({ raceId, source: 'ladbrokes_au', result: feedResult(report), at });
  if (end === 'final') await stores.results.finalise(raceId, after(36, startTime));
  if (end === 'abandoned') await stores.results.abandon(raceId, 'abandoned', 'ladbrokes_au', after(6, startTime));
  const source = listed.category === 'greyhound' ? 'topaz' : 'racing_australia';
  if (field) await stores.results.fillField(raceId, field, source, after(900, startTime));
  return raceId;
}

async function rowOf(venue: string, search = 'hours_back=168') {
  const { body } = await served.api.get(`/v1/racing/results?venue=${venue}&${search}`, key);
  expectConforms('race_results', body);
  expect(body).toHaveLength(1);
  return body[0];
}

/** A final Australian thoroughbred race without optional details; each kind overrides what differs. */
const expected = (raceId: string, venue: string, over: object = {}) => ({
  race_id: raceId,
  coverage_from: expect.any(String),
  venue,
  venue_id: venue.toLowerCase(),
  venue_canonical: venue,
  venue_site: venue.toLowerCase(),
  race_number: 1,
  category: 'horse',
  country: 'AU',
  start_time: START,
  race_name: null,
  distance_m: null,
  track_condition: null,
  going: null,
  going_rating: null,
  weather: null,
  status: 'final',
  status_note: null,
  placings: placings('pe:'),
  runners: null,
  places_paid: 3,
  field_status: 'pending',
  field_source: 'racing_australia',
  field_note: `collector pass expected at ${PASS}`,
  deductions: [],
  dividends: null,
  resulted_at: after(5),
  market_closed_at: after(1),
  inplay_at: null,
  market_state_source: 'pointsbetau',
  ...over,
});

/** First, second and third with the settling book's prices; `pe` is false if there is no horse identity. */
function placings(pe: 'pe:' | null, positions: readonly number[] = [1, 2, 3], sp: readonly object[] = []) {
  return positions.map((position, i) => ({
    position,
    number: i + 1,
    name: `Runner ${i + 1}`,
    win_price: 2 + i,
    place_price: 1 + (i + 1) / 10,
    ...sp[i],
    horse_ref: pe && `${pe}runner${i + 1}`,
  }));
}

const NO_FIELD = { field_status: 'unsupported', field_source: null, field_note: null };

test('AU thoroughbred, complete: scratched at the barrier with a price, an emergency, a starter that did not finish', async () => {
  const from = { origin: 'racing_australia', jockey: 'A Rider', trainer: 'B Trainer' };
  const field = [
    resultRunner(1, { ...from, sp: 2.1, sp_note: 'F', box: 4, time_s: 70.5, runner_ref: 'ra:1' }),
    resultRunner(2, { ...from, sp: 3.4, margin: '0.5L' }),
    resultRunner(3, { ...from, margin: '2.75L' }),
    resultRunner(4, { ...from, position: null, abnormal: 'Fell', sp: 41 }),
    resultRunner(5, { ...from, position: null, status: 'scratched', abnormal: 'SB', sp: 8.5 }),
    resultRunner(6, { ...from, position: null, status: 'reserve' }),
  ];
  const scratching = { at: after(-1), late: true, winDeduction: 0.09, placeDeduction: 0.06 };
  const runners = [
    ...[1, 2, 3].map((n) => feedRunner(n, { win: 1 + n, place: 1 + n / 10 })),
    feedRunner(5, { scratching }),
  ];
  const listed = {
    venue: 'Full',
    raceName: 'Spring Cup',
    distanceM: 1200,
    trackCondition: 'Soft (6)',
    weather: 'Fine',
  };
  const id = await ran({ listed, runners, field, end: 'final', report: { straight, exotics, multiRace: [DOUBLE] } });
  const sp = [
    { sp: 2.1, sp_note: 'F' },
    { sp: 3.4, sp_note: null },
    { sp: null, sp_note: null },
  ];
  expect(await rowOf('full')).toStrictEqual(
    expected(id, 'Full', {
      race_name: 'Spring Cup',
      distance_m: 1200,
      track_condition: 'Soft (6)',
      going: 'Soft',
      going_rating: 6,
      weather: 'Fine',
      field_status: 'complete',
      field_note: null,
      placings: placings('pe:', [1, 2, 3], sp),
      runners: field.map((runner) => ({ ...runner, horse_ref: `pe:runner${runner.number}` })),
      deductions: [{ name: 'Runner 5', number: 5, win: 0.09, place: 0.06, scratched_at: after(-1) }],
      dividends: {
        straight: [
          { name: 'Runner 1', number: 1, position: 1, market: 'WIN', product: 'VIC', amount: 2.8 },
          { name: 'Runner 2', number: 2, position: 2, market: 'PLC', product: 'VIC', amount: 1.6 },
        ],
        exotics: [{ code: 'EX', type: 'Exacta', product: 'VIC', selection: '1,2', amount: 11.2 }],
        multi_race: [
          {
            code: 'DD',
            type: 'Daily Double',
            legs: [{ race_number: 1, race_id: id }],
            selection: '1',
            product: 'VIC',
            amount: 9,
          },
        ],
        straight_types: ['VIC'],
      },
    }),
  );
});

test('AU thoroughbred, pending: the pass in the note, no field, no starting price', async () => {
  const id = await ran({ listed: { venue: 'Pending' }, end: 'final' });
  const row = await rowOf('pending');
  expect(row).toStrictEqual(expected(id, 'Pending'));
  for (const placing of row.placings) expect(Object.keys(placing)).not.toContain('sp');
});

test('AU greyhound, complete: box and rug, a late scratching, no identity of a horse', async () => {
  const field = [
    resultRunner(1, { box: 1, sp: 2.2, time_s: 29.8, runner_ref: 'grv:11', origin: 'topaz' }),
    resultRunner(2, { box: 8, sp: 5, margin: '1.5L', runner_ref: 'grv:12', origin: 'topaz' }),
    resultRunner(3, { box: 3, sp: 9, margin: '3L', runner_ref: 'grv:13', origin: 'topaz' }),
    resultRunner(4, { box: 4, position: null, status: 'late_scratching', runner_ref: 'grv:14', origin: 'topaz' }),
  ];
  const id = await ran({ listed: { venue: 'Dogs', category: 'greyhound' }, field, end: 'final' });
  const sp = [2.2, 5, 9].map((price) => ({ sp: price, sp_note: null }));
  expect(await rowOf('dogs')).toStrictEqual(
    expected(id, 'Dogs', {
      category: 'greyhound',
      field_status: 'complete',
      field_source: 'topaz',
      field_note: null,
      placings: placings(null, [1, 2, 3], sp),
      runners: field.map((runner) => ({ ...runner, horse_ref: null })),
    }),
  );
});

test.each([
  ['Trot', { category: 'harness' }, null],
  ['Riccarton', { country: 'NZ' }, 'pe:'],
  ['Addington', { country: 'NZ', category: 'harness' }, null],
  ['Newmarket', { country: 'GB' }, 'pe:'],
  ['Nowhere', { country: null }, 'pe:'],
] as const)('%s %j: placings, but no field and no collector for one', async (venue, listed, pe) => {
  const id = await ran({ listed: { venue, ...listed }, end: 'final' });
  expect(await rowOf(venue)).toStrictEqual(expected(id, venue, { ...NO_FIELD, ...listed, placings: placings(pe) }));
});

test.each([
  ['Newbury', 'GB', null],
  ['Te Rapa', 'NZ', 'Good 4'],
  ['Elsewhere', null, 'Good 4'],
])('%s (%s) has the track condition %s: abroad there is none, as on the board (A 1)', async (venue, country, shown) => {
  await ran({ listed: { venue, country, trackCondition: 'Good 4', weather: 'Fine' } });
  const { track_condition, going, weather } = await rowOf(venue.toLowerCase());
  expect([track_condition, going, weather]).toEqual([shown, shown && 'Good', shown && 'Fine']);
});

test('abandoned after it had a result: the result is removed', async () => {
  const id = await ran({ listed: { venue: 'Off' }, end: 'abandoned', report: { straight, exotics } });
  expect(await rowOf('off')).toStrictEqual(
    expected(id, 'Off', {
      status: 'abandoned',
      status_note: 'abandoned',
      placings: [],
      runners: null,
      dividends: null,
      places_paid: null,
      resulted_at: null,
      field_status: 'not_applicable',
      field_note: null,
    }),
  );
});

test('interim under protest, at a book without prices: null is unknown', async () => {
  const nameless = inOrder(1, 2, 3).map((placing) => ({ ...placing, name: null }));
  const report = { protest: true, note: 'protest: 2nd v 1st', placings: nameless };
  const id = await ran({ listed: { venue: 'Protest', trackCondition: 'None' }, runners: [], report });
  const unpriced = placings('pe:').map(({ number, position }) => ({
    position,
    number,
    name: `Runner ${number}`,
    win_price: shut.runners[number - 1]!.win,
    place_price: null,
    horse_ref: `pe:runner${number}`,
  }));
  expect(await rowOf('protest')).toStrictEqual(
    expected(id, 'Protest', {
      status: 'interim',
      status_note: 'protest: 2nd v 1st',
      placings: unpriced,
      track_condition: 'None',
    }),
  );
});

test('a dead heat for second: one position in placings and in the field', async () => {
  const field = [
    resultRunner(1, { sp: 2 }),
    resultRunner(2, { sp: 3, dead_heat: true, margin: '1L' }),
    resultRunner(3, { sp: 4, position: 2, dead_heat: true, margin: '1L' }),
  ];
  const id = await ran({ listed: { venue: 'Level' }, field, end: 'final', report: { placings: inOrder(1, 2, 2) } });
  const sp = [2, 3, 4].map((price) => ({ sp: price, sp_note: null }));
  expect(await rowOf('level')).toStrictEqual(
    expected(id, 'Level', {
      field_status: 'complete',
      field_note: null,
      placings: placings('pe:', [1, 2, 2], sp),
      runners: field.map((runner) => ({ ...runner, horse_ref: `pe:runner${runner.number}` })),
    }),
  );
});

test('the day before multi-race dividends were collected: exotics, and no such key', async () => {
  const startTime = '2026-09-28T02:00:00.000Z';
  const listed = { venue: 'Before', meetingDate: '2026-09-28', startTime };
  await ran({ listed, end: 'final', report: { straight, exotics, multiRace: [DOUBLE] } });
  const row = await rowOf('before', 'date=2026-09-28');
  expect(Object.keys(row.dividends).sort()).toEqual(['exotics', 'straight', 'straight_types']);
  expect(row.dividends.exotics).toHaveLength(1);
  expect(row).toMatchObject({ field_status: 'unavailable', field_note: 'no further collector pass is scheduled' });
});

test('races with the same start: in order of their ids, each on one page', async () => {
  const at = { startTime: START, meetingDate: '2026-11-21' };
  for (const n of [1, 2, 3, 4, 5]) await ran({ listed: { venue: 'Same start', raceNumber: n, ...at }, end: 'final' });
  const page = async (limit: number, offset: number): Promise<string[]> => {
    const search = `venue=same start&limit=${limit}&offset=${offset}`;
    const { body } = await served.api.get(`/v1/racing/results?${search}`, key);
    return body.map((row: { race_id: string }) => row.race_id);
  };
  const whole = await page(200, 0);
  expect(whole).toEqual([...whole].sort());
  expect((await Promise.all([0, 2, 4].map((offset) => page(2, offset)))).flat()).toEqual(whole);
});
