// The meetings list of Entain affiliates: maps meeting rows to listed races.
// An unreadable race drops that race, an unreadable meeting its races, never the list; every race row is either listed
// or counted.
import type { ListedRace } from '../../domain/race/feed-race';
import { countryOf } from '../reading/country';
import type { Drops } from '../reading/drops';
import {
  asRow,
  categoryOfLetter,
  countOf,
  dayOf,
  idOf,
  instantOf,
  type JsonObject,
  listOf,
  numberOf,
  rowOf,
  textOf,
} from '../reading/read';

/** Null if the reply has no meetings list. */
export function meetingRows(body: JsonObject): readonly unknown[] | null {
  const { meetings } = rowOf(body.data);
  return Array.isArray(meetings) ? meetings : null;
}

type MeetingPart = Pick<ListedRace, 'category' | 'venue' | 'country' | 'meetingDate'>;

export function racesOfMeeting(raw: unknown, drops: Drops): ListedRace[] {
  const row = asRow(raw);
  const rows = listOf(row?.races);
  const meeting = row ? meetingOf(row) : 'meeting_unreadable';
  if (typeof meeting === 'string') {
    drops.add(meeting, Math.max(1, rows.length));
    return [];
  }
  if (meeting.country === null) drops.add('country_unknown');
  const races: ListedRace[] = [];
  for (const stub of rows) {
    const race = raceOf(asRow(stub), meeting);
    if (typeof race === 'string') drops.add(race);
    else races.push(race);
  }
  return races;
}

/**
 * Returns a drop reason if its races cannot be placed. The day is the meeting's local day from `date`, never that of
 * the start.
 */
function meetingOf(row: JsonObject): MeetingPart | string {
  const category = categoryOfLetter(row.category);
  const venue = textOf(row.name);
  const meetingDate = dayOf(row.date);
  if (!category) return 'category_unknown';
  if (!venue) return 'venue_missing';
  if (!meetingDate) return 'meeting_date_unreadable';
  return { category, venue, country: countryOf(textOf(row.country)), meetingDate };
}

function raceOf(row: JsonObject | null, meeting: MeetingPart): ListedRace | string {
  if (!row) return 'race_unreadable';
  const sourceRaceId = idOf(row.id);
  const raceNumber = countOf(row.race_number);
  const startTime = instantOf(row.start_time);
  // Jockey challenges, specials and futures are listed as race 0.
  if (numberOf(row.race_number) === 0) return 'race_number_0';
  if (!sourceRaceId) return 'race_id_missing';
  if (!raceNumber) return 'race_number_unreadable';
  if (!startTime) return 'start_unreadable';
  return {
    sourceRaceId,
    ...meeting,
    raceNumber,
    startTime,
    raceName: textOf(row.name),
    distanceM: countOf(row.distance),
    trackCondition: textOf(row.track_condition),
    weather: textOf(row.weather),
  };
}

export function mergeRaces(
  listed: readonly ListedRace[],
  more: readonly ListedRace[],
): { races: readonly ListedRace[]; repeated: number } {
  const ids = new Set(listed.map((race) => race.sourceRaceId));
  const fresh = more.filter((race) => !ids.has(race.sourceRaceId));
  return { races: listed.length === 0 ? more : [...listed, ...fresh], repeated: more.length - fresh.length };
}
