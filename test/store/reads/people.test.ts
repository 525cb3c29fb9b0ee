// The pages of jockeys, drivers and trainers. Never: two people as one, a ride of an international race, a price of a
// book that customers may not see, or more rows than a page needs.
import { createPersonSource } from '../../../src/api/pages/person-source';
import { PEOPLE_STATEMENTS } from '../../../src/store/reads/people/rides';
import { createReads } from '../../../src/store/reads/reads';
import { createPeople } from '../../../src/web/people/people';
import { personMain } from '../../../src/web/people/person-page';
import { feedRunner } from '../../support/races/builders';
import { type StoredRace, storeRace } from '../../support/races/stored-race';
import { addRuns } from '../../support/races/stored-runs';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

const NOW = Date.parse('2026-11-22T03:00:00.000Z');
const TODAY = '2026-11-22';
const at = (hours: number): string => new Date(NOW + hours * 3_600_000).toISOString();

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

let number = 0;
const raceAt = (hours: number, over = {}): Promise<StoredRace> =>
  storeRace(db, {
    startTime: at(hours),
    meetingDate: at(hours).slice(0, 10),
    raceNumber: ++number,
    country: 'AU',
    ...over,
  });

const runner = (race: StoredRace, of: number, over: Readonly<Record<string, unknown>>) =>
  db.pool.query(
    `INSERT INTO race_runners (race_id, number, name, runner_key, jockey, trainer, scratched, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now())`,
    [
      race.raceId,
      of,
      over.name ?? `Runner ${of}`,
      over.key ?? `runner${of}`,
      over.jockey,
      over.trainer,
      over.scratched ?? false,
    ],
  );

/** The registry's acceptances of the race, with codes. */
async function accept(race: StoredRace, of: number, over: Readonly<Record<string, unknown>>): Promise<void> {
  const key = `2026Nov22,VIC,${race.raceId}`;
  await db.pool.query(
    `INSERT INTO registry_meetings (meeting_key, meeting_date, state, venue, venue_id, venue_canonical, venue_site, published, first_seen_at, listed_at)
     VALUES ($1, '2026-11-22', 'VIC', 'x', 'x', 'x', 'x', true, now(), now()) ON CONFLICT DO NOTHING`,
    [key],
  );
  await db.pool.query(
    `INSERT INTO registry_races (meeting_key, race_number, race_id, race_name, distance_m, updated_at)
     VALUES ($1, 1, $2, 'x', 1200, now()) ON CONFLICT DO NOTHING`,
    [key, race.raceId],
  );
  await db.pool.query(
    `INSERT INTO registry_runners (meeting_key, race_number, number, name, runner_key, emergency, jockey, jockey_code, updated_at)
     VALUES ($1, 1, $2, $3, $4, false, $5, $6, now())`,
    [key, of, over.name ?? `Runner ${of}`, over.key ?? `runner${of}`, over.jockey, over.code],
  );
}

const peopleAt = (nowMs = NOW) => createPeople({ source: createPersonSource(createReads(db.pool)), now: () => nowMs });
const textOf = (html: string): string => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

test('two people of one name are never added up, and each has a page with what the registry attributes to him alone', async () => {
  const [first, second, third] = [await raceAt(2), await raceAt(3), await raceAt(4)];
  await runner(first, 1, { jockey: 'Lee Marsh' });
  await accept(first, 1, { jockey: 'Ms Lee Marsh', code: '111' });
  await runner(second, 1, { jockey: 'Lee Marsh' });
  await accept(second, 1, { jockey: 'Lee Marsh', code: '222' });
  // The rider was replaced, and the animal under the number: the registry's code is of another.
  await runner(third, 1, { jockey: 'Lee Marsh' });
  await accept(third, 1, { jockey: 'Una Other', code: '333' });
  await runner(third, 2, { jockey: 'Lee Marsh', key: 'another' });
  await accept(third, 2, { jockey: 'Lee Marsh', code: '111' });
  await addRuns(db.pool, { name: 'A', category: 'horse', start_time: at(-900), jockey: 'Lee Marsh' });
  const rides = async (text: string) =>
    (await peopleAt().person('rider', text))?.coming.map((ride) => [ride.race.raceId, ride.number, ride.code]);
  const all = [
    [first.raceId, 1, '111'],
    [second.raceId, 1, '222'],
    [third.raceId, 1, null],
    [third.raceId, 2, null],
  ];
  expect(await rides('lee-marsh')).toEqual(all);
  expect(await rides('111')).toEqual(all.slice(0, 1));
  expect(await rides('222')).toEqual(all.slice(1, 2));
  const view = (await peopleAt().person('rider', 'lee-marsh'))!;
  expect(view.known.map(({ code }) => code).sort()).toEqual(['111', '222']);
  expect(view.record).toBeNull();
  expect((await peopleAt().person('rider', '111'))!.record).toBeNull();
  const page = textOf(personMain(view, { nowMs: NOW, today: TODAY }).text);
  expect(page).toMatch(/Everyone who rides or drives under this name.* has 2 people of it, who are not added up/);
  expect(page).not.toContain('Stored runs');
});

test('a name has one address; others, other roles and unknown names have none', async () => {
  const race = await raceAt(5);
  await runner(race, 1, { jockey: "Ms Zoë O'Dell-Kay (a2)", trainer: 'P. Ashe & Q. Birch' });
  expect((await peopleAt().person('rider', 'zoe-odell-kay'))?.name).toBe("Ms Zoë O'Dell-Kay (a2)");
  expect((await peopleAt().person('trainer', 'p-ashe-and-q-birch'))?.coming).toHaveLength(1);
  for (const text of [
    'ms-zoe-odell-kay',
    'Zoe-odell-kay',
    'zoe--odell-kay',
    'zoe-odell-kay-',
    '',
    '%',
    '999',
    'x'.repeat(90),
    'a-'.repeat(40),
  ])
    expect([text, await peopleAt().person('rider', text)]).toEqual([text, null]);
  expect(await peopleAt().person('trainer', 'zoe-odell-kay')).toBeNull();
});

test('of international races nothing is read; a race leaves what is to come when it has jumped', async () => {
  const race = await raceAt(6, { country: 'HK', venue: 'Sha Tin' });
  await runner(race, 1, { jockey: 'Ivo Abroad' });
  expect(await peopleAt().person('rider', 'ivo-abroad')).toBeNull();
  const own = await raceAt(1);
  await runner(own, 1, { jockey: 'Ida Home', scratched: true });
  const of = async (nowMs: number) => {
    const view = await peopleAt(nowMs).person('rider', 'ida-home');
    return view && [view.coming.length, view.done.length];
  };
  expect(await of(NOW)).toEqual([1, 0]);
  expect(await of(NOW + 3 * 3_600_000)).toEqual([0, 1]);
  // Long after, the card is what is known.
  const later = NOW + 9 * 24 * 3_600_000;
  expect(await of(later)).toEqual([0, 0]);
  const view = (await peopleAt(later).person('rider', 'ida-home'))!;
  expect(view.earlier.map(({ race }) => race.raceId)).toEqual([own.raceId]);
  const page = textOf(personMain(view, { nowMs: later, today: '2026-12-01' }).text);
  expect(page).toMatch(/Earlier cards Sun 22 Nov .* Scratched/);
  expect(page).not.toContain('Last seven days');
});

test('an abandoned race is to come until its start, and has no price; cards of the week ahead are read', async () => {
  const off = await raceAt(20, { country: 'AU' });
  await runner(off, 1, { jockey: 'Abe Wet' });
  await db.pool.query(`UPDATE races SET status = 'abandoned' WHERE race_id = $1`, [off.raceId]);
  const far = await raceAt(24 * 6);
  await runner(far, 1, { jockey: 'Abe Wet' });
  const before = (await peopleAt().person('rider', 'abe-wet'))!;
  expect([before.coming.map(({ race }) => race.raceId), before.done]).toEqual([[off.raceId, far.raceId], []]);
  const page = textOf(personMain(before, { nowMs: NOW, today: TODAY }).text);
  expect(page).toContain('Abandoned');
  expect(page).not.toContain('Last seven days');
  const after = (await peopleAt(NOW + 21 * 3_600_000).person('rider', 'abe-wet'))!;
  expect([after.coming.length, after.done.map(({ race }) => race.raceId)]).toEqual([1, [off.raceId]]);
});

/** A race of which runs can be stored. */
async function resultAt(hours: number): Promise<StoredRace> {
  const race = await raceAt(hours);
  await db.pool.query(
    `INSERT INTO race_results (race_id, status, placings, placings_key, placings_since, field_status, updated_at)
     VALUES ($1, 'final', '[]', '', now(), 'pending', now())`,
    [race.raceId],
  );
  return race;
}

/** A stored run that the registry attributes; `code` null: to no person. */
async function attributedRun(of: number, hours: number, code: string | null, over: object = {}): Promise<void> {
  const race = await resultAt(hours);
  const run = { name: `Runner ${of}`, number: of, category: 'horse' as const, start_time: at(hours) };
  await addRuns(db.pool, { ...run, race_id: race.raceId, origin: 'results', jockey: 'Sam Same', ...over });
  if (code !== null) await accept(race, of, { jockey: 'Sam Same', code });
}

test('a ride whose number changed after the card is listed once', async () => {
  const race = await resultAt(-24);
  await runner(race, 1, { jockey: 'Nia Moved', trainer: 'x' });
  const run = { name: 'Runner 1', number: 7, category: 'horse' as const, start_time: at(-24), jockey: 'Nia Moved' };
  await addRuns(db.pool, { ...run, race_id: race.raceId, origin: 'results' });
  const { done, runs } = (await peopleAt().person('rider', 'nia-moved'))!;
  expect([done.length, runs]).toEqual([1, []]);
});

test('the person of any stored run, shown or not, is known; starts of several are not added up', async () => {
  for (let i = 0; i < 55; i++) await attributedRun(1, -24 * (10 + i), '801');
  const one = (await peopleAt().person('rider', 'sam-same'))!;
  expect([one.known.map(({ code }) => code), one.record?.starts]).toEqual([['801'], 55]);
  await attributedRun(2, -24 * 70, '802');
  const two = (await peopleAt().person('rider', 'sam-same'))!;
  expect(two.runs.some(({ code }) => code === '802')).toBe(false);
  expect([two.known.map(({ code }) => code), two.record]).toEqual([['801', '802'], null]);
  // Each alone has a record.
  expect((await peopleAt().person('rider', '801'))!.record?.starts).toBe(55);
});

test.each([
  ['of another code of racing', { category: 'greyhound' as const, code: null }],
  ['that the registry attributes to no person', { category: 'horse' as const, code: null }],
])('a start %s is not added to those of a known person', async (_, { category, code }) => {
  const name = { jockey: `Kit ${category}` };
  const race = await resultAt(-24 * 12);
  await addRuns(db.pool, {
    ...{
      name: 'Runner 1',
      number: 1,
      category: 'horse',
      start_time: at(-24 * 12),
      race_id: race.raceId,
      origin: 'results',
    },
    ...name,
  });
  await accept(race, 1, { ...name, code: category === 'horse' ? '811' : '812' });
  const of = async () => (await peopleAt().person('rider', `kit-${category}`))!;
  expect((await of()).record?.starts).toBe(1);
  await addRuns(db.pool, { name: 'Other', category, start_time: at(-24 * 13), ...name });
  expect([code, (await of()).known.length, (await of()).record]).toEqual([null, 1, null]);
});

test('a premiership stands on the page of a name only for a person whom its rides and runs have', async () => {
  const race = await raceAt(7);
  await runner(race, 1, { jockey: 'Pat Place' });
  const place = { name: 'Pat Place', state: 'VIC', scope: 'all', rank: 1, firsts: 1, starts: 2 } as const;
  const more = { strikeRate: null, from: null, to: null };
  const source = createPersonSource(createReads(db.pool));
  const standings = async () => [{ ...place, ...more, code: '821' }];
  const view = async () =>
    (await createPeople({ source: { ...source, standings }, now: () => NOW }).person('rider', 'pat-place'))!;
  expect(await view()).toMatchObject({ standings: [], known: [] });
  await accept(race, 1, { jockey: 'Pat Place', code: '821' });
  expect((await view()).standings).toHaveLength(1);
  expect((await view()).known).toEqual([{ code: '821', name: 'Pat Place' }]);
});

test('the best price is that of the race’s own page, and never of a book that customers may not see', async () => {
  const books = ['ladbrokes_au', 'betfair_ex_au', 'pinnacle'];
  const listed = { startTime: at(0.5), meetingDate: TODAY, raceNumber: ++number, country: 'AU' };
  const race = await storeRace(db, listed, books);
  const runners = (win: number) => [feedRunner(1, { win, jockey: 'Pia Price' }), feedRunner(2, { win: 3 })];
  for (const [i, bookmakerKey] of books.entries())
    await race.poll(1830, { runners: runners(i === 0 ? 4 : 90) }, { bookmakerKey, startSource: i === 0 });
  const stored = await db.pool.query('SELECT FROM race_books WHERE race_id = $1 AND win[1] = 90', [race.raceId]);
  expect(stored.rowCount).toBe(2);
  const view = (await peopleAt().person('rider', 'pia-price'))!;
  expect(view.coming[0]!.best).toMatchObject({ price: 4, books: ['Ladbrokes'], stale: false, polledMs: NOW - 30_000 });
  const text = textOf(personMain(view, { nowMs: NOW, today: TODAY }).text);
  expect(text).toMatch(/Best price 4\.00 Ladbrokes · 30s/);
  const later = textOf(personMain(view, { nowMs: NOW + 1_200_000, today: TODAY }).text);
  expect(later).toContain('stale: Ladbrokes');
});

test('a stable with thousands of runs costs a page of them, and its record says since when', async () => {
  const many = Array.from({ length: 700 }, (_, i) => ({
    name: `Many ${i}`,
    category: 'horse' as const,
    start_time: at(-24 * 10 - i),
    trainer: 'Max Stable',
    position: i % 4 === 0 ? 1 : 5,
    race_number: i % 12,
    number: i % 20,
  }));
  await addRuns(db.pool, ...many);
  const view = (await peopleAt().person('trainer', 'max-stable'))!;
  expect([view.runs.length, view.record!.starts, view.record!.wins]).toEqual([50, 300, 75]);
  expect(view.record!.since).toBe('2026-10-31');
  const text = textOf(personMain(view, { nowMs: NOW, today: TODAY }).text);
  expect(text).toContain('Stored runs: 300 starts since Sat 31 Oct, 75 wins (25%), 75 places (25%).');
  await addRuns(db.pool, { name: 'One', category: 'horse', start_time: at(-400), trainer: 'Ned Little' });
  const few = (await peopleAt().person('trainer', 'ned-little'))!;
  expect(textOf(personMain(few, { nowMs: NOW, today: TODAY }).text)).toContain(
    '1 start since Thu 5 Nov, 1 win, 1 place.',
  );
});

test.each([
  ['rider', 'rides', "'{a}', now(), now(), NULL", /race_runners_of_jockey/],
  ['trainer', 'rides', "'{a}', now(), now(), NULL", /race_runners_of_trainer/],
  ['rider', 'anyRides', "'{a}', NULL", /race_runners_of_jockey/],
  ['trainer', 'anyRides', "'{a}', '1'", /race_runners_of_trainer/],
  ['rider', 'runs', "'{a}', NULL", /stored_runs_of_jockey/],
  ['trainer', 'runs', "'{a}', NULL", /stored_runs_of_trainer/],
  ['rider', 'names', "'1'", /registry_runners_of_jockey/],
  ['trainer', 'names', "'1'", /registry_runners_of_trainer/],
] as const)('%s %s are found through an index', async (role, what, values, index) => {
  const client = await db.pool.connect();
  await client.query('BEGIN');
  await client.query('SET LOCAL enable_seqscan = off');
  await client.query('SET LOCAL plan_cache_mode = force_generic_plan');
  await client.query(`PREPARE of_person AS ${PEOPLE_STATEMENTS[role][what].text}`);
  const { rows } = await client.query(`EXPLAIN (COSTS OFF) EXECUTE of_person (${values})`);
  await client.query('DEALLOCATE of_person');
  await client.query('ROLLBACK');
  client.release();
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(index);
  expect(plan).not.toContain('Seq Scan');
});
