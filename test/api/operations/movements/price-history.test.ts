// GET /v1/racing/price-history (B 2.4, B 4.4): figures, selection by the UTC day, bounds and refusals. That ticks and
// archive agree is a property's.

import { NOW } from '../../../support/api/api';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { feedRunner } from '../../../support/races/builders';
import { type PolledRace, polledRace } from '../../../support/races/polled-race';

/** Monday 10:20 in Sydney, Sunday in UTC. */
const START = '2026-11-15T23:20:00.000Z';

let served: Served;
let key: string;
let race: PolledRace;
beforeAll(async () => {
  served = await serve();
  key = await served.addKey({ plan: 'free' });
  const { pool } = served.db;
  const listed = { startTime: START, meetingDate: '2026-11-16', raceNumber: 4, venue: 'Albury' };
  race = await polledRace(pool, listed, {
    tab: [
      [3590, 4, 2],
      [1800, 3.2, 2],
      [900, null, 2],
      [600, 3.2, 2],
      [5, 5, 2],
    ],
    neds: [[1200, 6, null]],
    pinnacle: [[1200, 7, 3]],
    pointsbetau: [],
  });
  await race.poll('pointsbetau', [-80], { runners: [], marketStatus: 'CLOSED' });
});
afterAll(() => served.stop());

const get = (search: string, as = key) => served.api.get(`/v1/racing/price-history?${search}`, as);

test('has open, close, high, low and every captured price, counted to the jump', async () => {
  const { status, body } = await get(`race_id=${race.raceId}`);
  expect(status).toBe(200);
  expectConforms('price_history', body);
  expect(body).toMatchObject({
    race_id: race.raceId,
    venue: 'Albury',
    race_number: 4,
    category: 'horse',
    country: 'AU',
    start_time: START,
    history_from: null,
    points_returned: 5,
    truncated: false,
  });
  expect(body.runners.map((one: { name: string; number: number }) => [one.number, one.name])).toEqual([
    [1, 'Runner 1'],
    [2, 'Runner 2'],
  ]);
  const [{ bookmakers }, second] = body.runners;
  expect(second.bookmakers.map((one: { key: string }) => one.key)).toEqual(['tab']);
  const point = (secs: number, win_price: number) => ({
    captured_at: new Date(Date.parse(START) - secs * 1000).toISOString(),
    secs_to_jump: secs + 80,
    win_price,
    lay_price: null,
  });
  expect(bookmakers).toEqual([
    {
      key: 'neds',
      open_price: 6,
      close_price: 6,
      open_secs_to_jump: 1280,
      close_secs_to_jump: 1280,
      open_is_baseline: false,
      high: 6,
      low: 6,
      move_pct: 0,
      points_count: 1,
      points: [point(1200, 6)],
    },
    {
      key: 'tab',
      open_price: 4,
      close_price: 5,
      open_secs_to_jump: 3670,
      close_secs_to_jump: 85,
      open_is_baseline: true,
      high: 5,
      low: 3.2,
      move_pct: 25,
      points_count: 3,
      points: [point(3590, 4), point(1800, 3.2), point(5, 5)],
    },
  ]);
});

test('after a start was put back, the first captured price did not stand when the hour before it began', async () => {
  const moved = await polledRace(
    served.db.pool,
    { startTime: START, meetingDate: '2026-11-16', raceNumber: 8 },
    {
      tab: [[3500, 4]],
      ladbrokes_au: [
        [3500, 4],
        [3000, 5],
      ],
    },
  );
  const startTime = new Date(Date.parse(START) + 1200_000).toISOString();
  const runners = [feedRunner(1, { win: 6 })];
  for (const book of ['ladbrokes_au', 'tab'])
    await moved.poll(book, [1000], { runners, marketStatus: 'OPEN', startTime });
  const { body } = await get(`race_id=${moved.raceId}`);
  expect(body.start_time).toBe(startTime);
  const opens = body.runners[0].bookmakers.map((one: Record<string, unknown>) => [
    one.key,
    one.open_price,
    one.open_secs_to_jump,
    one.open_is_baseline,
    one.points_count,
  ]);
  expect(opens).toEqual([
    ['ladbrokes_au', 4, 4700, false, 3],
    ['tab', 4, 4700, true, 2],
  ]);
});

test('a point observed late counts in no figure; while a race is late and open, every price counts (D63)', async () => {
  const found = await polledRace(
    served.db.pool,
    { startTime: new Date(Date.parse(NOW) - 120_000).toISOString(), venue: 'Warwick Farm', raceNumber: 9 },
    { tab: [[600, 4]], neds: [] },
  );
  for (const [book, seconds, win] of [
    ['tab', -30, 5],
    ['neds', -21_600, 7],
  ] as const)
    await found.poll(book, [seconds, win], { marketStatus: book === 'tab' ? 'OPEN' : null });
  const figures = async () => {
    const { body } = await get(`race_id=${found.raceId}`);
    return body.runners[0].bookmakers.map((one: Record<string, unknown>) => [
      one.key,
      one.open_price,
      one.close_price,
      one.high,
      one.points_count,
    ]);
  };
  await served.db.pool.query(
    `UPDATE races SET left_board_at = NULL, market_status = 'OPEN', market_state_source = 'pointsbetau' WHERE race_id = $1`,
    [found.raceId],
  );
  expect(await figures()).toEqual([
    ['neds', 7, 7, 7, 1],
    ['tab', 4, 5, 5, 2],
  ]);
  await served.db.pool.query(
    `UPDATE races SET left_board_at = start_time + interval '6 hours', market_status = 'CLOSED', market_closed_at = start_time + interval '6 hours' WHERE race_id = $1`,
    [found.raceId],
  );
  expect(await figures()).toEqual([
    ['neds', null, null, null, 1],
    ['tab', 4, 4, 4, 2],
  ]);
});

test('operators see the books that customers may not', async () => {
  const operator = await served.addKey({ role: 'internal' });
  const books = async (as: string, search = '') => {
    const { body } = await get(`race_id=${race.raceId}&include_points=false${search}`, as);
    return body.runners?.[0].bookmakers.map((one: { key: string }) => one.key) ?? body.code;
  };
  expect(await books(operator)).toEqual(['neds', 'pinnacle', 'tab']);
  expect(await books(operator, '&bookmakers=pinnacle')).toEqual(['pinnacle']);
  expect(await books(key)).toEqual(['neds', 'tab']);
  expect(await books(key, '&bookmakers=pinnacle')).toBe('validation');
});

test('without points there are figures only, and nothing is truncated', async () => {
  const { body } = await get(`race_id=${race.raceId}&include_points=false`);
  expectConforms('price_history', body);
  expect([body.points_returned, body.truncated]).toEqual([0, false]);
  expect(body.runners[0].bookmakers[1]).toMatchObject({ points_count: 3, high: 5 });
  expect(body.runners[0].bookmakers[1]).not.toHaveProperty('points');
});

test('max_points keeps the latest points of the race; figures use all of them', async () => {
  const { raceId } = await polledRace(
    served.db.pool,
    { startTime: START, meetingDate: '2026-11-16', raceNumber: 5 },
    { tab: Array.from({ length: 70 }, (_, i) => [3500 - i, 2 + i, 3 + i] as const), neds: [[3400, 4, 4]] },
  );
  const whole = (await get(`race_id=${raceId}`)).body;
  expect([whole.points_returned, whole.truncated]).toEqual([142, false]);
  const { body } = await get(`race_id=${raceId}&max_points=100`);
  expect([body.points_returned, body.truncated]).toEqual([100, true]);
  const seconds = body.runners.flatMap((one: { bookmakers: { points: { secs_to_jump: number }[] }[] }) =>
    one.bookmakers.flatMap(({ points }) => points.map((point) => point.secs_to_jump)),
  );
  expect(Math.max(...seconds)).toBe(3479);
  const figures = ({ points: _, ...rest }: { points: object[] }) => rest;
  expect(body.runners[0].bookmakers.map(figures)).toEqual(whole.runners[0].bookmakers.map(figures));
  expect((await get(`race_id=${raceId}&max_points=142`)).body.truncated).toBe(false);
});

test('date is the UTC day of the start, in any spelling of the venue', async () => {
  const at = (date: string, more = '') => get(`venue=ALBURY&race_number=4&date=${date}${more}`);
  expect((await at('2026-11-15')).body.race_id).toBe(race.raceId);
  expect((await at('2026-11-16')).status).toBe(404);
  const { pool } = served.db;
  const harness = { startTime: '2026-11-15T10:00:00.000Z', meetingDate: '2026-11-15', raceNumber: 4, venue: 'Albury' };
  const other = await polledRace(pool, { ...harness, category: 'harness' }, { tab: [[600, 3]] });
  const refused = await at('2026-11-15');
  expect([refused.status, refused.body.code]).toEqual([409, 'race_ambiguous']);
  expect(refused.body.candidates.map((one: { race_id: string }) => one.race_id)).toEqual([other.raceId, race.raceId]);
});

test('a race without captured prices, or none at the named books, is a 404', async () => {
  const { pool } = served.db;
  const { raceId } = await polledRace(pool, { startTime: START, raceNumber: 9 }, { tab: [[7200, 3, 4]] });
  const cases = [
    `race_id=${raceId}`,
    `race_id=${race.raceId}&bookmakers=unibet`,
    'race_id=00000000-0000-4000-8000-000000000000',
  ];
  for (const search of cases) expect((await get(search)).body).toMatchObject({ status: 404, code: 'not_found' });
});

test.each([
  ['', ['race_id']],
  ['venue=Albury&date=2026-11-15', ['race_number']],
  ['venue=Albury&meeting_date=2026-11-15&race_number=1', ['meeting_date', 'date']],
  ['race_id=nonsense', ['race_id']],
  ['race_id=ID&max_points=99', ['max_points']],
  ['race_id=ID&max_points=20001', ['max_points']],
  ['race_id=ID&include_points=perhaps', ['include_points']],
  ['venue=Albury&race_number=1&date=2026-02-30', ['date']],
])('%s is a 422', async (search, parameters) => {
  const { status, body } = await get(search.replace('ID', race.raceId));
  expect([status, body.errors.map((one: { parameter: string }) => one.parameter)]).toEqual([422, parameters]);
});
