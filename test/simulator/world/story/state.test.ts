// The state at an instant depends only on the instant, never on earlier queries.
import fc from 'fast-check';
import { eventData } from '../../../../src/simulator/books/entain/event';
import { LADBROKES, NEDS, POINTSBET, TAB } from '../../../../src/simulator/books/profiles';
import { viewOf } from '../../../../src/simulator/books/view';
import type { Race } from '../../../../src/simulator/world/race';
import { type RaceStage, raceAt } from '../../../../src/simulator/world/story/state';
import { createWorld, findRace, racesOf } from '../../../../src/simulator/world/world';
import { runs } from '../../../support/property';

const DAY = '2026-11-21';
const MINUTE_MS = 60_000;
const races = racesOf(createWorld({ seed: 'a' }), DAY);

/** Everything that four books report about a race at an instant. */
const reports = (race: Race, atMs: number): string =>
  JSON.stringify([
    raceAt(race, atMs),
    eventData(race, LADBROKES, atMs),
    ...[NEDS, POINTSBET, TAB].map((book) => {
      const { state: _, out, ...view } = viewOf(race, book, atMs);
      return { ...view, out: [...out.keys()] };
    }),
  ]);

test('an answer does not depend on earlier queries', () => {
  const queries = fc.array(
    fc.record({ race: fc.nat(races.length - 1), minutes: fc.integer({ min: -2000, max: 40 }) }),
    {
      minLength: 30,
      maxLength: 50,
    },
  );
  fc.assert(
    fc.property(queries, (list) => {
      const other = racesOf(createWorld({ seed: 'a' }), DAY);
      const at = ({ race, minutes }: (typeof list)[number], from: readonly Race[]): string =>
        reports(from[race]!, from[race]!.story.advertised[0]!.startMs + minutes * MINUTE_MS);
      const inOrder = list.map((query) => at(query, races));
      const reversed = [...list].reverse().map((query) => at(query, other));
      expect(reversed.reverse()).toEqual(inOrder);
    }),
    // Each run generates its own world, which takes most of the time: so there are few worlds, with many queries of
    // each.
    { numRuns: runs(4) },
  );
});

test('a race only moves forward through its stages', () => {
  const order: RaceStage[] = ['open', 'running', 'judging', 'interim', 'final', 'abandoned'];
  for (const race of races) {
    const { jumpMs, finalMs } = race.story;
    const stages = Array.from({ length: 200 }, (_, i) => raceAt(race, jumpMs - 60 * MINUTE_MS + i * 30_000).stage);
    const ranks = stages.map((stage) => order.indexOf(stage));
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
    expect(raceAt(race, finalMs).stage).toBe(race.story.abandoned ? 'abandoned' : 'final');
  }
});

test('the jump is 0.2 to 1.4 minutes after the start last advertised, placings two to four minutes after that', () => {
  for (const { story } of races.filter((race) => !race.story.abandoned)) {
    const delay = (story.jumpMs - story.advertised.at(-1)!.startMs) / MINUTE_MS;
    expect(delay).toBeGreaterThanOrEqual(0.2);
    expect(delay).toBeLessThanOrEqual(1.4);
    expect(story.interimMs - story.jumpMs).toBeGreaterThan(2 * MINUTE_MS);
    expect(story.interimMs - story.jumpMs).toBeLessThan(4 * MINUTE_MS);
    expect(story.finalMs).toBeGreaterThanOrEqual(story.straightDividendsMs);
  }
});

test('placings appear with the judge, change once when a protest is upheld, and name only runners that jumped', () => {
  const world = createWorld({ seed: 'a' });
  const race = findRace(world, DAY, ({ story }) => story.protest?.upheld === true);
  const { interimMs, protest } = race.story;
  const winner = (atMs: number): number | undefined => raceAt(race, atMs).placings[0]?.number;
  expect(winner(interimMs - 1)).toBeUndefined();
  expect(winner(interimMs)).toBe(race.story.crossed[0]!.number);
  expect(raceAt(race, protest!.lodgedMs).protestPending).toBe(true);
  expect(winner(protest!.decidedMs - 1)).toBe(race.story.crossed[0]!.number);
  expect(winner(protest!.decidedMs)).toBe(race.story.crossed[1]!.number);
  for (const one of races.filter((any) => !any.story.abandoned)) {
    const gone = new Set(one.story.scratchings.map((row) => row.number));
    expect(one.story.settled.filter((row) => gone.has(row.number))).toEqual([]);
    const unplaced = one.story.mishaps.filter(({ what }) => what !== 'TailedOff').map((row) => row.number);
    expect(one.story.settled.filter((row) => unplaced.includes(row.number))).toEqual([]);
    expect(one.story.settled.length + unplaced.length + gone.size).toBe(one.runners.length);
  }
});

test('an abandoned race has no placings and no dividends, ever', () => {
  for (const race of races.filter((one) => one.story.abandoned)) {
    const late = raceAt(race, race.story.finalMs + 600 * MINUTE_MS);
    expect([late.stage, late.placings, late.straightDividends]).toEqual(['abandoned', [], false]);
  }
});

test('a moved start shows from its announcement, in the last half hour', () => {
  for (const race of races.filter((one) => one.story.advertised.length > 1)) {
    const [first, second] = race.story.advertised;
    expect(raceAt(race, second!.fromMs - 1).advertisedStartMs).toBe(first!.startMs);
    expect(raceAt(race, second!.fromMs).advertisedStartMs).toBe(second!.startMs);
    expect(first!.startMs - second!.fromMs).toBeLessThanOrEqual(30 * MINUTE_MS);
    expect(second!.startMs - first!.startMs).toBeLessThanOrEqual(10 * MINUTE_MS);
  }
});
