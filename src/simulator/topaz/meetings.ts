// The meetings of the world that the greyhound registry covers, with its own ids and track names (sponsors, codes).

import type { Day } from '../../domain/race/race';
import { addDays, aetDay } from '../../domain/time/aet';
import type { TopazMeeting } from '../../feeds/topaz/payload';
import { publishedResult } from '../registry/publication';
import type { Meeting } from '../world/race';
import { unit } from '../world/random';
import type { World } from '../world/world';

const DAYS_BACK = 12;
const DAYS_AHEAD = 2;
const FIRST_ID = 900_000_000;

/** Days that a key may read. */
export function openDays(nowMs: number): readonly Day[] {
  const today = aetDay(nowMs);
  return Array.from({ length: DAYS_BACK + 1 + DAYS_AHEAD }, (_, i) => addDays(today, i - DAYS_BACK));
}

export const isKept = ({ track, races }: Meeting): boolean =>
  track.category === 'greyhound' && track.country === 'AU' && races.length > 0;

export const meetingIdOf = (meeting: Meeting): number => FIRST_ID + meeting.serial;

/** Search today, then earlier days: days are generated lazily, so unneeded ones are never built. */
export function meetingById(world: World, id: string, nowMs: number): Meeting | null {
  const today = aetDay(nowMs);
  const days = openDays(nowMs);
  for (const day of [...days.filter((one) => one <= today).reverse(), ...days.filter((one) => one > today)]) {
    const found = world.meetings(day).find((meeting) => isKept(meeting) && String(meetingIdOf(meeting)) === id);
    if (found) return found;
  }
  return null;
}

const NAMES: Readonly<Record<string, string>> = {
  'The Meadows': 'Meadows (MEP)',
  'Sandown Park': 'Sandown (SAP)',
  'Richmond Straight': 'Richmond (RIS)',
  Capalaba: 'Bet Deluxe Capalaba',
};
/** Where Devonport's club races while it has no track. */
const GUESTS: Readonly<Record<string, string>> = { Hobart: 'Dport @ HOB', Launceston: 'Dport @ LCN' };

export function trackNameOf({ track, seed }: Meeting): string {
  const guest = unit(seed, 991) < 0.5 ? GUESTS[track.name] : undefined;
  return guest ?? NAMES[track.name] ?? track.name;
}

/** Its status of a meeting that does not run at all. */
function statusOf(meeting: Meeting, nowMs: number): string | null {
  const results = meeting.races.map((race) => publishedResult(race, nowMs));
  if (results.some(({ stage }) => stage !== 'abandoned')) return null;
  return /postponed/i.test(results[0]!.note ?? '') ? 'POSTPONED' : 'ABANDONED';
}

export function meetingRow(meeting: Meeting, nowMs: number): TopazMeeting {
  return {
    meetingId: meetingIdOf(meeting),
    meetingDate: `${meeting.day}T00:00:00.000Z`,
    trackName: trackNameOf(meeting),
    trackCode: meeting.track.mnemonic,
    owningAuthorityCode: meeting.track.state,
    meetingType: 'R',
    meetingCategory: null,
    isQuali: false,
    statusCode: statusOf(meeting, nowMs),
  };
}

/** Qualifying trials are listed among the meetings, on the same tracks and days. */
export const trialRow = (row: TopazMeeting): TopazMeeting => ({ ...row, meetingId: -row.meetingId, isQuali: true });
