// The meetings of the world that the greyhound registry covers, with its own ids and track names (sponsors, codes).

import type { Day } from '../../domain/race/race';
import { addDays, aetDay } from '../../domain/time/aet';
import type { TopazMeeting } from '../../feeds/topaz/payload';
import type { History, PastRace } from '../registry/form/history';
import { publishedResult } from '../registry/publication';
import type { Meeting } from '../world/race';
import { unit } from '../world/random';
import type { World } from '../world/world';

const DAYS_BACK = 12;
const DAYS_AHEAD = 2;
const FIRST_ID = 900_000_000;
/** Serials of meetings within one day. */
const A_DAY = 100;
const DAY_MS = 86_400_000;

/** Days whose cards a key may read; earlier days have only results. */
export function openDays(nowMs: number): readonly Day[] {
  const today = aetDay(nowMs);
  return Array.from({ length: DAYS_BACK + 1 + DAYS_AHEAD }, (_, i) => addDays(today, i - DAYS_BACK));
}

export const isKept = ({ track, races }: Meeting): boolean =>
  track.category === 'greyhound' && track.country === 'AU' && races.length > 0;

export const meetingIdOf = (meeting: Meeting): number => FIRST_ID + meeting.serial;

/** A day is generated only if a key may read it. */
export function meetingById(world: World, id: string, nowMs: number): Meeting | null {
  const day = dayOfId(id);
  if (day === null || !openDays(nowMs).includes(day)) return null;
  return world.meetings(day).find((meeting) => isKept(meeting) && String(meetingIdOf(meeting)) === id) ?? null;
}

export function dayOfId(id: string): Day | null {
  const date = new Date(Math.floor((Number(id) - FIRST_ID) / A_DAY) * DAY_MS);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}

/** A meeting of which only the results remain. */
export interface PastMeeting {
  readonly row: TopazMeeting;
  readonly races: readonly PastRace[];
}

export function pastMeetings(history: History, day: Day, nowMs: number): readonly PastMeeting[] {
  const races = history
    .racesOn(day, nowMs)
    .filter(({ track }) => track.category === 'greyhound' && track.country === 'AU');
  const serials = [...new Set(races.map(({ meetingSerial }) => meetingSerial))];
  return serials.map((serial) => {
    const own = races.filter(({ meetingSerial }) => meetingSerial === serial);
    return { row: pastMeetingRow(own[0]!), races: own };
  });
}

const pastMeetingRow = ({ meetingSerial, day, track }: PastRace): TopazMeeting => ({
  meetingId: FIRST_ID + meetingSerial,
  meetingDate: `${day}T00:00:00.000Z`,
  trackName: NAMES[track.name] ?? track.name,
  trackCode: track.mnemonic,
  owningAuthorityCode: track.state,
  ...ORDINARY,
  statusCode: null,
});

const ORDINARY = { meetingType: 'R', meetingCategory: null, isQuali: false } as const;

const NAMES: Readonly<Record<string, string>> = {
  'The Meadows': 'Meadows (MEP)',
  'Sandown Park': 'Sandown (SAP)',
  'Richmond Straight': 'Richmond (RIS)',
  Capalaba: 'Bet Deluxe Capalaba',
};
/** Where Devonport's club races while it has no track of its own. */
const GUESTS: Readonly<Record<string, string>> = { Hobart: 'Dport @ HOB', Launceston: 'Dport @ LCN' };

export function trackNameOf({ track, seed }: Meeting): string {
  const guest = unit(seed, 991) < 0.5 ? GUESTS[track.name] : undefined;
  return guest ?? NAMES[track.name] ?? track.name;
}

/** The registry's status of a meeting that does not run at all. */
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
    ...ORDINARY,
    statusCode: statusOf(meeting, nowMs),
  };
}

/** Qualifying trials are listed among the meetings, on the same tracks and days. */
export const trialRow = (row: TopazMeeting): TopazMeeting => ({ ...row, meetingId: -row.meetingId, isQuali: true });
