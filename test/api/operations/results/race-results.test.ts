import type { ResultRunner } from '../../../../src/domain/results/result';
import { createStores } from '../../../../src/store/create-stores';
import type { Stores } from '../../../../src/store/stores';
import { expectConforms } from '../../../support/api/conforms';
import { followed } from '../../../support/api/next-link';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedField, feedResult, feedRunner, resultRunner } from '../../../support/races/builders';

let served: Served;
let stores: Stores;
let key: string;
const HERE = '/v1/racing/results';
const get = async (search = '') => (await served.api.get(HERE + search, key)).body;
const named = async (search = '') => (await get(search)).map((row: { venue: string }) => row.venue);

const runner = (number: number, over: Partial<ResultRunner> = {}): ResultRunner =>
  resultRunner(number, { sp: 2 + number, runner_ref: `ra:${number}`, origin: 'racing_australia', ...over });

async function ran(venue: string, startTime: string, over: Parameters<typeof addRace>[1] = {}) {
  const at = new Date(Date.parse(startTime) + 240_000).toISOString();
  const books = { ladbrokes_au: { runners: feedField(2.5, 4.2, 8), at: startTime } };
  const { raceId } = await addRace(served.db.pool, { venue, startTime, ...over }, books);
  await stores.results.saveResult({ raceId, source: 'ladbrokes_au', result: feedResult(), at });
  return { raceId, at };
}

beforeAll(async () => {
  served = await serve();
  stores = createStores(served.db.pool);
  key = await served.addKey();
  const full = await ran('Full', '2026-11-21T02:00:00.000Z', { trackCondition: 'HVY8' });
  const field = [
    runner(1),
    runner(2, { sp: null }),
    runner(3),
    runner(4, { status: 'scratched', abnormal: 'SB', position: null }),
  ];
  await stores.results.fillField(full.raceId, field, 'racing_australia', full.at);
  const final = await ran('Final', '2026-11-21T01:00:00.000Z');
  await stores.results.finalise(final.raceId, '2026-11-21T01:40:00.000Z');
  await ran('Harness', '2026-11-20T22:00:00.000Z', { category: 'harness', country: 'NZ' });
  await ran('Yesterday', '2026-11-20T02:00:00.000Z', {
    meetingDate: '2026-11-20',
    country: null,
    trackCondition: 'None',
  });
  const off = await addRace(served.db.pool, { venue: 'Off', startTime: '2026-11-21T08:00:00.000Z' }, { tab: {} });
  await stores.results.abandon(off.raceId, 'abandoned', 'tab', '2026-11-21T02:30:00.000Z');
});
afterAll(() => served.stop());

test('newest start first; a race abandoned before its start is already a result', async () => {
  expect(await named()).toEqual(['Off', 'Full', 'Final', 'Harness']);
  expect(await named('?hours_back=168')).toEqual(['Off', 'Full', 'Final', 'Harness', 'Yesterday']);
});

test.each([
  ['hours_back=2', ['Off', 'Full', 'Final']],
  ['date=2026-11-20', ['Yesterday']],
  ['status=final', ['Final']],
  ['status=abandoned', ['Off']],
  ['venue=full,FINAL', ['Full', 'Final']],
  ['categories=harness', ['Harness']],
  ['country=NZ', ['Harness']],
  ['country=AU&hours_back=168', ['Off', 'Full', 'Final']],
  ['date=2026-11-22', []],
])('%s gives %j', async (search, venues) => expect(await named(`?${search}`)).toEqual(venues));

test('paging neither skips nor repeats', async () => {
  const pages = await Promise.all([0, 1, 2, 3, 4].map((offset) => named(`?hours_back=168&limit=1&offset=${offset}`)));
  expect(pages.flat()).toEqual(['Off', 'Full', 'Final', 'Harness', 'Yesterday']);
  expect(await named('?offset=5&hours_back=168')).toEqual([]);
  for (const [limit, sizes] of [
    [1, [1, 1, 1, 1, 1]],
    [2, [2, 2, 1]],
    [5, [5]],
  ] as const) {
    const linked = await followed(`/v1/racing/results?hours_back=168&limit=${limit}`, (path) =>
      served.api.get(path, key),
    );
    expect(linked.map((page) => page.length)).toEqual(sizes);
    expect(linked.flat().map(({ venue }: { venue: string }) => venue)).toEqual(pages.flat());
  }
});

test('a row has the 29 members that published clients know, places_paid, and when the archive begins', async () => {
  const [row] = await get('?venue=final');
  expect(Object.keys(row)).toHaveLength(30);
  expect(row.coverage_from).toBe('2026-11-20T02:00:00.000Z');
});

test('with the full field, placings carry the starting price; null is unknown (A 2.11 rule 2)', async () => {
  const [row] = await get('?venue=full');
  expectConforms('race_results', [row]);
  expect(row).toMatchObject({ track_condition: 'HVY8', going: 'Heavy', going_rating: 8 });
  expect(row).toMatchObject({ field_status: 'complete', field_source: 'racing_australia', field_note: null });
  expect(row.placings[0]).toMatchObject({ position: 1, number: 1, sp: 3, sp_note: null, horse_ref: 'pe:runner1' });
  expect(row.placings[1].sp).toBeNull();
  expect(row.runners[3]).toMatchObject({
    status: 'scratched',
    abnormal: 'SB',
    position: null,
    horse_ref: 'pe:runner4',
  });
});

test('without the full field, runners is null and placings have no sp at all (D3)', async () => {
  const [row] = await get('?venue=final');
  expect(row.runners).toBeNull();
  expect(row.placings[0]).not.toHaveProperty('sp');
  expect(row.placings[0]).toMatchObject({ win_price: 2.5 });
  expect(row).toMatchObject({
    status: 'final',
    field_status: 'pending',
    field_note: expect.stringContaining('expected at'),
  });
});

test('without a collector the field is unsupported, and harness has no horse identity (A 2.1)', async () => {
  const [row] = await get('?venue=harness');
  expect(row).toMatchObject({ field_status: 'unsupported', field_source: null, field_note: null });
  expect(row.placings[0]).toHaveProperty('horse_ref', null);
});

describe('the places paid', () => {
  interface Listed {
    readonly card: number;
    readonly field?: number;
    readonly reported?: number;
    readonly emergency?: true;
    /** Scratched on the card at this time, and in the field. */
    readonly out?: string;
    readonly vacant?: true;
  }
  const placed = async (venue: string, { card, field, reported, emergency, out, vacant }: Listed) => {
    const listed = { venue, startTime: '2026-11-21T00:30:00.000Z' };
    const runners = Array.from({ length: card }, (_, i) => feedRunner(i + 1, { win: 3 + i, place: 1.5 + i }));
    const scratching = { at: out ?? null, late: null, winDeduction: null, placeDeduction: null };
    if (emergency) runners.push(feedRunner(card + 1, { win: 20, emergency: true }));
    if (out) runners.push(feedRunner(card + 1, { scratching }));
    if (vacant) runners.push(feedRunner(card + 1, { name: 'Vacant Box', scratching }));
    const books = { ladbrokes_au: { runners, at: listed.startTime } };
    const { raceId } = await addRace(served.db.pool, listed, books);
    const at = '2026-11-21T00:34:00.000Z';
    const placings = [1, 2, 3, 4].map((number) => ({ position: number, number, name: `Runner ${number}` }));
    await stores.results.saveResult({ raceId, source: 'ladbrokes_au', result: feedResult({ placings }), at });
    const whole = Array.from({ length: field ?? 0 }, (_, i) => runner(i + 1));
    if (out) whole.push(runner(card + 1, { status: 'scratched', position: null }));
    if (field) await stores.results.fillField(raceId, whole, 'racing_australia', at);
    await served.db.pool.query('UPDATE races SET places_paid = $2 WHERE race_id = $1', [raceId, reported ?? null]);
    const [row] = await get(`?venue=${venue}`);
    expectConforms('race_results', [row]);
    return [row.places_paid, row.placings.map((one: { place_price: number | null }) => one.place_price)];
  };

  test('are reported, or follow from the field or from the card; beyond them there is no place price', async () => {
    expect(await placed('Eight', { card: 9, field: 8 })).toEqual([3, [1.5, 2.5, 3.5, null]]);
    expect(await placed('Seven', { card: 7, field: 7 })).toEqual([2, [1.5, 2.5, null, null]]);
    expect(await placed('Four', { card: 4, field: 4 })).toEqual([0, [null, null, null, null]]);
    expect(await placed('Reported', { card: 8, field: 8, reported: 4 })).toEqual([4, [1.5, 2.5, 3.5, 4.5]]);
    expect(await placed('Card', { card: 7 })).toEqual([2, [1.5, 2.5, null, null]]);
  });

  test('follow from the field with the card’s times of scratching, as bets are settled; a vacant box is not a starter', async () => {
    const out = '2026-11-20T22:00:00.000Z';
    expect(await placed('Scratched', { card: 7, field: 7, out })).toEqual([2, [1.5, 2.5, null, null]]);
    expect(await placed('Vacant', { card: 7, vacant: true })).toEqual([2, [1.5, 2.5, null, null]]);
  });

  test('are null if these are not conclusive; more than three are never paid unless reported', async () => {
    expect(await placed('Open', { card: 7, emergency: true })).toEqual([null, [1.5, 2.5, 3.5, null]]);
    // The card lists an eighth runner, which the field does not name.
    expect(await placed('Eighth', { card: 8, field: 7 })).toEqual([null, [1.5, 2.5, 3.5, null]]);
  });

  test('are absent for an abandoned race, and so is the source that coverage counts it under', async () => {
    const [row] = await get('?venue=off');
    expect(row).toMatchObject({ places_paid: null, field_source: 'racing_australia', field_status: 'not_applicable' });
  });
});

test('an abandoned race has no placings and no runners', async () => {
  const [row] = await get('?venue=off');
  expect(row).toMatchObject({ status: 'abandoned', status_note: 'abandoned', placings: [], runners: null });
  expect(row).toMatchObject({ field_status: 'not_applicable', dividends: null, resulted_at: null });
});

test('the track condition None gives no going', async () => {
  const [row] = await get('?venue=yesterday&hours_back=168');
  expect(row).toMatchObject({ track_condition: 'None', going: null, going_rating: null });
});

test('the default of hours_back beside date counts as not sent', async () => {
  expect(await get('?date=2026-11-21&hours_back=24')).toEqual(await get('?date=2026-11-21'));
});

test.each([
  ['date=2026-08-14', 'date must be 2026-08-15 or later: results are collected from that day on.'],
  ['date=2026-11-20&hours_back=3', 'hours_back and date cannot be combined; send one of them.'],
  ['hours_back=169', "hours_back must be an integer from 1 to 168; you sent '169'."],
  ['status=official', "status must be one of final, interim, abandoned; you sent 'official'."],
  ['limit=201', "limit must be an integer from 1 to 200; you sent '201'."],
])('%s is refused', async (search, detail) => {
  expect(await get(`?${search}`)).toMatchObject({ status: 422, detail });
});
