// The names by which form is looked up, and the data read about each run.
import fc from 'fast-check';
import { runnerKey } from '../../../../src/domain/race/runner';
import { createStores } from '../../../../src/store/create-stores';
import { readPastRuns, readRaceForm } from '../../../../src/store/reads/results/form';
import type { Stores } from '../../../../src/store/stores';
import { addRace } from '../../../support/races/board';
import { feedResult, feedRunner, resultRunner } from '../../../support/races/builders';
import { addPastRace, type PastRace } from '../../../support/races/past-race';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';

const RAN = '2026-11-07T03:00:00.000Z';
const LATER = '2026-11-07T04:00:00.000Z';
const OUT = { at: null, late: null, winDeduction: null, placeDeduction: null };

let db: TestDatabase;
let stores: Stores;
beforeAll(async () => {
  db = await createTestDatabase();
  stores = createStores(db.pool);
});
afterAll(() => db.drop());

const card = (...names: string[]) => names.map((name, i) => feedRunner(i + 1, { name }));
/** Every race has its own track. */
let tracks = 0;
const ran = (race: Partial<PastRace> & Pick<PastRace, 'runners'>) =>
  addPastRace(db.pool, { startTime: RAN, category: 'harness', venue: `Track ${++tracks}`, ...race });
const field = (raceId: string, ...runners: Parameters<typeof resultRunner>[]) =>
  stores.results.fillField(
    raceId,
    runners.map((one) => resultRunner(...one)),
    'racing_australia',
    LATER,
  );

async function names(raceId: string): Promise<string[]> {
  const { rows } = await db.pool.query('SELECT number, name FROM runs_by_name WHERE race_id = $1 ORDER BY 1', [raceId]);
  return rows.map(({ number, name }) => `${number} ${name}`);
}

/** Race ids found for runner 1 of a race in which this name runs. */
async function found(name: string, over: Parameters<typeof addRace>[1] = {}): Promise<string[]> {
  const listed = {
    startTime: '2026-11-21T05:00:00.000Z',
    category: 'harness' as const,
    venue: `Track ${++tracks}`,
    ...over,
  };
  const { raceId } = await addRace(db.pool, listed, { tab: { runners: card(name) } });
  return ((await readRaceForm(db.pool, raceId)).found.get(1) ?? []).map((run) => run.raceId);
}

test('the database folds names as the domain does', async () => {
  const part = fc.constantFrom(
    'a',
    'Z',
    '9',
    ' ',
    '(',
    ')',
    '(NZ)',
    '(ire) ',
    "'",
    '’',
    'É',
    'ß',
    'ﬁ',
    '\u00a0',
    '\u0301',
    'İ',
    'K',
    '.',
    'ｘ',
  );
  const texts = fc.sample(fc.array(part, { maxLength: 9 }), { seed: 11, numRuns: 2000 }).map((parts) => parts.join(''));
  const { rows } = await db.pool.query('SELECT t, fold_runner_name(t) AS key FROM unnest($1::text[]) t', [texts]);
  expect(rows.filter(({ t, key }) => key !== runnerKey(t))).toEqual([]);
});

describe('without the full field', () => {
  test('all runners of the card ran, except scratched ones, emergencies and vacant boxes', async () => {
    const runners = [
      ...card('One', 'Two', 'Three', 'Four'),
      feedRunner(5, { name: 'Gone', scratching: OUT }),
      feedRunner(6, { name: 'Perhaps', emergency: true }),
      feedRunner(7, { name: '....' }),
      feedRunner(8, { name: 'Vacant Box' }),
    ];
    expect(await names(await ran({ runners }))).toEqual(['1 One', '2 Two', '3 Three', '4 Four']);
  });

  test('a placegetter ran, whatever its state on the card and even if it is not on it', async () => {
    const runners = [
      feedRunner(1, { name: 'Perhaps', emergency: true }),
      feedRunner(2, { name: 'Out', scratching: OUT }),
    ];
    const placings = [
      { position: 1, number: 1, name: 'Perhaps' },
      { position: 2, number: 2, name: null },
      { position: 3, number: 9, name: 'From Nowhere' },
      { position: 4, number: 10, name: null },
    ];
    expect(await names(await ran({ runners, placings }))).toEqual(['1 Perhaps', '2 Out', '9 From Nowhere']);
  });

  test('a runner whose deduction is reported after the result did not run', async () => {
    const raceId = await ran({ runners: card('One', 'Two', 'Three', 'At The Gates') });
    await db.pool.query(
      'UPDATE race_runners SET scratched = true, win_deduction = 0.1 WHERE race_id = $1 AND number = 4',
      [raceId],
    );
    await stores.results.saveResult({ raceId, source: 'ladbrokes_au', result: feedResult(), at: LATER });
    expect(await names(raceId)).toEqual(['1 One', '2 Two', '3 Three']);
  });

  test('no runner ran before there is a placing', async () => {
    const raceId = await ran({ runners: card('Too Soon'), placings: [], interim: true });
    expect(await names(raceId)).toEqual([]);
    await stores.results.saveResult({ raceId, source: 'ladbrokes_au', result: feedResult(), at: LATER });
    expect(await names(raceId)).toContain('1 Too Soon');
  });
});

test('a stored official field wins, with its names, and with runners that ran only', async () => {
  const raceId = await ran({ runners: card('Misspelt Hose', 'Two', 'Three'), category: 'horse' });
  await field(
    raceId,
    [1, { name: 'Misspelt Horse (NZ)', runner_ref: 'ra:1' }],
    [2, { name: 'Two', status: 'scratched', position: null }],
    [3, { name: 'Three', status: 'reserve', position: null }],
    [4, { name: 'Four', status: 'late_scratching', position: null }],
    [5, { name: 'Five' }],
  );
  expect(await names(raceId)).toEqual(['1 Misspelt Horse (NZ)', '5 Five']);
  expect(await found('MISSPELT HORSE', { category: 'horse' })).toEqual([raceId]);
  expect(await found('Misspelt Hose', { category: 'horse' })).toEqual([]);
});

test('an abandoned race was not run, and a start that moves takes its runs along', async () => {
  const gone = await ran({ runners: card('Never Ran'), interim: true });
  await stores.results.abandon(gone, 'abandoned', 'tab', LATER);
  expect(await names(gone)).toEqual([]);
  const moved = await ran({ runners: card('Moved') });
  await db.pool.query('UPDATE races SET start_time = $2 WHERE race_id = $1', [moved, LATER]);
  const { rows } = await db.pool.query('SELECT start_time FROM runs_by_name WHERE race_id = $1', [moved]);
  expect(new Set(rows.map((row) => row.start_time))).toEqual(new Set([LATER]));
});

describe('the runs found under a name', () => {
  test('are in the same code, strictly before the race, and not in Hong Kong', async () => {
    const runners = card('Plain Sailing');
    const own = await ran({ runners });
    await ran({ runners, category: 'greyhound' });
    await ran({ runners, country: 'HK' });
    await ran({ runners, startTime: '2026-11-21T05:00:00.000Z' });
    await ran({ runners, startTime: '2026-11-21T05:30:00.000Z' });
    expect(await found('PLAIN SAILING')).toEqual([own]);
    const [run] = (await readRaceForm(db.pool, own)).found.get(1) ?? [];
    expect(run).toBeUndefined();
  });

  test('are the newest twenty', async () => {
    for (let day = 1; day <= 22; day++) {
      await ran({ runners: card('Ironman'), startTime: `2026-10-${String(day).padStart(2, '0')}T03:00:00.000Z` });
    }
    expect(await found('Ironman')).toHaveLength(20);
  });

  test('include twenty outside Hong Kong, whatever a namesake ran there', async () => {
    const runners = card('Golden Sixty');
    const own = await ran({ runners, startTime: '2026-09-01T03:00:00.000Z' });
    for (let day = 1; day <= 20; day++)
      await ran({ runners, country: 'HK', startTime: `2026-10-${String(day).padStart(2, '0')}T03:00:00.000Z` });
    expect(await found('Golden Sixty')).toEqual([own]);
  });

  test('include those under another spelling for a dog’s id, but not for a horse’s code', async () => {
    const dog = { name: 'Fernandos Star', runner_ref: 'grv:77' };
    const dogs = await ran({ runners: card('x', 'y'), category: 'greyhound' });
    await field(dogs, [1, dog]);
    const horses = await ran({ runners: card('x', 'y'), category: 'horse' });
    await field(horses, [1, { ...dog, runner_ref: 'ra:77' }]);
    const today = async (category: 'horse' | 'greyhound', runner_ref: string) => {
      const raceId = await ran({ runners: card('x'), category, startTime: '2026-11-14T03:00:00.000Z' });
      await field(raceId, [1, { name: 'Fernandos Str', runner_ref }]);
      return ((await readRaceForm(db.pool, raceId)).found.get(1) ?? []).map((run) => run.raceId);
    };
    expect(await today('greyhound', 'grv:77')).toEqual([dogs]);
    expect(await today('horse', 'ra:77')).toEqual([]);
  });
});

test('a race in Hong Kong has no result (A 1)', async () => {
  const runners = card('Golden Sixty');
  const raceId = await ran({ runners, country: 'HK', category: 'horse' });
  expect(await readRaceForm(db.pool, raceId)).toMatchObject({ resultStatus: null, field: null });
});

test('a run has its race, its official row, the starters of a full field, and the card’s row', async () => {
  const runners = [feedRunner(1, { name: 'Whole', barrier: 3, weightKg: 57.5 }), ...card('x', 'Other').slice(1)];
  const full = await ran({ runners, category: 'horse', distanceM: 1600, raceName: 'Plate' });
  await field(
    full,
    [1, { name: 'Whole', sp: 4.5 }],
    [2, { name: 'Other' }],
    [3, { status: 'scratched', position: null }],
  );
  const [row] = await readPastRuns(db.pool, [{ raceId: full, number: 1 }]);
  expect(row).toMatchObject({ meeting_date: '2026-11-07', start_time: RAN, distance_m: 1600, race_name: 'Plate' });
  expect(row).toMatchObject({ result_status: 'final', field_size: 2, official: { number: 1, sp: 4.5 } });
  expect(row!.card).toMatchObject({ name: 'Whole', barrier: 3, weightKg: 57.5 });
  const abroad = { country: 'GB', trackCondition: 'Good' };
  const foreign = await ran({ runners, category: 'horse', distanceM: 1600, ...abroad });
  const [run] = await readPastRuns(db.pool, [{ raceId: foreign, number: 1 }]);
  // As on the board (A 1).
  expect(run).toMatchObject({ distance_m: 1600, track_condition: null, race_class: null });
  expect(run!.card).toMatchObject({ name: 'Whole', barrier: null, weightKg: null });
  const bare = await ran({ runners: card('Bare'), interim: true });
  const [other] = await readPastRuns(db.pool, [{ raceId: bare, number: 1 }]);
  expect(other).toMatchObject({ result_status: 'interim', field_size: null, official: null });
  expect(await readPastRuns(db.pool, [])).toEqual([]);
});

test('each trigger writes for new results what the migration writes for existing ones', async () => {
  const rows = (of: string) =>
    db.pool.query(`SELECT race_id, number, runner_key, name, runner_ref FROM ${of} ORDER BY 1, 2`);
  const anew = await rows('(SELECT x.race_id, e.* FROM race_results x CROSS JOIN LATERAL runs_of(x) e) m');
  expect(anew.rows.length).toBeGreaterThan(30);
  expect((await rows('runs_by_name')).rows).toEqual(anew.rows);
});
