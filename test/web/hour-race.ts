// A race four minutes from its jump whose last hour has a story: one runner firms at every book, Ladbrokes first,
// another drifts.
import { feedRunner } from '../support/races/builders';
import { AFTERNOON, type BoardWorld, FOUR_BOOKS } from './board-world';

/** For each runner: its opening price and its last price. */
const STORY: readonly (readonly [from: number, to: number])[] = [
  [6.5, 4.2],
  [2.8, 2.7],
  [1.9, 2.4],
];
/** Their pages are linked below the runner's. */
const PEOPLE = [
  { jockey: 'A. Rider', trainer: 'B. Trainer' },
  { jockey: 'C. Apprentice Rider', trainer: 'D. and E. Partners', weightKg: 58.5, form: '12x34' },
];
const SCRATCHING = { at: '2026-11-21T01:15:00.000Z', late: true, winDeduction: 0.08, placeDeduction: null };

/** When each book moved, in seconds before the afternoon began: Ladbrokes a minute before the others. */
const MOVED: Readonly<Record<string, number>> = { ladbrokes_au: 1500, neds: 1440, tab: 1430, pointsbetau: 1400 };

export function hourField(at: 'from' | 'to', first = 0) {
  const field = STORY.map(([from, to], i) =>
    feedRunner(i + 1, { ...PEOPLE[i], win: (at === 'from' ? from : to) + (i === 0 ? first : 0) }),
  );
  return [...field, feedRunner(4, { name: 'Gone Fishing', scratching: SCRATCHING })];
}

const WITHHELD = 'betfair_ex_au';

/** Its history is the same to the second however late the test runs; the last polls are current. */
export const hourRace = (world: BoardWorld, venue = 'Flemington'): Promise<string> =>
  storyRace(world, venue, AFTERNOON, {});

/**
 * The same story twenty minutes ago, with a last move at PointsBet and a price at the exchange; resulted, off the board
 * and archived.
 */
export async function pastRace(world: BoardWorld): Promise<string> {
  const nowMs = AFTERNOON - 24 * 60_000;
  const raceId = await storyRace(world, 'Moonee Valley', nowMs, { nowMs }, [...FOUR_BOOKS, WITHHELD]);
  await world.poll(raceId, WITHHELD, [feedRunner(1, { win: 666 })], { nowMs });
  await world.poll(raceId, 'pointsbetau', hourField('to', 0.3), { nowMs: nowMs + 240_000, secondsAgo: 30 });
  await world.leaveBoard(raceId);
  await world.result(raceId, {
    placings: [2, 1].map((number, i) => ({ position: i + 1, number, name: `Runner ${number}` })),
  });
  await world.archive(raceId);
  return raceId;
}

/** `nowMs`: four minutes before its start. `last`: the time of the last polls. */
async function storyRace(
  world: BoardWorld,
  venue: string,
  nowMs: number,
  last: { readonly nowMs?: number },
  books = FOUR_BOOKS,
): Promise<string> {
  const startTime = new Date(nowMs + 240_000).toISOString();
  const raceId = await world.list(4, { venue, raceNumber: 4, country: 'AU', startTime }, books);
  for (const book of FOUR_BOOKS) {
    await world.poll(raceId, book, hourField('from'), {
      nowMs,
      secondsAgo: 3340,
      facts: { trackCondition: 'Good (4)' },
    });
    await world.poll(raceId, book, hourField('to'), {
      nowMs,
      secondsAgo: MOVED[book]!,
      facts: { trackCondition: 'Soft (5)' },
    });
    await world.poll(raceId, book, hourField('to'), { ...last, facts: { trackCondition: 'Soft (5)' } });
  }
  return raceId;
}
