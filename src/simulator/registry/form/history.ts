// The past of the world's horses and dogs: every run since the world began, as the registry recorded it. Compact rows
// by day, built on first use, once for all registries: a whole card takes 8 MB, its rows a thirtieth of that.
import { LRUCache } from 'lru-cache';
import type { Category, Day } from '../../../domain/race/race';
import { addDays, aetDay } from '../../../domain/time/aet';
import { turnsBefore, worldBegins } from '../../world/population/recent-form';
import type { Race } from '../../world/race';
import { firstStartMs } from '../../world/story/race-times';
import { conditionsAt } from '../../world/story/state';
import type { World } from '../../world/world';
import type { OfficialRunner } from '../official-field';
import { publishedResult } from '../publication';

/** A race that has a final result. */
export interface PastRace {
  readonly serial: number;
  readonly day: Day;
  readonly track: Race['meeting']['track'];
  readonly meetingSerial: number;
  readonly number: number;
  readonly name: string;
  /** Its first advertised start, epoch ms. */
  readonly startMs: number;
  readonly raceClass: string;
  readonly distanceM: number;
  readonly going: string;
  readonly rating: number | null;
  readonly prizes: readonly number[];
  /** When its final result is published, epoch ms. */
  readonly publishedMs: number;
  /** The runners that ran, in finishing order, those without a place last. */
  readonly field: readonly PastRunner[];
}

/**
 * What the documents of the past show of a runner, and nothing else: there are a hundred days of fifteen hundred
 * runners.
 */
export type PastRunner = Pick<
  OfficialRunner,
  | 'number'
  | 'name'
  | 'status'
  | 'barrier'
  | 'position'
  | 'sp'
  | 'marginLengths'
  | 'timeS'
  | 'abnormal'
  | 'jockey'
  | 'trainer'
  | 'weightKg'
>;

export interface PastRun {
  readonly race: PastRace;
  readonly runner: PastRunner;
}

export interface History {
  /** Published runs of an animal on the card of `day`, newest first, including runs after `day`. */
  runsOf(name: string, category: Category, day: Day, nowMs: number): readonly PastRun[];
  /** The races of one day with a published result at a registry. */
  racesOn(day: Day, nowMs: number): readonly PastRace[];
  /** No run is before this day. */
  beginsOn(nowMs: number): Day;
}

/** All days since the world began, and some future days. */
const DAYS_CACHED = 140;
const AT_THE_END = 8.64e15;
const DAY_MS = 86_400_000;

type Days = LRUCache<Day, readonly PastRace[]>;
const createDays = (): Days => new LRUCache({ max: DAYS_CACHED });
const racesFrom = (world: World, day: Day): readonly PastRace[] =>
  world.meetings(day).flatMap((meeting) => meeting.races.flatMap(pastRace));

/** The rows of each undisturbed world, shared by all its registries. */
const undisturbed = new WeakMap<World, Days>();

function sharedRaces(origin: World, day: Day): readonly PastRace[] {
  const days = undisturbed.get(origin) ?? createDays();
  undisturbed.set(origin, days);
  const races = days.get(day) ?? racesFrom(origin, day);
  days.set(day, races);
  return races;
}

export function createHistory(world: World): History {
  const days = createDays();
  const newRaces = (day: Day, today: Day): readonly PastRace[] => {
    const origin = day < today ? world.origin() : null;
    return origin ? sharedRaces(origin, day) : racesFrom(world, day);
  };
  const racesOf = (day: Day, today: Day): readonly PastRace[] => {
    const races = days.get(day) ?? newRaces(day, today);
    // A fault can still change what happens today.
    if (day < today) days.set(day, races);
    return races;
  };
  const racesOn = (day: Day, nowMs: number): readonly PastRace[] => {
    const today = aetDay(nowMs);
    if (day < worldBegins(today) || day > today) return [];
    return racesOf(day, today).filter(({ publishedMs }) => publishedMs <= nowMs);
  };
  return {
    racesOn,
    beginsOn: (nowMs) => worldBegins(aetDay(nowMs)),
    runsOf(name, category, day, nowMs) {
      const turns = turnsBetween(day, aetDay(nowMs), world.turnDays);
      return turns.flatMap((turn) =>
        racesOn(turn, nowMs).flatMap((race) => {
          const runner = race.track.category === category && race.field.find((one) => one.name === name);
          return runner ? [{ race, runner }] : [];
        }),
      );
    },
  };
}

/** The turns of an animal on the card of `day`, up to `today`, newest first. */
function turnsBetween(day: Day, today: Day, turnDays: number): Day[] {
  const apart = Math.round((Date.parse(today) - Date.parse(day)) / DAY_MS);
  const last = addDays(day, Math.floor(apart / turnDays) * turnDays);
  return [last, ...turnsBefore(last, turnDays)];
}

function pastRace(race: Race): PastRace[] {
  const { stage, publishedMs, field: official } = publishedResult(race, AT_THE_END);
  if (stage !== 'final') return [];
  const { meeting, story, serial, number, name, raceClass, distanceM, prizes } = race;
  const { going, rating } = conditionsAt(meeting, story.jumpMs);
  const field = official
    .filter(({ status }) => status === 'ran')
    .map(pastRunner)
    .sort((a, b) => (a.position ?? 99) - (b.position ?? 99) || a.number - b.number);
  return [
    {
      startMs: firstStartMs(race),
      serial,
      number,
      name,
      raceClass,
      distanceM,
      prizes,
      going,
      rating,
      field,
      day: meeting.day,
      track: meeting.track,
      meetingSerial: meeting.serial,
      publishedMs: publishedMs!,
    },
  ];
}

const pastRunner = (official: OfficialRunner): PastRunner => ({
  number: official.number,
  name: official.name,
  status: official.status,
  barrier: official.barrier,
  position: official.position,
  sp: official.sp,
  marginLengths: official.marginLengths,
  timeS: official.timeS,
  abnormal: official.abnormal,
  jockey: official.jockey,
  trainer: official.trainer,
  weightKg: official.weightKg,
});
