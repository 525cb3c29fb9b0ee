// The names that a search of the site finds: by their beginning, each once, through an index; people by the words of
// their name, of races around an instant alone.
import fc from 'fast-check';
import { createRunnerSource } from '../../../src/api/pages/runner-source';
import { createSearchSource } from '../../../src/api/pages/search-source';
import { personKey } from '../../../src/domain/race/person';
import { foldText } from '../../../src/domain/race/venue';
import { createReads } from '../../../src/store/reads/reads';
import { RUNNERS, readRunnersNamed } from '../../../src/store/reads/runs/runner-names';
import { searchMain } from '../../../src/web/search/page';
import { createNameSearch } from '../../../src/web/search/search';
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
    const { names: found, more } = await readRunnersNamed(db.pool, prefix, 8);
    expect([prefix, found.map(({ runner_key: key }) => key)]).toEqual([prefix, all.slice(0, 8)]);
    expect([prefix, more]).toEqual([prefix, all.length > 8]);
    for (const { runner_key: key, race_id: raceId } of found)
      expect([key, races.indexOf(raceId)]).toEqual([key, KEYS.indexOf(key) % 3]);
  }
});

test('the page says that more runners begin so, and only then', async () => {
  const source = createSearchSource(createReads(db.pool), null);
  const page = async (key: string) => {
    const none = { venues: [], people: [], morePeople: false, teams: [], moreTeams: false, leagues: [], near: [] };
    const found = { ...none, withoutSports: false, ...(await source.runners(key, 8)) };
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
  await client.query(`PREPARE names (text, text, integer) AS ${RUNNERS.text}`);
  const { rows } = await client.query("EXPLAIN (COSTS OFF) EXECUTE names ('a', 'a{', 9)");
  await client.query('ROLLBACK');
  client.release();
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan.match(/Index .*race_runners_by_key/g)!.length).toBeGreaterThanOrEqual(2);
  expect(plan).not.toContain('Seq Scan');
});

/** Whose rides are searched from. */
const searchAt = (at: string) =>
  createNameSearch({ source: createSearchSource(createReads(db.pool), null), now: () => Date.parse(at) });
const peopleAt = async (at: string, text: string) =>
  (await searchAt(at).find(text)).people.map(({ role, name, rides, race }) => [
    role,
    name,
    rides.reduce((sum, { count }) => sum + count, 0),
    races.indexOf(race.raceId),
  ]);

test('people are found by the beginnings of their words, in any order, from a week ago to tomorrow', async () => {
  const people = [
    { number: 1, key: 'x1', jockey: "Damian O'Shea", trainer: 'C. Waller' },
    { number: 2, key: 'x2', jockey: 'J. Smith-Jones', trainer: 'Ciaron Maher & David Eustace' },
    { number: 3, key: 'x3', jockey: "Damian O'Shea", scratched: true },
  ];
  for (const race of races.slice(1)) for (const one of people) await insert(race, { ...one, number: 500 + one.number });
  const at = STARTS[2]!;
  for (const text of ['oshea', "o'shea", 'O’Shea', 'o shea', 'osh dam', 'Damián'])
    expect([text, await peopleAt(at, text)]).toEqual([text, [['rider', "Damian O'Shea", 2, 2]]]);
  for (const text of ['jones', 'smith-jones', 'smithjones'])
    expect([text, await peopleAt(at, text)]).toEqual([text, [['rider', 'J. Smith-Jones', 2, 2]]]);
  expect(await peopleAt(at, 'eust mah')).toEqual([['trainer', 'Ciaron Maher & David Eustace', 2, 2]]);
  for (const text of ['shea', 'waller x', 'ones']) expect([text, await peopleAt(at, text)]).toEqual([text, []]);
  // The race of tomorrow is in the days of the search, and those of the day after it are not.
  expect(await peopleAt('2026-11-20T03:00:00.000Z', 'oshea')).toEqual([['rider', "Damian O'Shea", 1, 1]]);
  for (const after of ['2026-11-30T03:00:00.000Z', '2026-11-12T03:00:00.000Z'])
    expect(await peopleAt(after, 'oshea')).toEqual([]);
});

test('a name that is nearer comes first, and of equally near ones who rode last', async () => {
  await insert(races[0]!, { number: 801, key: 'zz801', jockey: 'Nell Marr' });
  await insert(races[1]!, { number: 802, key: 'zz802', jockey: 'Marr' });
  await insert(races[2]!, { number: 803, key: 'zz803', jockey: 'Ann Marrow' });
  await insert(races[1]!, { number: 804, key: 'zz804', jockey: 'Zoe Marr' });
  const names = (await searchAt(STARTS[2]!).find('marr')).people.map(({ name }) => name);
  expect(names).toEqual(['Marr', 'Zoe Marr', 'Nell Marr', 'Ann Marrow']);
});

test('people of international races are not found, and every spelling of a name is one person', async () => {
  const startTime = '2026-11-22T04:00:00.000Z';
  const { raceId } = await storeRace(db, {
    startTime,
    meetingDate: '2026-11-22',
    venue: 'Sha Tin',
    country: 'HK',
    raceNumber: 1,
  });
  await insert(raceId, { number: 1, key: 'zzhk', jockey: 'Quentin Abroad' });
  expect(await peopleAt(STARTS[2]!, 'quentin')).toEqual([]);
  await insert(races[2]!, { number: 811, key: 'zz811', jockey: 'Ms Una Twice (a3)' });
  await insert(races[2]!, { number: 812, key: 'zz812', jockey: 'Una Twice' });
  expect((await searchAt(STARTS[2]!).find('una twice')).people).toMatchObject([
    { key: 'una-twice', rides: [{ category: 'horse', count: 2 }] },
  ]);
});

test('the rides of each code of racing are counted apart: people may share a name', async () => {
  const startTime = '2026-11-22T05:00:00.000Z';
  const over = { startTime, meetingDate: '2026-11-22', venue: 'Menangle', country: 'AU', raceNumber: 2 };
  const trot = await storeRace(db, { ...over, category: 'harness' });
  await insert(races[2]!, { number: 821, key: 'zz821', jockey: 'Ken Both' });
  for (const number of [1, 2]) await insert(trot.raceId, { number, key: `zz${number}`, jockey: 'Ken Both' });
  const found = await searchAt(STARTS[2]!).find('ken both');
  const rides = [...found.people[0]!.rides].sort((a, b) => a.count - b.count);
  expect(rides).toEqual([
    { category: 'horse', count: 1 },
    { category: 'harness', count: 2 },
  ]);
  const text = searchMain('ken both', found, Date.parse(STARTS[2]!)).text;
  expect(text).toContain('1 ride (Thoroughbred)');
  expect(text).toContain('2 rides (Harness)');
  expect(text).not.toContain('3 rides');
});

test('a text that finds nothing gets names that differ by few letters, and only then', async () => {
  const search = searchAt(STARTS[2]!);
  expect((await search.find('wallar')).near).toEqual(['waller']);
  expect((await search.find('damien oshea')).near).toEqual(['damian oshea']);
  expect((await search.find('waller')).near).toEqual([]);
  await insert(races[0]!, { number: 813, key: 'goldenslipper', name: 'Golden Slipper' });
  expect((await search.find('goldn slipper')).near).toEqual(['Golden Slipper']);
  expect((await search.find('xyzzyxyzzy')).near).toEqual([]);
  const page = searchMain('wallar', await search.find('wallar'), 0).text;
  expect(page).toContain('Did you mean <a href="/search?q=waller">waller</a>?');
});

test('names are folded alike in the database and here', async () => {
  const names = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.string({ unit: fc.constantFrom(..."abMZ '’`&-.()mrsi012éÉ Ø"), maxLength: 20 }),
    fc.stringMatching(/^(Ms|Mr|Miss|Mrs)? ?[A-Za-z]{1,6}( & (Ms )?[A-Za-z]{1,5})? ?(\(a[0-9]\))?$/),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        names.filter((name) => !name.includes('\0')),
        { minLength: 1, maxLength: 40 },
      ),
      async (all) => {
        const sql = 'SELECT person_key(name) AS key FROM unnest($1::text[]) WITH ORDINALITY AS n (name, i) ORDER BY i';
        const { rows } = await db.pool.query<{ key: string | null }>(sql, [all]);
        expect(rows.map(({ key }, i) => [all[i], key])).toEqual(all.map((name) => [name, personKey(name)]));
      },
    ),
    { numRuns: runs(40) },
  );
});

test('a person is found by the name as it is printed, whatever its punctuation', async () => {
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
      expect([name, person?.rides[0]?.count, person?.key]).toEqual([name, 1, personKey(name)]);
    }),
    { numRuns: runs(60) },
  );
});

test('a runner has the name of its newest card, else of its latest run, else its key', async () => {
  const source = createRunnerSource(createReads(db.pool));
  const nameOf = async (category: 'horse' | 'greyhound', key: string) =>
    (await source.runner(category, key, Date.parse(STARTS[2]!))).name;
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

test.each([
  ['Zabeel Prince (NZ)', 'zabeelprince'],
  ['Rock & Roll', 'rockroll'],
  ['Rock & Roll (IRE)', 'rockroll'],
  ['Rock And Roll', 'rockandroll'],
  ["D'Argento", 'dargento'],
  ["O'Brien Lass", 'obrienlass'],
])('%s is found by its printed name', async (name, key) => {
  await insert(races[0]!, { number: 720, key, name });
  const search = searchAt(STARTS[0]!);
  // A text with the same words must not answer for it.
  await search.find(foldText(name));
  for (const text of [
    name,
    name.toUpperCase(),
    name.replace('&', 'and'),
    name.replace(/and/i, '&'),
    name.replace("'", '’'),
  ])
    expect([text, (await search.find(text)).runners.map((one) => one.key)]).toEqual([text, [key]]);
  // Found by two keys, and there once.
  const some = (await search.find(`${name.split(' ')[0]} and`)).runners.map((one) => one.key);
  expect(new Set(some).size).toBe(some.length);
  await db.pool.query('DELETE FROM race_runners WHERE number = 720');
});

test('of many people some are shown, each with all rides, and the page says that there are more', async () => {
  const [race] = races;
  for (let i = 0; i < 60; i++)
    await insert(race!, { number: 1000 + i, key: `zzq${i}`, jockey: `Quill ${i % 26}a${i}` });
  for (let i = 0; i < 130; i++)
    await insert(race!, { number: 2000 + i, key: `zzr${i}`, jockey: 'Quo', trainer: 'Quo' });
  const search = searchAt(STARTS[0]!);
  const found = await search.find('quill');
  expect(found.people).toHaveLength(30);
  const more = 'More people have names that begin so';
  expect(searchMain('quill', found, Date.parse(STARTS[0]!)).text).toContain(more);
  const one = await search.find('quo');
  expect(one.people.map(({ role, rides }) => [role, rides[0]?.count])).toEqual([
    ['rider', 130],
    ['trainer', 130],
  ]);
  expect(searchMain('quo', one, Date.parse(STARTS[0]!)).text).not.toContain(more);
});
