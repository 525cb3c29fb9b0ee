// What the thoroughbred registry publishes about the world, and when: a state's meetings, the instants at which their
// documents are published, and its codes. The pages contain the text.

import type { Day } from '../../domain/race/race';
import { REGISTRY_STATES, type RegistryState } from '../../domain/registry/registry';
import { stateDay } from '../../domain/registry/state-time';
import { addDays, aetDay, aetDayBounds } from '../../domain/time/aet';
import { worldBegins } from '../world/population/recent-form';
import type { Meeting, Race, Runner } from '../world/race';
import { hashText, mix } from '../world/random';
import { firstStartMs } from '../world/story/race-times';
import type { World } from '../world/world';
import { MONTHS } from './markup';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** How many days the calendars cover ahead of today, and back. */
const DAYS_AHEAD = 4;
const DAYS_BACK = 12;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** The state of an Australian horse meeting; null if this registry does not cover it. */
export function stateOf({ track }: Meeting): RegistryState | null {
  if (track.category !== 'horse' || track.country !== 'AU') return null;
  return REGISTRY_STATES.find((state) => state === track.state) ?? null;
}

/** From today onwards, in order. */
export const meetingsOf = (world: World, state: RegistryState, nowMs: number): readonly Meeting[] =>
  meetingsOn(world, state, daysFrom(stateDay(nowMs, state), 0, DAYS_AHEAD));

/** From today backwards, as in the calendar of results. */
export const pastMeetingsOf = (world: World, state: RegistryState, nowMs: number): readonly Meeting[] =>
  meetingsOn(world, state, daysFrom(stateDay(nowMs, state), -DAYS_BACK, 0).reverse());

const daysFrom = (today: Day, first: number, last: number): Day[] =>
  Array.from({ length: last - first + 1 }, (_, i) => addDays(today, first + i));

const meetingsOn = (world: World, state: RegistryState, days: readonly Day[]): readonly Meeting[] =>
  days
    .flatMap((day) => world.meetings(day))
    .filter((meeting) => stateOf(meeting) === state && meeting.races.length > 0);

export const beginsMs = (meeting: Meeting): number => Math.min(...meeting.races.map(firstStartMs));

/** Two to two and a half days before the meeting's day. */
export const acceptancesOutMs = (meeting: Meeting): number =>
  aetDayBounds(meeting.day).startMs - 60 * HOUR_MS + (mix(meeting.seed, 71) % 12) * HOUR_MS;

/** Published from the afternoon before. */
export const sheetOutMs = (meeting: Meeting): number => aetDayBounds(meeting.day).startMs - 10 * HOUR_MS;

export const keyOf = ({ day, track }: Meeting, state: RegistryState): string =>
  `${keyDay(day)},${state},${track.display}`;

/** `2026Aug01`. */
function keyDay(day: Day): string {
  const [year, month, date] = day.split('-');
  return `${year}${MONTHS[Number(month) - 1]}${date}`;
}

/** Searches only the key's own day, and only if the calendars cover it, because a day is costly to generate. */
export function meetingByKey(world: World, key: string, nowMs: number): Meeting | null {
  const [date = '', code] = key.split(',');
  const state = REGISTRY_STATES.find((one) => one === code);
  if (!state) return null;
  const days = daysFrom(stateDay(nowMs, state), -DAYS_BACK, DAYS_AHEAD).filter((day) => keyDay(day) === date);
  return meetingsOn(world, state, days).find((meeting) => keyOf(meeting, state) === key) ?? null;
}

/** `Sat 01-Aug`: without a year. */
export function shortDay(day: Day): string {
  const date = new Date(day);
  return `${WEEKDAYS[date.getUTCDay()]} ${day.slice(8)}-${MONTHS[date.getUTCMonth()]}`;
}

/** A horse's code differs at every meeting; a person's code belongs to the name. */
export const horseCodeOf = (race: Race, runner: Runner): number => race.serial * 100 + runner.number;
export const raceEntryCodeOf = (race: Race, runner: Runner): number => 500_000_000_000 + horseCodeOf(race, runner);
export const personCodeOf = (name: string): number => 1_000_000 + (hashText(name) % 9_000_000);

/** In the format of a link: base64 of the digits, percent-encoded. */
export const codeText = (code: number): string =>
  Buffer.from(String(code)).toString('base64').replaceAll('=', '%3d').replaceAll('+', '%2b');

/**
 * The entry with this horse code, in any race since the world began whose acceptances are published; null if the site
 * has none.
 */
export function entryByCode(world: World, code: number, nowMs: number): { race: Race; runner: Runner } | null {
  const day = new Date(Math.floor(code / 1_000_000) * DAY_MS);
  if (!Number.isSafeInteger(code) || Number.isNaN(day.getTime())) return null;
  const of = day.toISOString().slice(0, 10);
  if (of < worldBegins(aetDay(nowMs)) || of > addDays(aetDay(nowMs), DAYS_AHEAD)) return null;
  const meeting = world.meetings(of).find(({ serial }) => serial === Math.floor(code / 10_000));
  const race = meeting?.races.find(({ serial }) => serial === Math.floor(code / 100));
  const runner = race?.runners.find(({ number }) => number === code % 100);
  return race && runner && stateOf(race.meeting) && nowMs >= acceptancesOutMs(race.meeting) ? { race, runner } : null;
}
