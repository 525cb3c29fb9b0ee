// The names that a search of the site finds: by their beginning, each once, through an index; people by the words of
// their name, of races around an instant alone.
import { readRides } from '../../../src/store/reads/search/people';
import { RUNNERS, readRunnersNamed } from '../../../src/store/reads/search/runner-names';
import { storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

const LETTERS = ['a', 'b', '1'];
const words = (length: number): string[] =>
  length === 0 ? [''] : words(length - 1).flatMap((word) => LETTERS.map((letter) => word + letter));
const PREFIXES = [1, 2, 3].flatMap(words);
/** Each in up to three races. */
const KEYS = [...words(2), ...words(4)].filter((_, i) => i % 3 !== 1);
const STARTS = ['2026-11-20T03:00:00.000Z', '2026-11-21T03:00:00.000Z', '2026-11-22T03:00:00.000Z'];

let db: TestDatabase;
const races: string[] = [];

interface Listed {
  readonly number: number;
  readonly key: string;
  readonly jockey?: string;
  readonly trainer?: string;
  readonly scratched?: boolean;
}

const insert = async (raceId: string, { number, key, jockey, trainer, scratched = false }: Listed) =>
  void (await db.pool.query(
    `INSERT INTO race_runners (race_id, number, name, runner_key, jockey, trainer, scratched, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [raceId, number, `Name ${key}`, key, jockey ?? null, trainer ?? null, scratched, STARTS[0]],
  ));

beforeAll(async () => {
  db = await createTestDatabase();
  for (const [i, startTime] of STARTS.entries()) {
    const meetingDate = startTime.slice(0, 10);
    races.push((await storeRace(db, { startTime, meetingDate, raceNumber: i + 1 })).raceId);
  }
  for (const [i, key] of KEYS.entries())
    for (let race = 0; race <= i % 3; race++) await insert(races[race]!, { number: 100 + i, key });
  for (let number = 1; number <= 20; number++) await insert(races[0]!, { number, key: `vacantbox${number}` });
});
afterAll(() => db.drop());

test('every beginning finds the first eight names in order, each once with its newest race', async () => {
  for (const prefix of [...PREFIXES, 'zz', 'vac']) {
    const expected = KEYS.filter((key) => key.startsWith(prefix))
      .sort((a, b) => (a < b ? -1 : 1))
      .slice(0, 8);
    const found = await readRunnersNamed(db.pool, prefix);
    expect([prefix, found.map(({ runner_key: key }) => key)]).toEqual([prefix, expected]);
    for (const { runner_key: key, race_id: raceId } of found)
      expect([key, races.indexOf(raceId)]).toEqual([key, KEYS.indexOf(key) % 3]);
  }
});

test('each name is one step in the index, and no table is read as a whole', async () => {
  const client = await db.pool.connect();
  await client.query('BEGIN');
  await client.query('SET LOCAL enable_seqscan = off');
  await client.query('SET LOCAL plan_cache_mode = force_generic_plan');
  await client.query(`PREPARE names (text, text) AS ${RUNNERS.text}`);
  const { rows } = await client.query("EXPLAIN (COSTS OFF) EXECUTE names ('a', 'a{')");
  await client.query('ROLLBACK');
  client.release();
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan.match(/Index .*race_runners_by_key/g)!.length).toBeGreaterThanOrEqual(2);
  expect(plan).not.toContain('Seq Scan');
});

test('people are found by the beginnings of their words, in any order, in the given time alone', async () => {
  const people = [
    { number: 1, key: 'x1', jockey: "Damian O'Shea", trainer: 'C. Waller' },
    { number: 2, key: 'x2', jockey: 'J. Smith-Jones', trainer: 'Ciaron Maher & David Eustace' },
    { number: 3, key: 'x3', jockey: "Damian O'Shea", scratched: true },
  ];
  for (const race of races.slice(1)) for (const one of people) await insert(race, { ...one, number: 500 + one.number });
  const find = async (...asked: string[]) => {
    const rows = await readRides(db.pool, { words: asked, from: STARTS[1]!, until: STARTS[2]! });
    return rows.map(({ role, person, number, race_id: raceId }) => [role, person, number, races.indexOf(raceId)]);
  };
  expect(await find('oshea')).toEqual([['rider', "Damian O'Shea", 501, 1]]);
  expect(await find('osh', 'dam')).toHaveLength(1);
  expect(await find('jones')).toEqual([['rider', 'J. Smith-Jones', 502, 1]]);
  expect(await find('eust', 'mah')).toEqual([['trainer', 'Ciaron Maher & David Eustace', 502, 1]]);
  expect(await find('shea')).toEqual([]);
  expect(await find('waller', 'x')).toEqual([]);
});
