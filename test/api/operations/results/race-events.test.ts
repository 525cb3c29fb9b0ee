import { RaceEvent } from '../../../../src/api/wire/race-schema';
import { createStores } from '../../../../src/store/create-stores';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedField, feedRunner } from '../../../support/races/builders';

let served: Served;
let free: string;
const HERE = '/v1/racing/events';
const POLL = '2026-11-21T03:00:30.000Z';

beforeAll(async () => {
  served = await serve();
  free = await served.addKey();
  const unpriced = { tab: { runners: feedField(null, null) } };
  await addRace(
    served.db.pool,
    { venue: 'Closed', startTime: '2026-11-21T03:00:00.000Z' },
    {
      pointsbetau: { marketStatus: 'CLOSED', at: POLL },
    },
  );
  await addRace(served.db.pool, { venue: 'Unpriced', startTime: '2026-11-21T04:00:00.000Z' }, unpriced);
  const scratching = { at: '2026-11-21T01:00:00.000Z', late: true, winDeduction: null, placeDeduction: null };
  const dogs = { tab: { runners: [feedRunner(1, { win: 2 }), feedRunner(2, { name: 'Vacant Box', scratching })] } };
  await addRace(served.db.pool, { venue: 'Dogs', category: 'greyhound', startTime: '2026-11-21T06:59:59.000Z' }, dogs);
  await addRace(served.db.pool, { venue: 'Beyond', startTime: '2026-11-21T07:00:00.000Z' }, unpriced);
  const off = await addRace(served.db.pool, { venue: 'Off', startTime: '2026-11-21T03:30:00.000Z' }, unpriced);
  await createStores(served.db.pool).results.abandon(off.raceId, 'abandoned', 'tab', POLL);
});
afterAll(() => served.stop());

const get = async (search = '') => await served.api.get(HERE + search, free);
const venues = async (search = '') => (await get(search)).body.map((race: { venue: string }) => race.venue);

test('every race of the next four hours is listed, priced or not, next to jump first', async () => {
  expect(await venues()).toEqual(['Closed', 'Off', 'Unpriced', 'Dogs']);
  expect(await venues('?hours_ahead=1')).toEqual(['Closed', 'Off']);
  expect(await venues('?date=2026-11-21')).toContain('Beyond');
});

test('a race has every member of its schema', async () => {
  const [race] = (await get()).body;
  expect(Object.keys(race).sort()).toEqual(Object.keys(RaceEvent.properties).sort());
});

test('every caller receives a bookmaker’s market state; a bookmaker does not report in-play (A 2.2)', async () => {
  const [race] = (await get()).body;
  expect(race).toMatchObject({ market_status: 'CLOSED', market_closed_at: POLL, market_state_source: 'pointsbetau' });
  expect(race).toMatchObject({ status: 'open', inplay: null, inplay_at: null });
});

test('status is never revised, even for an abandoned race: results report it (A 2.2)', async () => {
  expect((await get()).body[1]).toMatchObject({ venue: 'Off', status: 'open' });
  expect((await served.api.get('/v1/racing/results?venue=Off', free)).body).toMatchObject([{ status: 'abandoned' }]);
});

test('a scratching has the six members of A 2.2', async () => {
  const [race] = (await get('?category=greyhound')).body;
  expect(race.scratchings).toEqual([
    {
      name: 'Vacant Box',
      number: 2,
      barrier: null,
      scratched_at: '2026-11-21T01:00:00.000Z',
      late: true,
      emergency: null,
    },
  ]);
});

test.each([
  ['', '4'],
  ['?hours_ahead=12', '12'],
  ['?date=2026-11-21', '10'],
])('%s returns the plan’s horizon and the horizon used', async (search, used) => {
  const { headers } = await get(search);
  expect([headers.get('x-horizon-hours'), headers.get('x-horizon-used-hours')]).toEqual(['24', used]);
});

test('a request beyond the ceiling is a free 403 that names the plan and the horizon (A 4.1)', async () => {
  const { status, body, headers } = await get('?hours_ahead=48');
  expect([status, body.code, body.required_plan]).toEqual([403, 'horizon_exceeded', 'standard']);
  expect(body.detail).toBe('The Free plan looks 24 hours ahead; 48 hours need the Standard plan or above.');
  expect(headers.get('x-horizon-hours')).toBe('24');
});

test('a past day is a free 422 that names today’s date', async () => {
  expect((await get('?date=2026-11-20')).body.detail).toBe(
    'date must be today or later: 2026-11-20 is in the past, today in Sydney is 2026-11-21.',
  );
});
