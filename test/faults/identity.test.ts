// A meeting with other numbers, names and tracks. The join must refuse or relink, and never mix: every stored price
// belongs to the horse that the book quoted, in the race in which this horse runs.
import type { Context } from '@temporalio/activity';
import { awaitResult } from '../../src/activities/outcome/await-result';
import { runnerKey } from '../../src/domain/race/runner';
import type { Race } from '../../src/simulator/world/race';
import { at, BOOKS, type FaultLab, HOUR, MINUTE, NOON, openFaultLab, quotesOf, SECOND } from './lab';

const VENUE = 'Flemington';
/**
 * Twelve minutes apart: well within the thirty in which a start may differ (D17). All are inside the hour of capture.
 */
const CARD = [1, 2, 3].map((raceNumber) => ({
  startMs: NOON + raceNumber * 12 * MINUTE,
  venue: VENUE,
  raceNumber,
  runners: 8,
}));

let lab: FaultLab;
afterEach(() => lab.close());

const worldRace = (raceNumber: number): Race =>
  lab.simulator.world
    .meetings('2026-11-21')
    .flatMap((meeting) => meeting.races)
    .find((race) => race.meeting.track.name === VENUE && race.number === raceNumber)!;

const keysOf = (race: Race): string[] => race.runners.map((runner) => runnerKey(runner.name));

/** The horses of every book with prices of the race, and of every tick, are those of this race of the world. */
async function expectUnmixed(raceId: string, race: Race): Promise<void> {
  const stored = await lab.query<{ key: string; runner_keys: string[] }>(
    `SELECT bookmaker_key AS key, runner_keys FROM race_books WHERE race_id = $1 AND polled_at IS NOT NULL`,
    [raceId],
  );
  expect(stored.length).toBeGreaterThan(0);
  for (const { key, runner_keys } of stored) expect({ key, runner_keys }).toEqual({ key, runner_keys: keysOf(race) });
  const ticks = await lab.query<{ n: number; k: string }>(
    'SELECT DISTINCT runner_number AS n, runner_key AS k FROM price_ticks WHERE race_id = $1 ORDER BY 1, 2',
    [raceId],
  );
  expect(ticks.map(({ n, k }) => `${n} ${k}`)).toEqual(keysOf(race).map((key, i) => `${i + 1} ${key}`));
  const card = await lab.query<{ runner_key: string }>(
    'SELECT runner_key FROM race_runners WHERE race_id = $1 ORDER BY number',
    [raceId],
  );
  expect(card.map((row) => row.runner_key)).toEqual(keysOf(race));
}

const startsOf = () =>
  lab.query('SELECT race_id, race_number, start_time, start_version FROM races ORDER BY start_time');
const linksOf = () => lab.query('SELECT race_id, bookmaker_key, source_race_id FROM race_books ORDER BY 1, 2');

describe('race_renumbered', () => {
  let first: { id: string; race: Race };
  let second: { id: string; race: Race };

  beforeEach(async () => {
    lab = await openFaultLab(CARD);
    await lab.discover();
    first = { id: await lab.raceId('flemington', 1), race: worldRace(1) };
    second = { id: await lab.raceId('flemington', 2), race: worldRace(2) };
    for (const { id } of [first, second]) await lab.poll(id, ...BOOKS);
    await expectUnmixed(first.id, first.race);
  });

  async function pollBoth(): Promise<void> {
    for (let i = 0; i < 3; i++) {
      lab.clock.nowMs += 20 * SECOND;
      await lab.discover();
      for (const { id } of [first, second]) await lab.poll(id, ...BOOKS);
    }
  }

  test.each([
    ['at every book', {}],
    ['at the best-ranked book', { book: 'ladbrokes_au' }],
    ['at a book whose ids are made of numbers', { book: 'tab' }],
  ])('%s: no price of one race lands on the other, no start moves, no link changes', async (_, where) => {
    const starts = await startsOf();
    const links = await linksOf();
    await lab.on('race_renumbered', { race: first.race.id, ...where });
    await pollBoth();
    await expectUnmixed(first.id, first.race);
    await expectUnmixed(second.id, second.race);
    expect(await startsOf()).toEqual(starts);
    expect(await linksOf()).toEqual(links);
    expect(lab.signals).toEqual([]);
  });

  test('a book whose ids follow the race is still polled; its rows are refused and counted', async () => {
    await lab.on('race_renumbered', { race: first.race.id, book: 'ladbrokes_au' });
    await pollBoth();
    expect((await quotesOf(lab, first.id, 'ladbrokes_au')).polled_at).toBe(at(lab.clock.nowMs));
    expect(await lab.counts('ladbrokes_au')).toEqual({ 'refused race_renumbered': 3 * 2 });
  });

  test('all replies of a book whose ids are made of numbers are refused, its prices age, and it comes back', async () => {
    const before = await quotesOf(lab, first.id, 'tab');
    await lab.on('race_renumbered', { race: first.race.id, book: 'tab' });
    await pollBoth();
    expect(await quotesOf(lab, first.id, 'tab')).toEqual(before);
    expect(await lab.counts('tab')).toEqual({ 'failed another_race': 3 * 2 });
    await lab.off('race_renumbered');
    await pollBoth();
    expect((await quotesOf(lab, first.id, 'tab')).polled_at).toBe(at(lab.clock.nowMs));
    await expectUnmixed(first.id, first.race);
  });

  test('a book renumbered before its first poll is refused, because a better-ranked one contradicts it', async () => {
    const third = { id: await lab.raceId('flemington', 3), race: worldRace(3) };
    await lab.poll(third.id, 'ladbrokes_au');
    await lab.on('race_renumbered', { race: second.race.id, book: 'tab' });
    expect(await lab.poll(third.id, 'tab')).toMatchObject([{ kind: 'failed', reason: 'another_race' }]);
    await expectUnmixed(third.id, third.race);
  });

  test('no result is stored from the book that shows the other race’s', async () => {
    await lab.on('race_renumbered', { race: first.race.id, book: 'tab' });
    lab.clock.nowMs = first.race.story.finalMs + 2 * MINUTE;
    const [report] = await lab.poll(second.id, 'tab');
    expect(report).toMatchObject({ kind: 'failed', reason: 'another_race' });
    // Late enough that the validators have expired, so the reply is a whole one.
    lab.clock.nowMs += 2 * MINUTE;
    const watch = { raceId: second.id, jumpedAt: at(lab.clock.nowMs), known: null };
    const context = { cancellationSignal: new AbortController().signal } as Context;
    const collector = { applyPublished: async () => undefined };
    await expect(awaitResult(lab.deps, collector, watch, context)).rejects.toMatchObject({ type: 'NothingYet' });
    expect(await lab.query('SELECT * FROM race_results')).toEqual([]);
    expect(await lab.counts('tab')).toEqual({ 'failed another_race': 2 });
  });
});

describe('a venue under another name', () => {
  test('venue_respelt: the rows join the same races by their folded names, and the spelling is stored', async () => {
    lab = await openFaultLab(CARD);
    await lab.on('venue_respelt', { book: 'tab' });
    expect(await lab.discover()).toMatchObject({ created: 3, refused: 0 });
    expect(await lab.query('SELECT DISTINCT venue_id FROM races')).toEqual([{ venue_id: 'flemington' }]);
    expect(await lab.query('SELECT count(*)::int AS books FROM race_books GROUP BY race_id')).toEqual(
      Array(3).fill({ books: BOOKS.length }),
    );
    const spellings = await lab.query<{ spelling: string }>(
      "SELECT spelling FROM venue_spellings WHERE venue_id = 'flemington' ORDER BY 1",
    );
    expect(spellings.map((row) => row.spelling)).toEqual(['Flemington', 'SPORTSBET FLEMINGTON RACECOURSE']);
  });

  test('venue_misspelt after the races are listed: refused and counted, and no race is created', async () => {
    lab = await openFaultLab(CARD);
    await lab.discover();
    const starts = await startsOf();
    const links = await linksOf();
    await lab.on('venue_misspelt', { book: 'neds' });
    expect(await lab.discover()).toMatchObject({ created: 0, refused: 3 });
    expect(await startsOf()).toEqual(starts);
    expect(await linksOf()).toEqual(links);
    expect(await lab.counts('neds')).toEqual({ 'refused race_renumbered': 3 });
    // Its ids still mean the same races, so it is still polled.
    const raceId = await lab.raceId('flemington', 1);
    expect(await lab.poll(raceId, 'neds')).toMatchObject([{ kind: 'answered' }]);
  });

  test('venue_misspelt from the beginning: the races get their own venue, and none is mixed', async () => {
    lab = await openFaultLab(CARD);
    await lab.on('venue_misspelt', { book: 'tab' });
    expect(await lab.discover()).toMatchObject({ created: 6, refused: 0 });
    const books = await lab.query(
      'SELECT venue_id, count(*)::int AS books FROM race_books JOIN races USING (race_id) GROUP BY 1 ORDER BY 2',
    );
    expect(books).toEqual([
      { venue_id: expect.not.stringMatching('flemington'), books: 3 },
      { venue_id: 'flemington', books: 9 },
    ]);
  });
});

describe('two_cards_at_one_track', () => {
  test.each([
    ['found at once', false],
    ['the second found later', true],
  ])('%s: two ids for each number, and every horse on its own card', async (_, later) => {
    lab = await openFaultLab(CARD);
    if (later) await lab.discover();
    await lab.on('two_cards_at_one_track');
    await lab.discover();
    await lab.discover();
    const races = await lab.query<{
      race_id: string;
      race_number: number;
      card: number;
      start_time: string;
      books: number;
    }>(
      `SELECT race_id, race_number, card, start_time, count(*)::int AS books FROM races JOIN race_books USING (race_id)
        GROUP BY 1 ORDER BY race_number, start_time`,
    );
    const shown = races.map(({ race_number, card, books }) => ({ race_number, card, books }));
    expect(shown).toEqual(
      [1, 2, 3].flatMap((race_number) => [1, 2].map((card) => ({ race_number, card, books: BOOKS.length }))),
    );
    const second = lab.simulator.worldOf('tab').meetings('2026-11-21')[1]!;
    for (const { race_id } of races) await lab.poll(race_id, ...BOOKS);
    for (const { race_id, race_number, card } of races) {
      await expectUnmixed(race_id, card === 1 ? worldRace(race_number) : second.races[race_number - 1]!);
    }
    for (const book of BOOKS) expect(await lab.counts(book)).toEqual({});
  });
});

test('meeting_transferred: the remaining races are reported as abandoned, and listed under new ids at the other track', async () => {
  lab = await openFaultLab(CARD);
  await lab.discover();
  const old = await lab.raceId('flemington', 2);
  await lab.poll(old, ...BOOKS);
  await lab.on('meeting_transferred', { venue: VENUE });
  lab.clock.nowMs += 3 * MINUTE;
  expect(await lab.discover()).toMatchObject({ created: 3, refused: 0 });
  const [there] = await lab.query<{ venue_id: string }>(
    "SELECT DISTINCT venue_id FROM races WHERE venue_id <> 'flemington'",
  );
  const now = await lab.raceId(there!.venue_id, 2);
  const [report] = await lab.poll(old, 'ladbrokes_au');
  // No book's format contains the new track: only a registry's notice or an operator names it (A 3 "status_note").
  expect(report).toMatchObject({ kind: 'answered', result: { stage: 'abandoned', note: 'abandoned' } });
  await lab.poll(now, ...BOOKS);
  await expectUnmixed(now, worldRace(2));
  expect(
    Math.abs(
      Date.parse((await lab.deps.stores.races.raceHeader(now))!.startTime) - worldRace(2).story.advertised[0]!.startMs,
    ),
  ).toBe(0);
  const note = `transferred to ${there!.venue_id}`;
  await lab.deps.stores.results.abandon(old, note, 'operator', at(lab.clock.nowMs));
  expect(await lab.query('SELECT status, status_note, placings, runners FROM race_results')).toEqual([
    { status: 'abandoned', status_note: note, placings: [], runners: null },
  ]);
  expect(lab.clock.nowMs).toBeLessThan(NOON + HOUR);
});
