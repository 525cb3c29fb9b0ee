// A punter's afternoon: the day of `waysWorld` with what its answers could be confused with (a runner that drifts more
// than any firms, a greyhound race elsewhere, a book with a better place price),
// and a race of the day before.
import { feedField, feedRunner } from '../support/races/builders';
import { AFTERNOON, type BoardWorld, FOUR_BOOKS } from './board-world';
import { hourField } from './hour-race';
import { type WaysWorld, waysWorld } from './ways-world';

const at = (minutes: number): string => new Date(AFTERNOON + minutes * 60_000).toISOString();
const DAY_MINUTES = 24 * 60;

export async function tasksWorld(world: BoardWorld): Promise<WaysWorld> {
  const ways = await waysWorld(world);
  const list = (venue: string, raceNumber: number, minutes: number, over = {}) =>
    world.list(0, { venue, raceNumber, country: 'AU', startTime: at(minutes), ...over });
  // The book that is not one of the punter's pays most.
  const places = { ladbrokes_au: 1.9, neds: 1.55, tab: 1.7, pointsbetau: 1.6 };
  for (const [book, place] of Object.entries(places))
    await world.poll(ways.next, book, [
      feedRunner(1, { win: 2.5, place, name: 'Jade Empress', jockey: 'J. Kah', trainer: 'C. Waller' }),
      feedRunner(2, { win: 4.2, place: 2 }),
    ]);
  for (const [venue, minutes] of [
    ['Wentworth Park', 32],
    ['Meadows', 36],
    ['Sandown', 44],
  ] as const)
    await world.poll(await list(venue, 2, minutes, { category: 'greyhound' }), 'tab', feedField(2.5, 4.2, 8));
  await moves(world, await list('Doomben', 6, 28));
  // Since ten minutes before its start a book has gone up.
  await world.poll(ways.moving, 'pointsbetau', hourField('to', 0.3));
  const yesterday = await list('Doomben', 5, -DAY_MINUTES, { meetingDate: '2026-11-20' });
  const nowMs = AFTERNOON - (DAY_MINUTES + 1) * 60_000;
  await world.poll(yesterday, 'tab', feedField(3.1, 4.2, 8), { nowMs });
  await world.leaveBoard(yesterday, AFTERNOON - DAY_MINUTES * 60_000);
  await world.result(yesterday, {
    stage: 'final',
    straight: [
      { market: 'WIN', product: 'VIC', number: 1, amount: 3.4 },
      { market: 'PLC', product: 'VIC', number: 1, amount: 1.5 },
    ],
    exotics: [{ code: 'EX', product: 'VIC', selection: '1,2', amount: 17.8 }],
  });
  return ways;
}

/** One firms a little and one drifts far, at every book. */
async function moves(world: BoardWorld, raceId: string): Promise<void> {
  for (const book of FOUR_BOOKS) {
    await world.poll(raceId, book, feedField(3, 2, 8), { nowMs: AFTERNOON, secondsAgo: 1500 });
    await world.poll(raceId, book, feedField(2.5, 5, 8), { nowMs: AFTERNOON, secondsAgo: 600 });
    await world.poll(raceId, book, feedField(2.5, 5, 8));
  }
}
