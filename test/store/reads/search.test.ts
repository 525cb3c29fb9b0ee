// The names that a search of the site finds: by their beginning, each once, through an index; people by the words of
// their name, of races around an instant alone.
import fc from 'fast-check';
import { createRunnerSource } from '../../../src/api/pages/runner-source';
import { createSearchSource } from '../../../src/api/pages/search-source';
import { foldText } from '../../../src/domain/race/venue';
import { createReads } from '../../../src/store/reads/reads';
import { readRides } from '../../../src/store/reads/search/people';
import { RUNNERS, readRunnersNamed } from '../../../src/store/reads/search/runner-names';
import { searchMain } from '../../../src/web/search/page';
import { createNameSearch } from '../../../src/web/search/search';
import { suggestionsOf } from '../../../src/web/search/suggestions';
import { runs } from '../../support/property';
import { storeRace } from '../../support/races/stored-race';
import { addRuns } from '../../support/races/stored-runs';
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
  readonly name?: string;
  readonly jockey?: string;
  readonly trainer?: string;
  readonly scratched?: boolean;
}

const insert = async (raceId: string, { number, key, name, jockey, trainer, scratched = false }: Listed) =>
  void (await db.pool.query(
    `INSERT INTO race_runners (race_id, number, name, runner_key, jockey, trainer, scratched, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [raceId, number, name ?? `Name ${key}`, key, jockey ?? null, trainer ?? null, scratched, STARTS[0]],
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

test('every beginning finds the first eight names in order, each once with its newest race, and whether there are more', async () => {
  for (const prefix of [...PREFIXES, 'zz', 'vac']) {
    const all = KEYS.filter((key) => key.startsWith(prefix)).sort((a, b) => (a < b ? -1 : 1));
    const { names: found, more } = await readRunnersNamed(db.pool, prefix);
    expect([prefix, found.map(({ runner_key: key }) => key)]).toEqual([prefix, all.slice(0, 8)]);
    expect([prefix, more]).toEqual([prefix, all.length > 8]);
    for (const { runner_key: key, race_id: raceId } of found)
      expect([key, races.indexOf(raceId)]).toEqual([key, KEYS.indexOf(key) % 3]);
  }
});

test('the page says that more runners begin so, and only then', async () => {
  const source = createSearchSource(createReads(db.pool));
  const page = async (key: string) => {
    const found = { venues: [], people: [], morePeople: false, ...(await source.runners(key)) };
    return searchMain('Amber', found, Date.parse(STARTS[0]!)).text;
  };
  const more = 'More runners begin with “Amber”: write more of the name.';
  expect(await page('a')).toContain(more);
  expect(await page('aa')).not.toContain(more);
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
    const { rides } = await readRides(db.pool, { words: asked, from: STARTS[1]!, until: STARTS[2]! });
    return rides.map(({ role, person, number, race_id: raceId }) => [role, person, number, races.indexOf(raceId)]);
  };
  expect(await find('oshea')).toEqual([['rider', "Damian O'Shea", 501, 1]]);
  expect(await find('osh', 'dam')).toHaveLength(1);
  expect(await find('jones')).toEqual([['rider', 'J. Smith-Jones', 502, 1]]);
  expect(await find('eust', 'mah')).toEqual([['trainer', 'Ciaron Maher & David Eustace', 502, 1]]);
  expect(await find('shea')).toEqual([]);
  expect(await find('waller', 'x')).toEqual([]);
});

const searchAt = (at: string) =>
  createNameSearch({ source: createSearchSource(createReads(db.pool)), now: () => Date.parse(at) });

test('a name leads to its rides as it is printed, whatever its punctuation', async () => {
  const word = fc.stringMatching(/^[A-Za-zÀ-ÿ]{1,8}$/);
  const gap = fc.constantFrom(
    ' ',
    ' & ',
    '&',
    "'",
    '’',
    '`',
    '-',
    '. ',
    ', ',
    '/',
    '(',
    ' “',
    ' – ',
    '＆',
    '´',
    '\u00a0',
  );
  const names = fc
    .tuple(word, fc.array(fc.tuple(gap, word), { maxLength: 6 }))
    .map(([first, rest]) => first + rest.flat().join(''))
    .filter((name) => foldText(name).replaceAll(' ', '').length >= 2);
  const [, race] = races;
  await fc.assert(
    fc.asyncProperty(names, fc.constantFrom('jockey', 'trainer'), async (name, role) => {
      await insert(race!, { number: 700, key: 'zz700', name: 'Rode', [role]: name });
      const found = await searchAt(STARTS[1]!).find(name);
      await db.pool.query('DELETE FROM race_runners WHERE number = 700');
      const person = found.people.find((one) => one.name === name);
      expect([name, person?.rides.map(({ number }) => number)]).toEqual([name, [700]]);
    }),
    { numRuns: runs(60) },
  );
});

test('a runner has the name of its newest card, else of its latest run, else its key', async () => {
  const source = createRunnerSource(createReads(db.pool));
  const nameOf = async (category: 'horse' | 'greyhound', key: string) => (await source.runner(category, key)).name;
  expect(await nameOf('horse', 'amberanvil')).toBeNull();
  const run = { name: 'AMBER ANVIL', category: 'horse', start_time: STARTS[2]! } as const;
  await addRuns(db.pool, run);
  expect(await nameOf('horse', 'amberanvil')).toBe('AMBER ANVIL');
  await insert(races[1]!, { number: 730, key: 'amberanvil', name: 'Amber Anvil' });
  await insert(races[0]!, { number: 730, key: 'amberanvil', name: 'Amber-Anvil' });
  expect(await nameOf('horse', 'amberanvil')).toBe('Amber Anvil');
  // A namesake of another code.
  expect(await nameOf('greyhound', 'amberanvil')).toBeNull();
});

test('the suggestion of a partnership leads to a search that finds it', async () => {
  const trainer = 'Gai Waterhouse & Adrian Bott';
  await insert(races[2]!, { number: 710, key: 'zz710', trainer });
  const search = searchAt(STARTS[2]!);
  const [suggested] = suggestionsOf(await search.find('waterh'));
  const asked = new URL(suggested!.path, 'http://localhost').searchParams.get('q')!;
  expect((await search.find(asked)).people.map(({ name }) => name)).toEqual([trainer]);
});

test.each([
  ['Zabeel Prince (NZ)', 'zabeelprince'],
  ['Rock & Roll', 'rockroll'],
  ['Rock & Roll (IRE)', 'rockroll'],
  ["D'Argento", 'dargento'],
])('%s is found by its printed name', async (name, key) => {
  await insert(races[0]!, { number: 720, key, name });
  const search = searchAt(STARTS[0]!);
  // A text with the same words must not answer for it.
  await search.find(foldText(name));
  expect((await search.find(name)).runners.map((one) => one.key)).toEqual([key]);
  await db.pool.query('DELETE FROM race_runners WHERE number = 720');
});

test('of many people each one shown has all rides, in both roles, and the page says that there are more', async () => {
  const [race] = races;
  const many = Array.from({ length: 150 }, (_, i) => `Quill ${String.fromCharCode(97 + (i % 26))}${i}`);
  for (const [i, name] of many.entries())
    await insert(race!, { number: 1000 + i, key: `zzq${i}`, jockey: name, trainer: `Quill T${i % 40}` });
  // Rides of one, more than a page of people has.
  for (let i = 0; i < 130; i++)
    await insert(race!, { number: 2000 + i, key: `zzr${i}`, jockey: 'Quo', trainer: 'Quo' });
  const search = searchAt(STARTS[0]!);
  const found = await search.find('quill');
  for (const role of ['rider', 'trainer'] as const) {
    const shown = found.people.filter((one) => one.role === role);
    expect(shown.length).toBeGreaterThanOrEqual(20);
    for (const { name, rides } of shown) {
      const listed = role === 'rider' ? 1 : many.filter((_, i) => name === `Quill T${i % 40}`).length;
      expect([name, rides.length]).toEqual([name, listed]);
    }
  }
  const more = 'More people have names that begin so';
  expect(searchMain('quill', found, Date.parse(STARTS[0]!)).text).toContain(more);
  const one = await search.find('quo');
  expect(one.people.map(({ role, rides }) => [role, rides.length])).toEqual([
    ['rider', 130],
    ['trainer', 130],
  ]);
  expect(searchMain('quo', one, Date.parse(STARTS[0]!)).text).not.toContain(more);
  // Others of whom each comes earlier in the alphabet.
  await insert(race!, { number: 3000, key: 'zzs', jockey: 'Quill' });
  for (let i = 0; i < 40; i++) await insert(race!, { number: 3001 + i, key: `zzs${i}`, jockey: `A${i} Quill` });
  expect((await searchAt(STARTS[0]!).find('quill')).people[0]).toMatchObject({ role: 'rider', name: 'Quill' });
});
