// The run store over real results: which races are due, what a pass writes, and that nothing is written twice or lost.
// Horses found by names and codes, and their stored form pages.
import { fillRuns } from '../../../src/activities/runs/fill-runs';
import { createStores } from '../../../src/store/create-stores';
import { createReads } from '../../../src/store/reads/reads';
import { readAnimalRuns, readRunSpan } from '../../../src/store/reads/runs/animal-runs';
import type { Stores } from '../../../src/store/stores';
import { feedRunner, resultRunner } from '../../support/races/builders';
import { horseForm } from '../../support/races/horse-form';
import { addPastRace, type PastRace } from '../../support/races/past-race';
import { registryCard, registryListing, registryRace, registryRunner } from '../../support/races/registry';
import { addRuns } from '../../support/races/stored-runs';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';

let db: TestDatabase;
let pool: ReturnType<typeof poolAs>;
let stores: Stores;
beforeAll(async () => {
  db = await createTestDatabase();
  pool = poolAs(db, 'racing_worker');
  stores = createStores(pool);
});
afterAll(async () => {
  await pool.end();
  await db.drop();
});

const LATER = '2026-11-20T00:00:00.000Z';
const log = { warn: jest.fn() } as never;
const pass = () => fillRuns({ stores, log });
const DOGS = ['Quick Sixpence', 'Slow Coach', 'Third Man', 'Late Out'];
const card = DOGS.map((name, i) => feedRunner(i + 1, { name }));

/** A greyhound race of these positions by number; null did not start. */
const ran = (startTime: string, positions: readonly (number | null)[], over: Partial<PastRace> = {}) =>
  addPastRace(db.pool, {
    startTime,
    category: 'greyhound',
    venue: `Track ${startTime}`,
    runners: card,
    placings: positions.flatMap((position, i) =>
      position !== null && position <= 3 ? [{ position, number: i + 1, name: DOGS[i]! }] : [],
    ),
    field: fieldOf(positions),
    ...over,
  });
const fieldOf = (positions: readonly (number | null)[]) =>
  positions.map((position, i) =>
    resultRunner(i + 1, {
      name: DOGS[i]!,
      position,
      status: position === null ? 'scratched' : 'ran',
      runner_ref: `grv:${i + 1}`,
      time_s: position === null ? null : 29 + position / 10,
    }),
  );

test('a pass stores each entry once; the next has nothing to do', async () => {
  const first = await ran('2026-11-01T09:00:00.000Z', [1, 2, 3, null]);
  await ran('2026-11-08T09:00:00.000Z', [2, 1, 3, 4]);
  await ran('2026-11-09T09:00:00.000Z', [1, 2, 3, 4], { field: undefined });
  expect(await pass()).toEqual({ races: 2, runs: 8, failed: 0 });
  expect(await pass()).toEqual({ races: 0, runs: 0, failed: 0 });
  const runs = await readAnimalRuns(pool, 'greyhound', { key: 'quicksixpence' });
  expect(runs.map(({ position, start_time }) => [position, start_time])).toEqual([
    [2, '2026-11-08T09:00:00.000Z'],
    [1, '2026-11-01T09:00:00.000Z'],
  ]);
  expect(runs[1]).toMatchObject({ result_id: first, race_id: first, meeting_date: '2026-11-01', race_time_s: 29.1 });
  expect(await readAnimalRuns(pool, 'horse', { key: 'quicksixpence' })).toEqual([]);
  expect(await readRunSpan(pool, 'greyhound')).toEqual({
    from: '2026-11-01T09:00:00.000Z',
    to: '2026-11-08T09:00:00.000Z',
    resultsFrom: '2026-11-01T09:00:00.000Z',
  });
  expect(await readRunSpan(pool, 'horse')).toEqual({ from: null, to: null, resultsFrom: null });
});

test('the wins of the animals add up to the winners of the results', async () => {
  const { rows: won } = await db.pool.query(
    `SELECT fold_runner_name(o.name) AS key, count(*)::int AS wins
       FROM race_results x JOIN races r USING (race_id), jsonb_to_recordset(x.runners) AS o (name text, position int)
      WHERE o.position = 1 AND r.category = 'greyhound' GROUP BY 1 ORDER BY 1`,
  );
  expect(won.length).toBeGreaterThan(1);
  for (const { key, wins } of won) {
    const runs = await readAnimalRuns(pool, 'greyhound', { key });
    expect([key, runs.filter(({ position }) => position === 1).length]).toEqual([key, wins]);
  }
});

test('a changed field is stored again: facts missing from it are kept, runners missing from it are removed', async () => {
  const raceId = await ran('2026-11-15T09:00:00.000Z', [1, 2, 3, 4]);
  await pass();
  const [, second, third] = fieldOf([1, 2, 3, 4]);
  const protest = [
    resultRunner(1, { name: DOGS[0]!, position: null, abnormal: 'Disqualified', runner_ref: null }),
    { ...second!, position: 1, time_s: null },
    { ...third!, position: 2 },
  ];
  await stores.results.fillField(raceId, protest, 'topaz', LATER);
  expect(await pass()).toEqual({ races: 1, runs: 3, failed: 0 });
  const { rows } = await pool.query(
    'SELECT number, position, runner_ref, time_s, collector FROM stored_runs WHERE race_id = $1 ORDER BY 1',
    [raceId],
  );
  expect(rows).toEqual([
    { number: 1, position: null, runner_ref: 'grv:1', time_s: null, collector: 'topaz' },
    { number: 2, position: 1, runner_ref: 'grv:2', time_s: null, collector: 'topaz' },
    { number: 3, position: 2, runner_ref: 'grv:3', time_s: 29.3, collector: 'topaz' },
  ]);
});

test('a race that fails is left for the next pass and does not stop others', async () => {
  const poor = await ran('2026-11-16T09:00:00.000Z', [1, 2, 3, 4]);
  await ran('2026-11-17T09:00:00.000Z', [1, 2, 3, 4]);
  const failing = {
    ...stores.runs,
    fill: async (id: string) => (id === poor ? Promise.reject(new Error('away')) : stores.runs.fill(id)),
  };
  expect(await fillRuns({ stores: { runs: failing }, log })).toEqual({ races: 1, runs: 4, failed: 1 });
  expect(await pass()).toEqual({ races: 1, runs: 4, failed: 0 });
});

test('two simultaneous passes store one copy', async () => {
  const raceId = await ran('2026-11-18T09:00:00.000Z', [1, 2, 3, 4]);
  await Promise.all([stores.runs.fill(raceId), stores.runs.fill(raceId)]);
  const { rows } = await pool.query('SELECT number FROM stored_runs WHERE race_id = $1 ORDER BY 1', [raceId]);
  expect(rows.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
});

const DAY = '2026-11-21';
const at = (hour: number) => `${DAY}T${String(hour).padStart(2, '0')}:00:00.000Z`;

test('one query finds horses by name and by any code: in acceptances, runs and stored pages', async () => {
  await stores.registry.saveCalendar([registryListing()], at(1));
  const runners = [registryRunner(1, { name: 'GOLD TRIP (FR)', horseCode: '101' })];
  await stores.registry.saveAcceptances(registryCard({ races: [registryRace(1, { runners })] }), at(1));
  const run = { category: 'horse', start_time: '2026-11-07T03:00:00.000Z' } as const;
  await addRuns(
    db.pool,
    { ...run, name: 'Gold Trip', runner_ref: 'ra:100' },
    { ...run, name: 'Far Away', runner_ref: null },
    { ...run, name: 'Gold Trip', category: 'greyhound', runner_ref: 'grv:100' },
  );
  await stores.forms.save(horseForm({ name: 'READ ONCE', runnerCode: '55' }), at(2));
  const [byName, byCode, away, page, dog, unseen] = await createReads(pool).horses([
    { key: 'goldtrip' },
    { ref: 'ra:100' },
    { key: 'faraway' },
    { ref: 'ra:55' },
    { ref: 'grv:100' },
    { key: 'nosuchhorse' },
  ]);
  expect(byName).toEqual({
    key: 'goldtrip',
    name: 'GOLD TRIP (FR)',
    ref: 'ra:101',
    refs: ['ra:101', 'ra:100'],
    lastSeen: '2026-11-21T03:00:00.000Z',
  });
  expect(byCode).toMatchObject({ name: 'Gold Trip', ref: 'ra:100', refs: ['ra:100', 'ra:101'] });
  expect(away).toMatchObject({ key: 'faraway', ref: null, refs: [] });
  expect(page).toMatchObject({ key: 'readonce', ref: 'ra:55', lastSeen: at(2) });
  expect([dog, unseen]).toEqual([null, null]);
});

test('the newest page of a horse is served, whatever code it was read under, and never replaced by an older one', async () => {
  const owner = { key: 'pagehorse', refs: ['ra:2', 'ra:1'] };
  const page = (runnerCode: string, name = 'PAGE HORSE') => horseForm({ name, runnerCode });
  expect(await stores.forms.newest(owner)).toBeNull();
  await stores.forms.save(page('2'), at(1));
  await stores.forms.save(page('1', 'PAGE HORSE (NZ)'), at(5));
  await stores.forms.save(page('1'), at(4));
  await stores.forms.save(page('3'), at(6));
  const newest = { ref: 'ra:1', fetchedAt: at(5), startedSinceRead: false };
  expect(await stores.forms.newest(owner)).toEqual({
    ...newest,
    form: page('1', 'PAGE HORSE (NZ)'),
    trainers: {},
  });
  const nothing = { key: 'pagehorse', refs: [] };
  expect(await stores.forms.ages([nothing, owner, { ...owner, refs: ['ra:2'] }])).toEqual([
    null,
    newest,
    { ...newest, ref: 'ra:2', fetchedAt: at(1) },
  ]);
});

test('pages of a horse under older codes are deleted a week after a newer one, and a namesake’s are kept', async () => {
  const page = (runnerCode: string, name = 'Often Read') => horseForm({ name, runnerCode });
  const codes = async () => {
    const { rows } = await pool.query(
      "SELECT runner_ref AS ref FROM horse_forms WHERE runner_key = 'oftenread' ORDER BY 1",
    );
    return rows.map(({ ref }) => ref);
  };
  await stores.forms.save(page('801'), '2026-11-01T01:00:00.000Z');
  await stores.forms.save(page('802', 'Often Read (NZ)'), '2026-11-01T01:00:00.000Z');
  await stores.forms.save(page('803'), '2026-11-08T01:00:00.000Z');
  expect(await codes()).toEqual(['ra:801', 'ra:802', 'ra:803']);
  await stores.forms.save(page('804'), '2026-11-08T01:00:00.001Z');
  expect(await codes()).toEqual(['ra:802', 'ra:803', 'ra:804']);
});

test('the ids of two registries are one dog if both have its run in a race, unless another race contradicts it', async () => {
  const run = (name: string, runner_ref: string, start_time: string, number: number, race_number = 1) =>
    addRuns(db.pool, { name, runner_ref, start_time, number, race_number });
  const first = '2026-10-01T09:00:00.000Z';
  const second = '2026-10-08T09:00:00.000Z';
  const third = '2026-10-15T09:00:00.000Z';
  await run('Two Papers', 'grv:501', first, 4);
  await run('TWO PAPERS', 'grsa:77', first, 4);
  await run('Two Papers', 'grsa:77', second, 1);
  const of = async (ref: string) =>
    (await readAnimalRuns(pool, 'greyhound', { ref })).map(({ start_time, runner_ref }) => [start_time, runner_ref]);
  // The race that both have is one run.
  for (const ref of ['grv:501', 'grsa:77']) {
    const runs = await of(ref);
    expect(runs.map(([start]) => start)).toEqual([second, first]);
    expect(runs[0]![1]).toBe('grsa:77');
  }
  await run('Two Papers', 'grv:999', third, 2);
  expect((await of('grsa:77')).map(([start]) => start)).toEqual([second, first]);
  await run('Two Papers', 'grsa:77', third, 2);
  expect(await of('grv:501')).toEqual([[first, 'grv:501']]);
  expect((await of('grsa:77')).map(([start]) => start)).toEqual([third, second, first]);
});

test('a start that cannot be on the page: after the reading, or before it with a later result', async () => {
  const owner = { key: 'sincethen', refs: ['ra:70'] };
  const name = 'Since Then';
  const startsAt = (startTime: string, winner = name) =>
    addPastRace(db.pool, {
      startTime,
      venue: `Track ${startTime}`,
      runners: [feedRunner(1, { name: winner })],
      placings: [{ position: 1, number: 1, name: winner }],
    });
  const since = async (hour: number) => {
    await stores.forms.save(horseForm({ name, runnerCode: '70' }), at(hour));
    return (await stores.forms.newest(owner))!.startedSinceRead;
  };
  // Its result is final an hour later.
  await startsAt(at(2));
  await startsAt(at(22), 'Another Horse');
  expect([await since(1), await since(2), await since(3)]).toEqual([true, true, false]);
  const longAgo = await startsAt('2026-11-20T09:00:00.000Z');
  await db.pool.query('UPDATE race_results SET updated_at = $2 WHERE race_id = $1', [longAgo, at(23)]);
  expect(await since(4)).toBe(false);
  await startsAt(at(5));
  expect((await stores.forms.newest(owner))!.startedSinceRead).toBe(true);
});
