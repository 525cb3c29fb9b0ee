// The entry to the world: days, races by id, and races with a given story. Days are built on first use, and a few are
// cached; nothing here changes with time.
import { LRUCache } from 'lru-cache';
import type { Day } from '../../domain/race/race';
import { addDays, aetDay } from '../../domain/time/aet';
import { createCard, planCard } from './card';
import { type EntriesRequest, turnDaysOf } from './population/entries';
import { createRecentForm } from './population/recent-form';
import type { Meeting, Race } from './race';
import { hashText } from './random';
import { type RaceScript, scriptedCard } from './scripts';
import { firstStartMs } from './story/race-times';

export interface WorldOptions {
  /** Any text; the same text gives the same world. */
  readonly seed: string;
  /** Minutes between two jumps round the clock, 3 to 15. Default 4.5: about 320 races a day, 40 inside three hours. */
  readonly intervalMinutes?: number;
  /** Replaces the daily card with exactly these races. */
  readonly races?: readonly RaceScript[];
}

export interface World {
  readonly seed: number;
  /** Days from an animal's turn to its next. */
  readonly turnDays: number;
  /** The world that all books share, while this world shows it unchanged; null while a fault changes it. */
  origin(): World | null;
  /** The meetings of one Sydney day. */
  meetings(day: Day): readonly Meeting[];
  /** Meetings whose fields are published at `nowMs`: yesterday's, today's and those of the next two days. */
  listedDays(nowMs: number): readonly Day[];
  raceById(id: string, nowMs: number): Race | null;
  raceBySerial(serial: number, nowMs: number): Race | null;
  meetingById(id: string, nowMs: number): Meeting | null;
}

/**
 * The registries repeatedly read the last twelve days and the next four; a day takes 2.5 MB and a tenth of a second to
 * build.
 */
export const DAYS_CACHED = 18;
const DAYS_BACK = 1;
const DAYS_AHEAD = 2;

/** One day's meetings, indexed by the ids that books use. */
export interface Card {
  readonly meetings: readonly Meeting[];
  readonly byId: ReadonlyMap<string, Race>;
  readonly bySerial: ReadonlyMap<number, Race>;
}

export function createWorld(options: WorldOptions): World {
  const seed = hashText(options.seed);
  const intervalMinutes = options.intervalMinutes ?? 4.5;
  if (intervalMinutes < 3 || intervalMinutes > 15) throw new Error('intervalMinutes must be from 3 to 15');
  const cards = new LRUCache<Day, Card>({ max: DAYS_CACHED });
  const turnDays = turnDaysOf(intervalMinutes);
  const requestOf = (day: Day): EntriesRequest => ({
    seed,
    day,
    intervalMinutes,
    formOf: ({ name }) => recentForm.before(day, name),
  });
  const recentForm = createRecentForm((day) => planCard(requestOf(day)), turnDays);
  const meetings = (day: Day): Meeting[] =>
    options.races ? scriptedCard(seed, day, options.races) : createCard(requestOf(day));
  return worldOver({ seed, turnDays }, (day) => {
    const card = cards.get(day) ?? indexed(meetings(day));
    cards.set(day, card);
    return card;
  });
}

/** The world built on a function from day to card. */
export function worldOver(fixed: Pick<World, 'seed' | 'turnDays'>, card: (day: Day) => Card): World {
  const firstOf = <T>(nowMs: number, find: (card: Card) => T | undefined): T | null => {
    for (const day of listedDays(nowMs)) {
      const found = find(card(day));
      if (found) return found;
    }
    return null;
  };
  const world: World = {
    ...fixed,
    origin: () => world,
    meetings: (day) => card(day).meetings,
    listedDays,
    raceById: (id, nowMs) => firstOf(nowMs, (one) => one.byId.get(id)),
    raceBySerial: (serial, nowMs) => firstOf(nowMs, (one) => one.bySerial.get(serial)),
    meetingById: (id, nowMs) => firstOf(nowMs, (one) => one.meetings.find((meeting) => meeting.id === id)),
  };
  return world;
}

/** Today first, because most requests are for today. */
function listedDays(nowMs: number): Day[] {
  const today = aetDay(nowMs);
  const others = Array.from({ length: DAYS_BACK + DAYS_AHEAD + 1 }, (_, i) => addDays(today, i - DAYS_BACK));
  return [today, ...others.filter((day) => day !== today)];
}

export function indexed(meetings: readonly Meeting[]): Card {
  const races = meetings.flatMap((meeting) => meeting.races);
  return {
    meetings,
    byId: new Map(races.map((race) => [race.id, race])),
    bySerial: new Map(races.map((race) => [race.serial, race])),
  };
}

/** Every race of the day in order of its first advertised start. */
export function racesOf(world: World, day: Day): Race[] {
  const races = world.meetings(day).flatMap((meeting) => meeting.races);
  return races.sort((a, b) => firstStartMs(a) - firstStartMs(b));
}

/**
 * The first race of the day that satisfies `predicate`; throws if there is none, so that a test shows what it was
 * looking for.
 */
export function findRace(world: World, day: Day, predicate: (race: Race) => boolean): Race {
  const race = racesOf(world, day).find(predicate);
  if (!race) throw new Error(`no race of ${day} has the requested story`);
  return race;
}
