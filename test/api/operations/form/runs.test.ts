// B 4.6 to 4.8: what is particular to stored runs over real HTTP. The derivation from a field has its own tests
// (test/domain/form).
import { fillRuns } from '../../../../src/activities/runs/fill-runs';
import { createStores } from '../../../../src/store/create-stores';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { feedRunner, resultRunner } from '../../../support/races/builders';
import { addPastRace } from '../../../support/races/past-race';
import { addRuns } from '../../../support/races/stored-runs';

let served: Served;
let key: string;
let final: string;

beforeAll(async () => {
  served = await serve();
  key = await served.addKey();
  const runners = [feedRunner(1, { name: "Gold O'Trip", weightKg: 57.5 }), feedRunner(2, { name: 'Plain Sailing' })];
  const named = { name: "GOLD O'TRIP", jockey: 'A. Rider', trainer: 'B. Trainer' };
  const field = (runner_ref: string, position: number) => [
    resultRunner(1, {
      ...named,
      runner_ref,
      position,
      sp: 4.5,
      sp_note: 'F',
      box: 3,
      time_s: position === 1 ? 70.5 : null,
    }),
    resultRunner(2, { name: 'Plain Sailing', position: 3 - position, time_s: position === 2 ? 71.25 : null }),
  ];
  const placings = (first: number) =>
    [first, 3 - first].map((number, i) => ({ position: i + 1, number, name: runners[number - 1]!.name }));
  await addPastRace(served.db.pool, {
    startTime: '2026-11-01T03:00:00.000Z',
    venue: 'Randwick',
    runners,
    placings: placings(2),
    field: field('ra:1001', 2),
  });
  final = await addPastRace(served.db.pool, {
    startTime: '2026-11-14T03:00:00.000Z',
    runners,
    placings: placings(1),
    field: field('ra:1002', 1),
    distanceM: 1200,
    raceName: 'Harvest Plate',
  });
  await fillRuns({ stores: createStores(served.db.pool), log: { warn: jest.fn() } as never });
  await addRuns(
    served.db.pool,
    {
      name: 'Namesake',
      start_time: '2026-11-02T09:00:00.000Z',
      runner_ref: 'grv:11',
      position: 1,
      distance_m: 515,
      box: 1,
      time_s: 29.5,
    },
    {
      name: 'NAMESAKE',
      start_time: '2026-11-09T09:00:00.000Z',
      runner_ref: 'grsa:22',
      position: 2,
      distance_m: 515,
      box: 8,
      time_s: 29.9,
    },
    {
      name: 'Namesake',
      start_time: '2026-11-10T09:00:00.000Z',
      runner_ref: 'grv:11',
      position: 4,
      distance_m: 595,
      box: 1,
    },
    {
      name: 'Namesake',
      start_time: '2026-11-11T09:00:00.000Z',
      runner_ref: 'grv:11',
      position: null,
      status: 'reserve',
    },
  );
});
afterAll(() => served.stop());

const request = (path: string, name: string, value: string, more = '') =>
  served.api.get(`/v1/racing/${path}?${name}=${encodeURIComponent(value)}${more}`, key);
async function get(operation: string, path: string, name: string, value: string, more = '') {
  const { status, body } = await request(path, name, value, more);
  expect(status).toBe(200);
  expectConforms(operation, body);
  return body;
}
const horse = (value: string, more = '') => get('horse_runs', 'horses/runs', 'horse', value, more);
const dog = (value: string, more = '') => get('greyhound_form', 'greyhounds/form', 'dog', value, more);
const stats = (value: string, more = '') => get('greyhound_stats', 'greyhounds/stats', 'dog', value, more);

test('a horse is found by any spelling of its whole name and by its reference; each run has every fact', async () => {
  const body = await horse('gold otrip');
  expect(body).toMatchObject({
    horse: "GOLD O'TRIP",
    name_key: 'goldotrip',
    horse_ref: 'pe:goldotrip',
    runner_refs: ['ra:1002', 'ra:1001'],
    runs_total: 2,
    stats: { starts: 2, wins: 1, places: 2, win_pct: 50, place_pct: 100 },
    source: {
      feed: 'puntersedge_results',
      region: 'AU',
      sport: 'thoroughbred',
      collectors: ['racing_australia'],
      coverage_from: '2026-11-01T03:00:00.000Z',
      coverage_to: '2026-11-14T03:00:00.000Z',
      refreshed_hourly: true,
    },
  });
  expect(body.runs[0]).toEqual({
    date: '2026-11-14',
    start_time: '2026-11-14T03:00:00.000Z',
    venue: 'Flemington',
    race_number: 1,
    distance_m: 1200,
    race_name: 'Harvest Plate',
    track_condition: null,
    number: 1,
    box: 3,
    position: 1,
    status: 'ran',
    abnormal: null,
    margin: null,
    time_s: 70.5,
    sp: 4.5,
    sp_note: 'F',
    dead_heat: false,
    trainer: 'B. Trainer',
    jockey: 'A. Rider',
    field_size: 2,
    weight_kg: 57.5,
    carried_kg: null,
    race_class: null,
    race_time_s: 70.5,
    last_600m_s: null,
    prize_total: null,
    prize_won: null,
    runner_ref: 'ra:1002',
    horse_ref: 'pe:goldotrip',
    result_id: final,
    origin: 'results',
  });
  expect(body.runs[1]).toMatchObject({ position: 2, time_s: null, race_time_s: 71.25 });
  for (const same of ["Gold O'Trip", 'GOLD-O TRIP', 'pe:goldotrip']) expect(await horse(same)).toEqual(body);
});

test('a code identifies one meeting’s run; limit shortens the runs and nothing else', async () => {
  for (const code of ['ra:1001', '1001'])
    expect(await horse(code)).toMatchObject({ runs_total: 1, runs: [{ runner_ref: 'ra:1001' }], stats: { wins: 0 } });
  const one = await horse('Gold O’Trip', '&limit=1');
  expect(one).toMatchObject({ runs_total: 2, runs: [{ runner_ref: 'ra:1002' }], stats: { starts: 2 } });
});

test('a dog’s name joins the runs of every registry; an id returns only that id’s', async () => {
  const body = await dog('namesake');
  expect(body).toMatchObject({ dog: 'Namesake', runner_refs: ['grv:11', 'grsa:22'], runs_total: 4 });
  expect(body.runs.map((run: { status: string }) => run.status)).toEqual(['reserve', 'ran', 'ran', 'ran']);
  expect(body.source).toMatchObject({ coverage_from: '2026-11-02T09:00:00.000Z', results_from: null });
  expect(await dog('grsa:22')).toMatchObject({ runs_total: 1, runner_refs: ['grsa:22'] });
  expect(await dog('11')).toEqual(await dog('grv:11'));
  expect(await dog('grv:11', '&limit=2')).toMatchObject({
    runs_total: 3,
    runs: [{ status: 'reserve' }, { position: 4 }],
  });
});

test('statistics count starts only, grouped by any combination of dimensions', async () => {
  const body = await stats('Namesake');
  expect(body).toMatchObject({ dog_id: 11, group_by: ['track'], candidates: [], ambiguous: false });
  expect(body.groups).toEqual([
    {
      track: 'Sandown Park',
      distance_m: null,
      box: null,
      grade: null,
      starts: 3,
      wins: 1,
      places: 2,
      win_pct: 33.33,
      place_pct: 66.67,
      avg_time_s: 29.7,
      best_time_s: 29.5,
      avg_first_split: null,
    },
  ]);
  const crossed = await stats('Namesake', '&by=box,distance');
  expect(crossed.group_by).toEqual(['distance', 'box']);
  expect(crossed.groups.map((one: Record<string, number>) => [one.distance_m, one.box, one.starts, one.wins])).toEqual([
    [595, 1, 1, 0],
    [515, 8, 1, 0],
    [515, 1, 1, 1],
  ]);
  expect((await stats('grv:11', '&by=grade')).groups).toMatchObject([{ grade: null, starts: 2 }]);
  expect(await stats('grsa:22')).toMatchObject({ dog_id: null });
});

test.each([
  ['horses/runs', 'horse', 'Namesake'],
  ['horses/runs', 'horse', 'Gold'],
  ['horses/runs', 'horse', 'ra:9'],
  ['horses/runs', 'horse', '…'],
  ['greyhounds/form', 'dog', 'Gold O Trip'],
  ['greyhounds/form', 'dog', 'grv:22'],
  ['greyhounds/stats', 'dog', 'Nobody Home'],
])('%s of unknown %s %s is a 404', async (path, name, value) => {
  const { status, body } = await request(path, name, value);
  expect([status, body.code]).toEqual([404, 'not_found']);
});

test.each([
  ['horses/runs?horse=Gold&date=2026-11-01', 'date'],
  ['horses/runs', 'horse'],
  ['horses/runs?horse=Gold&limit=0', 'limit'],
  ['horses/runs?horse=%20', 'horse'],
  ['greyhounds/form?dog=Namesake&limit=501', 'limit'],
  ['greyhounds/stats?dog=Namesake&by=track,colour', 'by'],
  ['greyhounds/stats?by=track', 'dog'],
])('%s is a 422', async (path, parameter) => {
  const { status, body } = await served.api.get(`/v1/racing/${path}`, key);
  expect([status, body.errors[0].parameter]).toEqual([422, parameter]);
});
