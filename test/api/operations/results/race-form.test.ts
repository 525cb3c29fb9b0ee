// A 4.13: what is particular to form over real HTTP. Other tests cover which runner a run belongs to
// (test/domain/form/form.test.ts).

import { PLAN_IDS } from '../../../../src/plans/plans';
import { createStores } from '../../../../src/store/create-stores';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedRunner, resultRunner } from '../../../support/races/builders';
import { addPastRace, type PastRace } from '../../../support/races/past-race';

let served: Served;
let key: string;
let next: string;
const past: Record<string, string> = {};

const NAMES = ['Gold Trip (FR)', 'Plain Sailing', 'Late Mail', '....'];
const card = (over: object = {}) =>
  NAMES.map((name, i) => feedRunner(i + 1, { name, win: 3 + i, place: 1.5, ...over }));
const ran = (race: Partial<PastRace> & { startTime: string }) =>
  addPastRace(served.db.pool, { runners: card(), venue: `Track ${race.startTime}`, ...race });

beforeAll(async () => {
  served = await serve();
  key = await served.addKey();
  past.oldest = await ran({ startTime: '2026-09-05T03:00:00.000Z' });
  const field = [
    resultRunner(1, {
      name: 'Gold Trip',
      box: 9,
      position: 2,
      sp: 4.5,
      sp_note: 'F',
      margin: '0.75L',
      runner_ref: 'ra:1',
    }),
    resultRunner(2, { name: 'Plain Sailing', position: null, abnormal: 'Fell', jockey: 'B. Other' }),
    resultRunner(3, { name: 'Late Mail', status: 'scratched', position: null }),
    resultRunner(5, { name: 'Unlisted', position: 1 }),
  ];
  past.full = await ran({
    startTime: '2026-10-03T03:00:00.000Z',
    runners: card({ jockey: 'A. Rider', barrier: 4, weightKg: 57.5 }),
    placings: [{ position: 2, number: 1, name: 'Gold Trip' }],
    trackCondition: 'HVY8',
    distanceM: 1600,
    raceName: 'Spring Plate',
    field,
  });
  past.interim = await ran({
    startTime: '2026-11-14T03:00:00.000Z',
    placings: [{ position: 1, number: 2, name: 'Plain Sailing' }],
    interim: true,
  });
  await ran({ startTime: '2026-11-28T03:00:00.000Z' });
  const scratching = { at: '2026-11-20T22:10:00.000Z', late: true, winDeduction: null, placeDeduction: null };
  const runners = card().map((one) => (one.number === 3 ? { ...one, scratching } : one));
  next = (await addRace(served.db.pool, { startTime: '2026-11-21T03:10:00.000Z' }, { tab: { runners } })).raceId;
});
afterAll(() => served.stop());

const request = (search: string, by = key) => served.api.get(`/v1/racing/form?${search}`, by);
const get = async (search: string) => {
  const { status, body } = await request(search);
  expect(status).toBe(200);
  expectConforms('race_form', body);
  return body;
};
type Run = { race_id: string; start_time: string };
const ids = (runs: Run[]): string[] => runs.map((run) => run.race_id);

test('every runner of the card is listed with its earlier runs, newest first', async () => {
  const body = await get(`race_id=${next}`);
  expect(body).toMatchObject({
    race: { race_id: next, venue: 'Flemington', date: '2026-11-21', result_status: null },
    field: 'card',
    as_of: '2026-11-21T03:00:00.000Z',
    coverage_from: '2026-09-05T03:00:00.000Z',
  });
  const [trip, sailing, mail, box] = body.runners;
  expect(trip).toMatchObject({ number: 1, name: 'Gold Trip (FR)', horse_ref: 'pe:goldtrip', scratched: false });
  expect(ids(trip.runs)).toEqual([past.interim, past.full, past.oldest]);
  expect(ids(sailing.runs)).toEqual([past.interim, past.full, past.oldest]);
  expect(mail).toMatchObject({ scratched: true, scratched_at: '2026-11-20T22:10:00.000Z', reason: null });
  expect(ids(mail.runs)).toEqual([past.interim, past.oldest]);
  expect(box).toMatchObject({ number: 4, reason: 'vacant_box', runs: [], record: { runs: 0, finishes_known: 0 } });
});

test('a run with a full field has the field’s figures, and the rest from the card', async () => {
  const [trip, sailing] = (await get(`race_id=${next}`)).runners;
  expect(trip.runs[1]).toEqual({
    race_id: past.full,
    date: '2026-10-03',
    start_time: '2026-10-03T03:00:00.000Z',
    venue: 'Track 2026-10-03T03:00:00.000Z',
    venue_id: 'track-2026-10-03t03-00-00-000z',
    race_number: 1,
    category: 'horse',
    country: 'AU',
    distance_m: 1600,
    track_condition: 'HVY8',
    going: 'Heavy',
    going_rating: 8,
    race_name: 'Spring Plate',
    race_class: null,
    field_size: 3,
    number: 1,
    barrier: 9,
    jockey: 'A. Rider',
    trainer: null,
    weight_kg: 57.5,
    position: 2,
    status: 'ran',
    finish_known: true,
    dead_heat: false,
    abnormal: null,
    margin: '0.75L',
    time_s: null,
    sp: 4.5,
    sp_note: 'F',
    win_price: 3,
    place_price: 1.5,
    result_status: 'final',
    runner_ref: 'ra:1',
    joined_by: 'name',
  });
  expect(sailing.runs[1]).toMatchObject({ position: null, abnormal: 'Fell', finish_known: true, jockey: 'B. Other' });
});

test('if a result names only placegetters, the others have no position and no loss', async () => {
  const [trip, sailing] = (await get(`race_id=${next}`)).runners;
  expect(sailing.runs[0]).toMatchObject({ position: 1, status: 'ran', finish_known: true, result_status: 'interim' });
  expect(trip.runs[0]).toMatchObject({
    position: null,
    status: null,
    finish_known: false,
    field_size: null,
    sp: null,
    win_price: null,
  });
  expect(trip.record).toEqual({ runs: 3, finishes_known: 2, wins: 1, seconds: 1, thirds: 0 });
});

test('`runs` shortens the list and changes nothing else', async () => {
  const all = await get(`race_id=${next}&runs=20`);
  for (const most of [1, 2, 3]) {
    const few = await get(`race_id=${next}&runs=${most}`);
    for (const [i, { runs, reason }] of few.runners.entries()) {
      expect(runs).toEqual(all.runners[i].runs.slice(0, most));
      expect(reason).toBe(all.runners[i].reason);
    }
  }
});

test('every run started before the requested race', async () => {
  for (const raceId of [next, past.full, past.oldest, past.interim]) {
    const { race, runners } = await get(`race_id=${raceId}&runs=20`);
    for (const { runs } of runners as { runs: Run[] }[]) {
      const starts = runs.map((run) => run.start_time);
      expect(starts.every((start) => start < race.start_time)).toBe(true);
      expect(starts).toEqual([...starts].sort().reverse());
      expect(new Set(ids(runs)).size).toBe(runs.length);
    }
  }
});

test('a race with a stored field returns the field’s entries without their positions', async () => {
  const body = await get(`race_id=${past.full}`);
  expect(body).toMatchObject({ race: { result_status: 'final' }, field: 'result' });
  expect(body.runners.map(({ number, scratched }: never) => [number, scratched])).toEqual([
    [1, false],
    [2, false],
    [3, true],
    [5, false],
  ]);
  expect(body.runners[0]).toMatchObject({
    name: 'Gold Trip',
    barrier: 9,
    jockey: 'A. Rider',
    weight: 57.5,
    runner_ref: 'ra:1',
  });
  expect(ids(body.runners[0].runs)).toEqual([past.oldest]);
  expect(body.runners[0]).not.toHaveProperty('position');
});

test('venue, day and number find a race too; an unknown race is a free 404, two with one name a free 409', async () => {
  expect((await get('venue=FLEMINGTON&meeting_date=2026-11-21&race_number=1')).race.race_id).toBe(next);
  const own = await served.addKey();
  const gone = await request('race_id=0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10', own);
  expect([gone.status, gone.body.code]).toEqual([404, 'not_found']);
  for (const category of ['harness', 'greyhound'] as const) {
    await addRace(served.db.pool, { venue: 'Bendigo', category }, { tab: {} });
  }
  const both = await request('venue=bendigo&meeting_date=2026-11-21&race_number=1', own);
  expect([both.status, both.body.code, both.body.candidates.length]).toEqual([409, 'race_ambiguous', 2]);
});

test.each([
  ['runs=0', 'runs'],
  ['runs=21', 'runs'],
  ['runs=six', 'runs'],
  ['venue=', 'venue'],
  ['limit=3', 'limit'],
])('%s is a free 422', async (search, parameter) => {
  const { status, body } = await request(`race_id=${next}&${search}`);
  expect([status, body.errors[0].parameter]).toEqual([422, parameter]);
});

test('every plan may request it', async () => {
  for (const plan of PLAN_IDS)
    expect((await request(`race_id=${next}`, await served.addKey({ plan }))).status).toBe(200);
});

test('a race without runners returns none, and still its coverage', async () => {
  const listed = { venue: 'Empty', startTime: '2026-11-21T05:00:00.000Z' };
  const { raceId } = await addRace(served.db.pool, listed, { tab: { runners: [] } });
  expect(await get(`race_id=${raceId}`)).toMatchObject({
    runners: [],
    reason: 'no_card',
    coverage_from: '2026-09-05T03:00:00.000Z',
  });
});

test('a result that is corrected, or filled late, is returned again with another tag', async () => {
  const startTime = '2026-11-01T03:00:00.000Z';
  const raceId = await ran({
    startTime,
    runners: [feedRunner(1, { name: 'Corrected' })],
    placings: [{ position: 1, number: 1, name: null }],
    interim: true,
  });
  const { raceId: upcoming } = await addRace(
    served.db.pool,
    { venue: 'Asked', startTime: '2026-11-21T06:00:00.000Z' },
    { tab: { runners: [feedRunner(1, { name: 'Corrected' })] } },
  );
  const firstRun = async () => {
    const { headers, body } = await request(`race_id=${upcoming}`);
    return { tag: headers.get('etag'), run: body.runners[0].runs[0] };
  };
  const before = await firstRun();
  expect(before.run).toMatchObject({ race_id: raceId, position: 1, result_status: 'interim' });
  const { results } = createStores(served.db.pool);
  const late = resultRunner(1, { name: 'Corrected', position: 4 });
  await results.fillField(raceId, [late], 'racing_australia', '2026-11-09T03:00:00.000Z');
  const after = await firstRun();
  expect(after.run).toMatchObject({ position: 4, field_size: 1, runner_ref: null });
  expect(after.tag).not.toBe(before.tag);
  await results.abandon(raceId, 'abandoned', 'tab', '2026-11-09T04:00:00.000Z');
  expect((await firstRun()).run).toBeUndefined();
});
