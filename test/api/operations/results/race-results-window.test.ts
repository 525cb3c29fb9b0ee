// Which results a request selects, by window, day and filter, and how faulty requests are refused (A 2.1, A 4.11, A 7).
import { createStores } from '../../../../src/store/create-stores';
import type { Stores } from '../../../../src/store/stores';
import { expectProblemConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedResult } from '../../../support/races/builders';

let served: Served;
let stores: Stores;
let key: string;
beforeAll(async () => {
  served = await serve();
  stores = createStores(served.db.pool);
  key = await served.addKey();
});
afterAll(() => served.stop());

const get = (search: string) => served.api.get(`/v1/racing/results?${search}`, key);
const named = async (search: string): Promise<string[]> => {
  const { status, body } = await get(search);
  expect(status).toBe(200);
  return body.map(({ venue }: { venue: string }) => venue);
};

async function ran(venue: string, startTime: string, listed: Parameters<typeof addRace>[1] = {}): Promise<string> {
  const { raceId } = await addRace(served.db.pool, { venue, startTime, ...listed }, { tab: { at: startTime } });
  await stores.results.saveResult({ raceId, source: 'tab', result: feedResult(), at: startTime });
  return raceId;
}

describe('the window', () => {
  beforeAll(async () => {
    await ran('Seven days', '2026-11-14T03:00:00.000Z', { meetingDate: '2026-11-14' });
    await ran('Longer', '2026-11-14T02:59:59.999Z', { meetingDate: '2026-11-14' });
    await ran('A day', '2026-11-20T03:00:00.000Z', { meetingDate: '2026-11-20' });
    await ran('Today', '2026-11-21T02:00:00.000Z');
  });

  test('hours_back is 24 by default and at most a week, including its first instant', async () => {
    expect(await named('')).toEqual(['Today', 'A day']);
    expect(await named('hours_back=1')).toEqual(['Today']);
    expect(await named('hours_back=168')).toEqual(['Today', 'A day', 'Seven days']);
  });

  test('a date reaches further back than hours_back, and future days are empty', async () => {
    expect(await named('date=2026-11-14')).toEqual(['Seven days', 'Longer']);
    expect(await named('date=2026-11-22')).toEqual([]);
    expect(await named('date=2027-11-22')).toEqual([]);
    expect(await named('date=9999-12-31')).toEqual([]);
  });

  test('a page past the end is empty, and the last one may be short', async () => {
    expect(await named('hours_back=168&limit=200&offset=2')).toEqual(['Seven days']);
    expect(await named('offset=1000000')).toEqual([]);
  });
});

describe('a day is the meeting’s own day in Sydney, even when clocks change (D2)', () => {
  // The clocks go forward on 4 October 2026, a day of 23 hours, and back on 4 April 2027, a day of 25.
  test.each([
    ['2026-10-03', '2026-10-03T13:59:00.000Z'],
    ['2026-10-04', '2026-10-03T14:00:00.000Z'],
    ['2026-10-04', '2026-10-04T12:59:00.000Z'],
    ['2026-10-05', '2026-10-04T13:00:00.000Z'],
    ['2027-04-03', '2027-04-03T12:59:00.000Z'],
    ['2027-04-04', '2027-04-03T13:00:00.000Z'],
    ['2027-04-04', '2027-04-04T13:59:00.000Z'],
    ['2027-04-05', '2027-04-04T14:00:00.000Z'],
  ])('%s has the race of %s, in results and as the last day of coverage', async (meetingDate, startTime) => {
    await ran(startTime, startTime, { meetingDate });
    expect(await named(`date=${meetingDate}`)).toContain(startTime);
    served.api.now = Date.parse(startTime);
    const { body } = await served.api.get('/v1/racing/results/coverage?days=1', key);
    served.api.now = Date.parse('2026-11-21T03:00:00.000Z');
    expect([body.from_day, body.to_day]).toEqual([meetingDate, meetingDate]);
  });

  test('a foreign meeting keeps its own day, even if it runs into the next one in Sydney', async () => {
    await ran('Santa Anita', '2026-11-19T23:30:00.000Z', { meetingDate: '2026-11-19', country: 'US' });
    expect(await named('date=2026-11-19')).toEqual(['Santa Anita']);
  });

  test('a race keeps its meeting’s day when its start moves; hours_back uses the start', async () => {
    await ran('Postponed', '2026-11-16T02:00:00.000Z', { meetingDate: '2026-11-12' });
    expect(await named('date=2026-11-12')).toEqual(['Postponed']);
    expect(await named('date=2026-11-16')).toEqual([]);
    expect(await named('hours_back=121&venue=postponed')).toEqual(['Postponed']);
    expect(await named('hours_back=120&venue=postponed')).toEqual([]);
  });
});

describe('filters', () => {
  beforeAll(async () => {
    const listed = { meetingDate: '2026-11-18' };
    const start = '2026-11-18T02:00:00.000Z';
    await ran('Bet365 Park', start, listed);
    await ran('Park', start, { ...listed, country: null });
    await ran('Ōtaki', start, { ...listed, country: 'NZ' });
    await ran('Gloucester Park', start, { ...listed, category: 'harness' });
  });
  const onDay = async (search: string) => (await named(`date=2026-11-18&${search}`)).sort();

  test.each([
    ['venue=PARK', ['Park']],
    ['venue=bet365 park, pARK', ['Bet365 Park', 'Park']],
    ['venue=ōTAKI', ['Ōtaki']],
    ['venue=Par', []],
    ['venue=Park%25', []],
    ['country=au', ['Bet365 Park', 'Gloucester Park']],
    ['country=AU,NZ', ['Bet365 Park', 'Gloucester Park', 'Ōtaki']],
    ['category=Horse', ['Bet365 Park', 'Park', 'Ōtaki']],
    ['category=horse,harness&categories=harness,horse', ['Bet365 Park', 'Gloucester Park', 'Park', 'Ōtaki']],
    ['categories=greyhound', []],
  ])('%s gives %j', async (search, venues) => expect(await onDay(search)).toEqual(venues));
});

test('one response lists every error of a request', async () => {
  const wrong = 'limit=0&offset=-1&hours_back=0&date=2026-02-30&status=official&country=AUS&category=dog&venue=&from=1';
  const { status, body } = await get(wrong);
  expect(status).toBe(422);
  expectProblemConforms(body);
  const parameters = body.errors.map(({ parameter }: { parameter: string }) => parameter);
  const names = ['category', 'country', 'date', 'date', 'from', 'hours_back', 'limit', 'offset', 'status', 'venue'];
  expect(parameters.sort()).toEqual(names);
});

test.each([
  ['limit=201'],
  ['offset=1000001'],
  ['offset=0.5'],
  ['hours_back=169'],
  ['hours_back=24&hours_back=24'],
  ['date=20261121'],
  ['date=2026-11-21T00:00:00Z'],
  ['date='],
  ['country='],
  ['country=AU,'],
  ['category=horse&categories=greyhound'],
])('%s is a 422', async (search) => expect((await get(search)).status).toBe(422));

test('one response lists the errors of the schema and of the rules', async () => {
  const { body } = await get('date=2026-08-14&limit=0');
  expect(body.errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual(['limit', 'date']);
});
