// Links to people, over races of any age, code and country, whether their full field was collected or not, with names
// as cards print them and worse. Never: a link to a page that is not there, on the page of a race, of a runner or of a
// person.
import fc from 'fast-check';
import { createBoardSource } from '../../../src/api/pages/board-source';
import { createPersonSource } from '../../../src/api/pages/person-source';
import { createRunnerSource } from '../../../src/api/pages/runner-source';
import { aetDay } from '../../../src/domain/time/aet';
import { createLiveReads } from '../../../src/store/reads/live-board';
import { createReads } from '../../../src/store/reads/reads';
import { createLiveBoard } from '../../../src/web/board/live-board';
import { raceMain } from '../../../src/web/pages';
import { runnerMain } from '../../../src/web/past/runner/page';
import { createRunners } from '../../../src/web/past/runner/runners';
import { createPeople } from '../../../src/web/people/people';
import { personMain } from '../../../src/web/people/person-page';
import { runs } from '../../support/property';
import { feedRunner } from '../../support/races/builders';
import { storeRace } from '../../support/races/stored-race';
import { addRuns } from '../../support/races/stored-runs';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

const NOW = Date.parse('2026-11-22T03:00:00.000Z');
const HOUR_MS = 3_600_000;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const NAME = fc
  .oneof(
    fc.constantFrom(
      ...[
        "Ms Zoë O'Dell-Kay (a2)",
        'Mr Mr Twice',
        '12345',
        'P. Ashe & Ms Q. Birch',
        'and-Mr-and',
        '(a)',
        '%',
        'Łukasz Žák',
      ],
      ...['x'.repeat(61), Array.from({ length: 13 }, () => 'ab').join(' '), '/../live', 'Mr', 'A"><b>'],
    ),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.stringMatching(/^(M[rs]s? )?[A-Z]\. ?[A-Z][a-z]{1,9}( \(a\d\))?$/),
  )
  .map((name) => name.replaceAll('\0', ''));

const CARD = fc.record({
  hours: fc.oneof(
    fc.integer({ min: -26_000, max: -24 * 8 }),
    fc.integer({ min: -24 * 8, max: 24 * 8 }),
    fc.constant(24 * 12),
  ),
  country: fc.constantFrom('AU', 'NZ', null, 'HK'),
  category: fc.constantFrom('horse' as const, 'harness' as const, 'greyhound' as const),
  jockey: fc.option(NAME, { nil: null }),
  trainer: NAME,
  /** A run of theirs is stored, of this race or of one that has no card here. */
  run: fc.constantFrom(null, 'of the race', 'of another'),
});

test('a link to a person leads to a page, wherever it is drawn', async () => {
  const reads = createReads(db.pool);
  // Later each time: pages are cached for seconds, and each is to be read.
  let laterMs = 0;
  const now = () => NOW + laterMs;
  const people = createPeople({ source: createPersonSource(reads), now });
  const live = createLiveBoard({ source: createBoardSource({ reads, liveReads: createLiveReads(db.pool) }), now });
  const runners = createRunners({ source: createRunnerSource(reads), now });
  const linksIn = (page: string) =>
    [...page.matchAll(/href="\/(jockey|trainer)\/([^"]*)"/g)].map(([, role, key]) => [role, key]);
  let [n, links, long] = [0, 0, 0];
  async function follow(page: string, seen = new Set<string>()): Promise<void> {
    for (const [role, key] of linksIn(page)) {
      if (seen.has(`${role}/${key}`)) continue;
      seen.add(`${role}/${key}`);
      const view = await people.person(role === 'jockey' ? 'rider' : 'trainer', decodeURIComponent(key!));
      expect([role, key, view?.name]).toEqual([role, key, expect.any(String)]);
      links++;
      await follow(personMain(view!, { nowMs: NOW, today: aetDay(NOW) }).text, seen);
    }
  }
  const property = fc.asyncProperty(CARD, async ({ hours, country, category, jockey, trainer, run }) => {
    laterMs += 60_000;
    const startTime = new Date(NOW + hours * HOUR_MS).toISOString();
    const listed = { startTime, meetingDate: startTime.slice(0, 10), raceNumber: (++n % 12) + 1, venue: `Track ${n}` };
    const race = await storeRace(db, { ...listed, country, category });
    const { raceId } = race;
    const of = { win: 2.5, name: `Runner ${n}`, jockey, trainer };
    await race.poll(Math.max(60, hours * 3600 + 60), { runners: [feedRunner(1, of), feedRunner(2, { win: 3 })] });
    // As a registry prints them.
    await db.pool.query('UPDATE race_runners SET jockey = $2, trainer = $3 WHERE race_id = $1 AND number = 1', [
      raceId,
      jockey,
      trainer,
    ]);
    await db.pool.query(
      `INSERT INTO race_results (race_id, status, placings, placings_key, placings_since, field_status, updated_at)
       VALUES ($1, 'final', '[]', '', now(), 'pending', now())`,
      [raceId],
    );
    if (run !== null && hours < 0 && country === 'AU' && category !== 'harness')
      await addRuns(db.pool, {
        ...{ name: `Runner ${n}`, number: 1, category, start_time: startTime, jockey, trainer },
        ...(run === 'of the race' ? { race_id: raceId, origin: 'results' } : { trainer: `${trainer} Elsewhere` }),
      });
    const before = links;
    await follow(raceMain((await live.race(raceId))!, NOW).text);
    if (category !== 'harness')
      await follow(runnerMain((await runners.runner(category, `runner${n}`))!, aetDay(NOW), NOW).text);
    if (links > before && hours < -24 * 8) long++;
  });
  await fc.assert(property, { numRuns: runs(300) });
  // Races of long ago lead to people too.
  expect([links > n / 2, long > n / 8]).toEqual([true, true]);
});
