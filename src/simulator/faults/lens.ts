// The world as one book shows it: unchanged, or disturbed while a scenario is on for that book. Every book reads races
// through a lens, so no book has code for faults.
import { LRUCache } from 'lru-cache';
import type { Day } from '../../domain/race/race';
import type { Meeting } from '../world/race';
import { type Card, DAYS_CACHED, indexed, type World, worldOver } from '../world/world';
import type { Disturb } from './disturb';
import { DISTURBANCES, NOTHING_LISTED, SPELLINGS } from './scenarios';
import type { Switch, Switches } from './switches';

interface Disturbed {
  readonly from: readonly Meeting[];
  readonly on: readonly Switch[];
  readonly card: Card;
}

export function lensOf(world: World, book: string, switches: Switches, now: () => number): World {
  const made = new LRUCache<Day, Disturbed>({ max: DAYS_CACHED });
  const cardOf = (day: Day, on: readonly Switch[]): Card => {
    const from = world.meetings(day);
    const cached = made.get(day);
    if (cached && cached.from === from && cached.on === on) return cached.card;
    const card = indexed(spellingsLast(on).reduce((meetings, one) => disturbanceOf(one)(meetings, one), from));
    made.set(day, { from, on, card });
    return card;
  };
  const disturbed = (on: readonly Switch[]): World => worldOver(world, (day) => cardOf(day, on));
  const shown = (): World => {
    const on = switches.of(book, now());
    return on.some((one) => DISTURBANCES.has(one.scenario)) ? disturbed(on) : world;
  };
  const listsNothing = (): boolean => switches.of(book, now()).some((one) => one.scenario === NOTHING_LISTED);
  const origin = (): World | null => (shown() === world ? world : null);
  return {
    seed: world.seed,
    turnDays: world.turnDays,
    origin,
    // Races requested by id are shown as before.
    meetings: (day) => (listsNothing() ? [] : shown().meetings(day)),
    listedDays: world.listedDays,
    raceById: (id, nowMs) => shown().raceById(id, nowMs),
    raceBySerial: (serial, nowMs) => shown().raceBySerial(serial, nowMs),
    meetingById: (id, nowMs) => shown().meetingById(id, nowMs),
  };
}

/** Spellings are applied last, because the other scenarios find their meeting by the track's plain name. */
const spellingsLast = (on: readonly Switch[]): readonly Switch[] => [
  ...on.filter(({ scenario }) => !SPELLINGS.has(scenario)),
  ...on.filter(({ scenario }) => SPELLINGS.has(scenario)),
];

const untouched: Disturb = (card) => card;
const disturbanceOf = ({ scenario }: Switch): Disturb => DISTURBANCES.get(scenario) ?? untouched;
