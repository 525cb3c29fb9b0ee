// No reply passes on the strength of what was stored longer ago than the check is good for, and none with other names
// than before on the strength of anything but what is stored now; nothing is refused but by what is stored now; the
// books of a race share their queries.
import fc from 'fast-check';
import { contradictedNumbers, isOtherRace, type NamedField } from '../../../src/domain/race/other-race';
import { checkAgainst } from '../../../src/store/polls/field-check';
import { runs } from '../../support/property';

const RACE = 'race';
const GOOD_FOR_MS = 5 * 60_000;
const START_MS = Date.parse('2026-11-21T03:00:00.000Z');
const FIELDS = [
  ['Abelard', 'Bertrand', 'Carlisle', 'Davenport'],
  ['Abelard', 'Bertrand', 'Carlisle', 'Emilio'],
  ['Quince', 'Rowan', 'Sorrel', 'Tansy'],
].map((names) => names.map((name, i) => ({ number: i + 1, name })));

/** In the order of their rank. */
const BOOKS = ['ladbrokes_au', 'neds', 'sportsbet'];
const at = (ms: number): string => new Date(START_MS + ms).toISOString();

const step = fc.record({
  afterMs: fc.integer({ min: 0, max: 120_000 }),
  book: fc.constantFrom(...BOOKS),
  // Most replies name the same runners as before, and what is stored changes seldom.
  field: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 2),
  isStored: fc.constantFrom(true, ...Array<boolean>(7).fill(false)),
});

test('property: what passes agrees with the stored fields of five minutes, new names and refusals with those of now', () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
      /** What the best-ranked book names, and since when. */
      const stored: { readonly atMs: number; readonly fields: readonly NamedField[] }[] = [
        { atMs: Number.NEGATIVE_INFINITY, fields: [] },
      ];
      const check = checkAgainst(async () => stored.at(-1)!.fields);
      /** What each book named when it last passed. */
      const before = new Map<string, number>();
      let nowMs = 0;
      for (const { afterMs, book, field, isStored } of steps) {
        nowMs += afterMs;
        const runners = FIELDS[field]!;
        if (isStored) {
          stored.push({ atMs: nowMs, fields: [{ rank: 0, runners }] });
          continue;
        }
        const report = { rank: BOOKS.indexOf(book) + 1, runners };
        const verdictOn = (fields: readonly NamedField[]) => ({
          anotherRace: isOtherRace(report, fields),
          contradicted: contradictedNumbers(report, fields),
        });
        const verdict = await check(RACE, book, runners, at(nowMs));
        const hasPassed = !verdict.anotherRace && verdict.contradicted.length === 0;
        if (!hasPassed || before.get(book) !== field) expect(verdict).toEqual(verdictOn(stored.at(-1)!.fields));
        if (hasPassed) before.set(book, field);
        const sinceMs = nowMs - GOOD_FOR_MS;
        const recent = stored.filter((_, i) => (stored[i + 1]?.atMs ?? nowMs) >= sinceMs);
        expect(recent.map(({ fields }) => verdictOn(fields))).toContainEqual(verdict);
      }
    }),
    { numRuns: runs(300) },
  ));

test('books of one race that name the same runners as before share a query', async () => {
  let queries = 0;
  const check = checkAgainst(async () => {
    queries += 1;
    return [{ rank: 0, runners: FIELDS[0]! }];
  });
  const poll = async (nowMs: number): Promise<void> => {
    for (const [i, book] of BOOKS.entries()) await check(RACE, book, FIELDS[0]!, at(nowMs + 1000 * i));
  };
  await poll(0);
  expect(queries).toBe(BOOKS.length);
  for (let nowMs = 15_000; nowMs <= 4 * GOOD_FOR_MS + 60_000; nowMs += 15_000) await poll(nowMs);
  expect(queries).toBe(BOOKS.length + 4);
});

test('a shared query lasts for all of them from when it was made', async () => {
  let runners = FIELDS[0]!;
  const check = checkAgainst(async () => [{ rank: 0, runners }]);
  const passes = async (book: string, nowMs: number): Promise<boolean> =>
    !(await check(RACE, book, FIELDS[0]!, at(nowMs))).anotherRace;
  for (const book of ['neds', 'sportsbet']) expect(await passes(book, 0)).toBe(true);
  expect(await passes('neds', GOOD_FOR_MS)).toBe(true);
  runners = FIELDS[2]!;
  expect(await passes('sportsbet', 1.4 * GOOD_FOR_MS)).toBe(true);
  for (const book of ['neds', 'sportsbet']) expect(await passes(book, 2 * GOOD_FOR_MS)).toBe(false);
});

test('a refusal ends with the first poll after the cause is gone, for the book and for those that share its query', async () => {
  let runners = FIELDS[0]!;
  const check = checkAgainst(async () => [{ rank: 0, runners }]);
  const contradicted = async (book: string, nowMs: number): Promise<readonly number[]> =>
    (await check(RACE, book, FIELDS[0]!, at(nowMs))).contradicted;
  for (const book of ['neds', 'sportsbet']) expect(await contradicted(book, 0)).toEqual([]);
  runners = FIELDS[1]!;
  expect(await contradicted('neds', GOOD_FOR_MS)).toEqual([4]);
  runners = FIELDS[0]!;
  for (const book of ['sportsbet', 'neds']) expect(await contradicted(book, GOOD_FOR_MS + 2000)).toEqual([]);
});
