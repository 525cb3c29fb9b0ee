// How a scenario changes a day's card: it takes meetings and returns meetings, and must never change its input.
import { foldText } from '../../domain/race/venue';
import type { Meeting, Race, Story } from '../world/race';
import { firstStartMs } from '../world/story/race-times';
import type { Switch } from './switches';

/** Pure in the card and the switch. */
export type Disturb = (card: readonly Meeting[], on: Switch) => readonly Meeting[];

const MINUTE_MS = 60_000;

const isAt = ({ venue }: Switch, { track }: Meeting): boolean =>
  venue === null || foldText(venue) === foldText(track.name);

const isMeant = (on: Switch, race: Race): boolean =>
  isAt(on, race.meeting) && (on.race === null || on.race === race.id);

/** Whether a switch concerns a meeting, by its venue or by any of its races. */
const isMeetingMeant = (on: Switch, meeting: Meeting): boolean => meeting.races.some((race) => isMeant(on, race));

/**
 * When the scenario happens to a race: when switched on, but at the earliest this many minutes before the race's first
 * start.
 */
export const happensAtMs = (on: Switch, race: Race, minutesBefore: number): number =>
  Math.max(on.fromMs, firstStartMs(race) - minutesBefore * MINUTE_MS);

/** The meeting with its races changed; every race refers to the new meeting. */
export function withRaces(meeting: Meeting, change: (race: Race) => Race): Meeting {
  const races: Race[] = [];
  const changed: Meeting = { ...meeting, races };
  for (const race of meeting.races) races.push({ ...change(race), meeting: changed });
  return changed;
}

/** Changes each race that the switch concerns; a meeting without such a race is returned unchanged. */
export const eachRace =
  (change: (race: Race, on: Switch) => Race): Disturb =>
  (card, on) =>
    card.map((meeting) =>
      isMeetingMeant(on, meeting)
        ? withRaces(meeting, (race) => (isMeant(on, race) ? change(race, on) : race))
        : meeting,
    );

export const eachMeeting =
  (change: (meeting: Meeting, on: Switch, card: readonly Meeting[]) => readonly Meeting[]): Disturb =>
  (card, on) =>
    card.flatMap((meeting) => (isMeetingMeant(on, meeting) ? change(meeting, on, card) : [meeting]));

export const withStory = (race: Race, story: Partial<Story>): Race => ({ ...race, story: { ...race.story, ...story } });
