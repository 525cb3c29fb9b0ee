// The pages' reads beside the board: races that jumped, outcomes, changes of the card.

import { NO_FACTS } from '../../../src/domain/race/not-reported';
import { createLiveReads, type LiveReads } from '../../../src/store/reads/live-board';
import { feedField, feedResult, feedRunner } from '../../support/races/builders';
import { type StoredRace, storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

const BOOKS = ['ladbrokes_au', 'tab'];
const START = '2026-11-21T03:00:00.000Z';
const at = (minutes: number): string => new Date(Date.parse(START) + minutes * 60_000).toISOString();

let db: TestDatabase;
let reads: LiveReads;

beforeEach(async () => {
  db = await createTestDatabase();
  reads = createLiveReads(db.pool);
});
afterEach(() => db.drop());

const stored = (over: Parameters<typeof storeRace>[1] = {}): Promise<StoredRace> =>
  storeRace(db, { startTime: START, ...over }, BOOKS);

test('a race is listed as jumped from its jump until it has a result, and then as an outcome', async () => {
  const race = await stored();
  expect(await reads.offRaces(at(-1), 5)).toEqual([]);
  await race.stores.races.savePhase(race.raceId, 'jumped', { jumpedAt: at(1) }, at(1));
  expect(await reads.offRaces(at(2), 5)).toEqual([expect.objectContaining({ race_id: race.raceId, jumped_at: at(1) })]);
  const result = feedResult({ protest: true });
  await race.stores.results.saveResult({ raceId: race.raceId, source: 'ladbrokes_au', result, at: at(6) });
  expect(await reads.offRaces(at(7), 5)).toEqual([]);
  const outcomes = await reads.outcomes(at(7), 5);
  expect(outcomes).toEqual([await reads.outcome(race.raceId)]);
  expect(outcomes[0]).toMatchObject({ race_id: race.raceId, status: 'interim', protest: true, places_paid: null });
  // The evidence of the places paid, if none are reported.
  expect(outcomes[0]).toMatchObject({ card: null, deductions: [] });
});

test('a race is listed as jumped once the book that supplies its market state has closed, if that book may be shown', async () => {
  const race = await stored();
  await race.poll(-20, { marketStatus: 'CLOSED' }, { marketStateSource: true });
  expect(await reads.offRaces(at(-1), 5)).toEqual([]);
  expect(await reads.offRaces(at(1), 5)).toEqual([
    expect.objectContaining({ race_id: race.raceId, jumped_at: race.before(-20) }),
  ]);
});

test('an abandoned race is an outcome from its advertised start', async () => {
  const race = await stored();
  await race.stores.results.abandon(race.raceId, 'abandoned', 'operator', at(-60));
  expect(await reads.outcomes(at(-1), 5)).toEqual([]);
  expect(await reads.outcomes(at(0), 5)).toEqual([expect.objectContaining({ status: 'abandoned' })]);
});

test('races in Hong Kong have no outcome (A 1)', async () => {
  const race = await stored({ country: 'HK' });
  await race.stores.results.saveResult({
    raceId: race.raceId,
    source: 'ladbrokes_au',
    result: feedResult(),
    at: at(6),
  });
  expect([await reads.outcomes(at(7), 5), await reads.outcome(race.raceId)]).toEqual([[], null]);
});

test('a single race is read in any state, with the given books; an unknown id is null', async () => {
  const race = await stored();
  await race.poll(600, { runners: feedField(3, 5) });
  await race.stores.races.savePhase(race.raceId, 'final', { jumpedAt: at(0), leftBoardAt: at(10) }, at(10));
  const found = await reads.race(race.raceId, BOOKS);
  expect(found).toMatchObject({ jumped_at: at(0), left_board_at: at(10), startMs: Date.parse(START) });
  expect(found?.books.map((book) => [book.bookmaker, book.win])).toEqual([['ladbrokes_au', [3, 5]]]);
  expect((await reads.race(race.raceId, ['tab']))?.books).toEqual([]);
  expect(await reads.race('00000000-0000-4000-8000-000000000000', BOOKS)).toBeNull();
});

test('place prices last captured before an instant are read for the given books, under each runner’s current name', async () => {
  const race = await stored();
  const field = (win: number, place: number | null, name = 'Second') => [
    feedRunner(1, { win, place }),
    feedRunner(2, { win: win + 1, place: null }),
    feedRunner(3, { win: win + 2, place, name }),
  ];
  await race.poll(600, { runners: field(4, 1.8) });
  await race.poll(300, { runners: field(5, 1.9) });
  await race.poll(-20, { runners: field(1.1, 1.01, 'Another') });
  const before = (seconds: number, books = BOOKS) =>
    reads.placesBefore([{ raceId: race.raceId, bookmakers: books, at: race.before(seconds) }]);
  expect(await before(0)).toEqual([{ raceId: race.raceId, bookmaker: 'ladbrokes_au', number: 1, price: 1.9 }]);
  expect(await before(301)).toEqual([{ raceId: race.raceId, bookmaker: 'ladbrokes_au', number: 1, price: 1.8 }]);
  // A poll at the instant counts.
  expect(await before(300)).toEqual([{ raceId: race.raceId, bookmaker: 'ladbrokes_au', number: 1, price: 1.9 }]);
  expect(await before(0, ['tab'])).toEqual([]);
});

test('a book’s last poll up to an instant is read if its next poll showed a change', async () => {
  const race = await stored();
  const field = (win: number | null) => [feedRunner(1, { win }), feedRunner(2, { win: 4 })];
  const last = (seconds: number) =>
    reads.pollsBefore([{ raceId: race.raceId, bookmakers: BOOKS, at: race.before(seconds) }]);
  const at = (seconds: number, of = race) => [
    { raceId: of.raceId, bookmaker: 'ladbrokes_au', atMs: Date.parse(of.before(seconds)) },
  ];
  await race.poll(600, { runners: field(4) });
  await race.poll(300, { runners: field(4) });
  await race.poll(-20, { runners: field(4) });
  // It showed the same before and after.
  expect(await last(0)).toEqual([]);
  await race.poll(-40, { runners: field(null) });
  expect([await last(0), await last(-20), await last(-39)]).toEqual([[], at(-20), at(-20)]);
  const moved = await stored({ raceNumber: 2 });
  await moved.poll(600, { runners: field(4) });
  await moved.poll(-20, { runners: field(1.1) });
  expect(await reads.pollsBefore([{ raceId: moved.raceId, bookmakers: BOOKS, at: moved.before(0) }])).toEqual(
    at(600, moved),
  );
  // Of several races each has its own instant.
  const both = [race, moved].map((one) => ({ raceId: one.raceId, bookmakers: BOOKS, at: one.before(0) }));
  expect(await reads.pollsBefore(both)).toEqual(at(600, moved));
  expect(await reads.pollsBefore([{ ...both[0]!, at: race.before(-20) }, both[1]!])).toEqual(
    [...at(-20), ...at(600, moved)].sort((a, b) => (a.raceId < b.raceId ? -1 : 1)),
  );
  expect(await reads.pollsBefore([{ raceId: moved.raceId, bookmakers: BOOKS, at: moved.before(-20) }])).toEqual([]);
});

test('changes of the card are the meeting’s last change from a visible source and deductions of scratched runners', async () => {
  const race = await stored();
  const sibling = await stored({ raceNumber: 2 });
  const by = (on: StoredRace, minutes: number, book: string, trackCondition: string) =>
    on.poll(
      minutes * 60,
      { facts: { ...NO_FACTS, trackCondition } },
      { bookmakerKey: book, startSource: book === BOOKS[0] },
    );
  expect(await reads.cardDetails(race.raceId, BOOKS)).toEqual({ track: null, deductions: [] });
  for (const [minutes, book, condition] of [
    [50, 'tab', 'Heavy (8)'],
    [40, 'tab', 'Soft (7)'],
    [35, 'ladbrokes_au', 'Good4'],
    [30, 'ladbrokes_au', 'Soft (5)'],
  ] as const) {
    await by(sibling, minutes, book, condition);
  }
  expect((await reads.cardDetails(race.raceId, BOOKS)).track).toEqual({ at: race.before(1800), previous: 'Good4' });
  expect((await reads.cardDetails(race.raceId, ['tab'])).track).toEqual({
    at: race.before(2400),
    previous: 'Heavy (8)',
  });
  const scratching = { at: null, late: true, winDeduction: 0.08, placeDeduction: null };
  await race.poll(600, { runners: [feedRunner(1, { scratching }), feedRunner(2, { win: 3 })] });
  expect((await reads.cardDetails(race.raceId, BOOKS)).deductions).toEqual([{ number: 1, win: 0.08, place: null }]);
});
