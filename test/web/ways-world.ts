// A day with meetings of three codes in every state: resulted, jumped, next, abandoned, without a result, tomorrow's.
import { feedField, feedRunner, resultRunner } from '../support/races/builders';
import { AFTERNOON, type BoardWorld } from './board-world';
import { hourRace } from './hour-race';

export interface WaysWorld {
  readonly resulted: string;
  readonly jumped: string;
  readonly next: string;
  readonly last: string;
  /** Its price has moved; the first to jump. */
  readonly moving: string;
  readonly tomorrow: string;
}

const at = (minutes: number): string => new Date(AFTERNOON + minutes * 60_000).toISOString();

export async function waysWorld(world: BoardWorld): Promise<WaysWorld> {
  const list = (venue: string, raceNumber: number, minutes: number, over = {}) =>
    world.list(0, { venue, raceNumber, country: 'AU', startTime: at(minutes), ...over });
  const resulted = await list('Flemington', 1, -80);
  await world.poll(resulted, 'tab', feedField(2.5, 4.2, 8), { nowMs: AFTERNOON - 81 * 60_000 });
  await world.leaveBoard(resulted, AFTERNOON - 79 * 60_000);
  await world.result(resulted, {
    stage: 'final',
    straight: [{ market: 'WIN', product: 'VIC', number: 1, amount: 2.7 }],
    exotics: [{ code: 'QN', product: 'VIC', selection: '1,2', amount: 5.4 }],
  });
  await world.field(resulted, [
    resultRunner(1, { time_s: 69.45, sp: 2.6 }),
    resultRunner(2, { margin: '0.75L' }),
    resultRunner(3, { margin: null }),
  ]);
  const jumped = await list('Flemington', 2, -3);
  await world.jump(jumped, AFTERNOON - 2 * 60_000);
  const next = await list('Flemington', 3, 25);
  await world.poll(
    next,
    'tab',
    [
      feedRunner(1, { win: 2.5, name: 'Jade Empress', jockey: 'J. Kah', trainer: 'C. Waller' }),
      feedRunner(2, { win: 4.2 }),
    ],
    { facts: { trackCondition: 'Good (4)', weather: 'OCAST' } },
  );
  const last = await list('Flemington', 4, 65);
  for (let number = 1; number <= 12; number++) await list('Ascot', number, 100 + 35 * number);
  const trot = await list('Menangle', 5, 30, { category: 'harness' });
  await list('Meadows', 1, 40, { category: 'greyhound' });
  const abroad = await list('Ellerslie', 8, 20, { country: 'NZ' });
  const unknown = await list('Somewhere New', 1, 50, { country: null });
  for (const raceId of [trot, abroad, unknown]) await world.poll(raceId, 'tab', feedField(2.5, 4.2, 8));
  const moving = await hourRace(world, 'Caulfield');
  const tomorrow = await list('Randwick', 1, 20 * 60, { meetingDate: '2026-11-22' });
  return { resulted, jumped, next, last, moving, tomorrow };
}
