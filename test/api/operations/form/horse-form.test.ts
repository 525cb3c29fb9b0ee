// B 4.5 over real HTTP: which page is read for which name or code, when a stored one is read again, and what is served
// without the registry. The reader stands in for a worker: it stores pages by the real store. The path through
// workflow, door and site has its own tests.
import type { FormReader } from '../../../../src/api/operations/form/form-reader';
import type { HorseForm } from '../../../../src/domain/form/horse-form';
import { REGISTRY } from '../../../../src/domain/registry/registry';
import { createStores } from '../../../../src/store/create-stores';
import type { FormRead } from '../../../../src/workflows/contract';
import { NOW } from '../../../support/api/api';
import { expectConforms, expectProblemConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { feedRunner } from '../../../support/races/builders';
import { formRun, horseForm } from '../../../support/races/horse-form';
import { addPastRace } from '../../../support/races/past-race';
import { addRuns } from '../../../support/races/stored-runs';

/** A reading that does not come. */
type Missed = Exclude<FormRead, { kind: 'stored' }>;
const AWAY: Missed = { kind: 'away', retryAfterMs: 61_500 };

let served: Served;
let key: string;
let stores: ReturnType<typeof createStores>;
/** The registry's pages, by code; any other is absent. */
let pages: Record<string, HorseForm | Missed>;
let read: string[];

const formReader: FormReader = {
  async read(code, withinMs) {
    expect(withinMs).toBe(8000);
    read.push(code);
    const page = pages[code] ?? { kind: 'absent' };
    if ('kind' in page) return page;
    await stores.forms.save({ ...page, runnerCode: code }, new Date(served.api.now).toISOString());
    return { kind: 'stored' };
  },
};

beforeAll(async () => {
  served = await serve({ formReader });
  stores = createStores(served.db.pool);
  key = await served.addKey();
});
afterAll(() => served.stop());
beforeEach(() => {
  served.api.now = Date.parse(NOW);
  pages = {};
  read = [];
});

const HOUR = 3_600_000;
const request = (horse: string) => served.api.get(`/v1/racing/horses/form?horse=${encodeURIComponent(horse)}`, key);
async function form(horse: string) {
  const { status, body } = await request(horse);
  expect([horse, status]).toEqual([horse, 200]);
  expectConforms('horse_form', body);
  return body;
}
async function refused(horse: string) {
  const { status, body, headers } = await request(horse);
  expectProblemConforms(body);
  return [status, body.code, headers.get('retry-after')];
}
/** A stored run of a horse. */
const ran = (name: string, runner_ref: string | null, day: string, over: object = {}) =>
  addRuns(served.db.pool, { name, runner_ref, category: 'horse', start_time: `${day}T03:00:00.000Z`, ...over });

test('a name in any spelling reads the most recent code once, and every fact of the page is served', async () => {
  await ran("Gold O'Trip", 'ra:100', '2026-10-03');
  await ran("Gold O'Trip", 'ra:101', '2026-11-01', { trainer: 'T. Ofthatday' });
  await ran("Gold O'Trip", 'ra:99', '2026-08-20', { trainer: 'Too Early' });
  const runs = [formRun(), formRun({ trial: true, sp: null, prices: [] }), formRun({ date: '2026-08-20' })];
  pages = { 101: horseForm({ name: "GOLD O'TRIP (NZ)", runs }) };
  const body = await form('gold  otrip');
  expect(body).toMatchObject({
    horse_name: "GOLD O'TRIP (NZ)",
    horse_ref: 'pe:goldotrip',
    runner_ref: 'ra:101',
    ambiguous: false,
    candidates: [],
    profile: {
      age_sex: '8yo Bay Horse',
      colours: null,
      dam: 'SEA TRIP',
      dob: '2018-09-01',
      last_gear_change: null,
      sire: 'GOLD SIRE',
      trainer: 'A. Trainer',
      trainer_location: 'Flemington',
    },
    career: { starts: 2, wins: 1, seconds: 0, thirds: 0, prizemoney: 1234.5, splits: {} },
    source: {
      feed: 'racing_australia',
      fetched_at: NOW,
      region: 'AU',
      sport: 'thoroughbred',
      stale: false,
      note: null,
    },
  });
  expect(body.runs[0]).toEqual({
    date: '2026-11-01',
    track: 'FLEM',
    race_number: null,
    trial: false,
    position: 1,
    field_size: 9,
    distance_m: 1200,
    going: 'Good',
    going_rating: 4,
    jockey: 'A. Rider',
    jockey_code: '30417',
    meet_code: '77',
    weight_kg: 57.5,
    barrier: 3,
    sp: 4.5,
    prices: [5, 4.5],
    margin_l: 1.25,
    pir: [{ at_m: 800, position: 4 }],
    placegetters: [{ name: 'Plain Sailing', position: 2, runner_ref: 'ra:102', weight_kg: 56 }],
    prize_total: 100_000,
    prize_won: 55_000,
    race_class: 'BM78',
    result_raw: '1st of 9',
    time_s: 70.5,
    sectional_distance_m: 600,
    sectional_time_s: 34.5,
    trainer: 'T. Ofthatday',
  });
  expect(body.runs.map(({ trainer }: { trainer: string }) => trainer)).toEqual(['T. Ofthatday', null, null]);
  for (const same of ["Gold O'Trip", 'GOLD-O TRIP', 'pe:goldotrip', '101', 'ra:100'])
    expect(await form(same)).toEqual(body);
  expect(read).toEqual(['101']);
});

test('a code fixes what is read; a code that no feed reported is read too, and an unknown one is a 404', async () => {
  await ran('Pinned', 'ra:200', '2026-10-03');
  await ran('Pinned', 'ra:201', '2026-11-01');
  pages = { 200: horseForm({ name: 'PINNED' }), 777: horseForm({ name: 'PLACEGETTER' }) };
  expect(await form('ra:200')).toMatchObject({ runner_ref: 'ra:200', horse_name: 'PINNED' });
  expect(await form('777')).toMatchObject({ runner_ref: 'ra:777', horse_ref: 'pe:placegetter' });
  expect(await form('Placegetter')).toMatchObject({ runner_ref: 'ra:777' });
  expect(await refused('ra:778')).toEqual([404, 'not_found', null]);
  // The registry's page of an unknown code belongs to no horse.
  pages = { 779: { kind: 'unreadable' }, 780: { kind: 'failed' } };
  expect(await refused('ra:779')).toEqual([404, 'not_found', null]);
  expect(await refused('ra:780')).toEqual([502, 'upstream_failure', null]);
  expect(read).toEqual(['200', '777', '778', '779', '780']);
});

test('a page is not re-read for six hours, and then after a new start or seven days', async () => {
  await ran('Often Read', 'ra:300', '2026-11-01');
  pages = { 300: horseForm({ name: 'OFTEN READ' }) };
  const fetchedAt = async (hours: number) => {
    served.api.now = Date.parse(NOW) + hours * HOUR;
    return (await form('Often Read')).source.fetched_at;
  };
  expect([await fetchedAt(0), await fetchedAt(20)]).toEqual([NOW, NOW]);
  const winner = { number: 1, name: 'Often Read' };
  const startTime = new Date(Date.parse(NOW) + 21 * HOUR).toISOString();
  await addPastRace(served.db.pool, {
    startTime,
    runners: [feedRunner(1, winner)],
    placings: [{ position: 1, ...winner }],
  });
  const again = await fetchedAt(23);
  expect(again).toBe(new Date(Date.parse(NOW) + 23 * HOUR).toISOString());
  expect(await fetchedAt(23 + 7 * 24)).toBe(again);
  expect(await fetchedAt(24 + 7 * 24)).not.toBe(again);
  expect(read).toEqual(['300', '300', '300']);
});

test('while the registry is unavailable, for any reason, the last reading is served as stale', async () => {
  await ran('Kept Copy', 'ra:400', '2026-11-01');
  pages = { 400: horseForm({ name: 'KEPT COPY' }) };
  await form('Kept Copy');
  served.api.now += 8 * 24 * HOUR;
  for (const missed of [AWAY, { kind: 'failed' }, { kind: 'absent' }] as const) {
    pages = { 400: missed };
    const { source } = await form('Kept Copy');
    expect(source).toMatchObject({ feed: 'racing_australia', fetched_at: NOW, stale: true });
    expect(source.note).toEqual(expect.any(String));
  }
  expect((await request('Kept Copy')).headers.get('x-data-age-seconds')).toBe(String(8 * 24 * 3600));
});

test('without a page the response has the service’s own runs', async () => {
  const facts = { position: 2, margin: '0.75L', sp: 6.5, box: 4, race_time_s: 91.24, track_condition: 'Soft (5)' };
  await ran('Own Runs', 'ra:500', '2026-11-01', {
    ...facts,
    trainer: 'B. Trainer',
    prize_total: 100,
    last_600m_s: 34.5,
  });
  await ran('Own Runs', 'ra:501', '2026-10-01', { sp: null, margin: null });
  await ran('Own Runs', 'ra:502', '2026-11-08', { status: 'scratched', position: null });
  pages = { 502: AWAY };
  const body = await form('Own Runs');
  expect(body).toMatchObject({ horse_name: 'Own Runs', runner_ref: 'ra:502', profile: null, career: null });
  expect(body.source).toMatchObject({ feed: 'puntersedge_results', fetched_at: null, stale: false });
  expect(body.source.note).toContain('from 2026-10-01 to 2026-11-01');
  expect(body.runs).toHaveLength(2);
  expect(body.runs[0]).toMatchObject({
    date: '2026-11-01',
    track: 'Sandown Park',
    position: 2,
    margin_l: 0.75,
    sp: 6.5,
    prices: [6.5],
    barrier: 4,
    going: 'Soft',
    going_rating: 5,
    time_s: 91.24,
    trainer: 'B. Trainer',
    prize_total: 100,
    placegetters: [],
    sectional_distance_m: 600,
    sectional_time_s: 34.5,
    result_raw: null,
    trial: false,
  });
  expect(body.runs[1]).toMatchObject({ sp: null, prices: [], margin_l: null, sectional_distance_m: null });
  await ran('No Code', null, '2026-11-01');
  expect((await form('No Code')).source.feed).toBe('puntersedge_results');
  expect(read).toEqual(['502']);
});

test('with nothing stored: 503 while the registry refuses, 502 for an unreadable page, 404 if there is none', async () => {
  await ran('Not Read', 'ra:600', '2026-11-01', { status: 'scratched', position: null });
  pages = { 600: AWAY };
  expect(await refused('Not Read')).toEqual([503, 'unavailable', '62']);
  for (const kind of ['failed', 'unreadable'] as const) {
    pages = { 600: { kind } };
    expect(await refused('Not Read')).toEqual([502, 'upstream_failure', null]);
  }
  pages = {};
  expect(await refused('Not Read')).toEqual([404, 'not_found', null]);
  expect(served.api.logged).toEqual([]);
  read = [];
  for (const unknown of ['Never Seen', '…', 'ra:x', '-5'])
    expect(await refused(unknown)).toEqual([404, 'not_found', null]);
  expect(read).toEqual([]);
});

test('behind a closed door nothing is read, and Retry-After is the door’s', async () => {
  await ran('Waits', 'ra:700', '2026-11-01', { status: 'scratched', position: null });
  pages = { 700: horseForm({ name: 'WAITS' }) };
  const at = (seconds: number) => new Date(Date.parse(NOW) + 1000 * seconds).toISOString();
  await stores.doors.pause(REGISTRY, { at: NOW, retryAt: at(30), note: '429' });
  expect(await refused('Waits')).toEqual([503, 'unavailable', '30']);
  await stores.doors.wall(REGISTRY, { at: NOW, retryAt: at(600), note: 'challenge' }, false);
  expect(await refused('Waits')).toEqual([503, 'unavailable', '600']);
  await stores.doors.wall(REGISTRY, { at: NOW, retryAt: null, note: 'challenge' }, true);
  expect(await refused('Waits')).toEqual([503, 'unavailable', '60']);
  expect(read).toEqual([]);
  await stores.doors.open(REGISTRY, at(1), at(1), null);
  expect(await form('Waits')).toMatchObject({ runner_ref: 'ra:700' });
});

test.each(['horses/form', 'horses/form?horse=%20', 'horses/form?horse=Gold&limit=5'])('%s is a 422', async (path) => {
  expect((await served.api.get(`/v1/racing/${path}`, key)).status).toBe(422);
});
