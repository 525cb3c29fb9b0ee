// TABtouch's upcoming races, pure. Rows have no start time and no country: a row joins another book's race by number
// and venue, and Ascot may be the one in Perth or the one in Berkshire. If two meetings of the list could be the same
// venue, both are dropped. A race that is still joined wrongly prices no runner, because runners are joined by name.

import type { BookListing } from '../../domain/race/feed-race';
import type { Category, Day } from '../../domain/race/race';
import { resolveVenue } from '../../domain/race/venue';
import { isDay } from '../../domain/time/aet';
import { splitCountryTag } from '../reading/country';
import { countDrops, type Drops } from '../reading/drops';
import { asRow, countOf, idOf, type JsonObject, textOf } from '../reading/read';
import type { Mapped } from '../transport/reply';
import { parseTabTouchRaceId, tabTouchRaceId } from './race-id';

/** `today`: the day of a row whose address has none. */
export function mapNextRaces(payload: unknown, today: Day): Mapped<readonly BookListing[]> | null {
  if (!Array.isArray(payload)) return null;
  const drops = countDrops();
  const listed = payload.flatMap((raw) => {
    const race = raceOf(asRow(raw), today);
    if (typeof race !== 'string') return [race];
    drops.add(race);
    return [];
  });
  return { value: withoutNamesakes(listed, drops), bookAt: null, dropped: drops.counts() };
}

/** Returns a drop reason if it cannot be placed. */
function raceOf(row: JsonObject | null, today: Day): BookListing | string {
  if (!row) return 'race_unreadable';
  const parts = (textOf(row.url) ?? '').split(/[?#]/, 1)[0]!.split('/');
  const code = idOf(row.meetingId)?.toLowerCase();
  const raceNumber = countOf(parts.at(-1));
  const category = categoryOf(row);
  const name = textOf(textOf(row.groundDescription)?.split(',', 1)[0]);
  if (!code || code.includes('/')) return 'meeting_id_missing';
  if (!raceNumber) return 'race_number_unreadable';
  if (!category) return 'category_unknown';
  if (!name) return 'venue_missing';
  const { venue, country } = splitCountryTag(name);
  const meetingDate = parts.find(isDay) ?? today;
  const sourceRaceId = tabTouchRaceId({ day: meetingDate, code, raceNumber });
  const absent = { startTime: null, raceName: null, distanceM: null, trackCondition: null, weather: null };
  return { sourceRaceId, category, venue, country, meetingDate, raceNumber, ...absent };
}

/** Exactly one of the three flags is set. */
function categoryOf({ isRaces, isTrots, isDogs }: JsonObject): Category | null {
  const set = ([isRaces, isTrots, isDogs] as const).map((flag) => flag === true);
  if (set.filter(Boolean).length !== 1) return null;
  return set[0] ? 'horse' : set[1] ? 'harness' : 'greyhound';
}

function withoutNamesakes(listed: readonly BookListing[], drops: Drops): readonly BookListing[] {
  const meetings = new Map<string, Set<string>>();
  const placeOf = ({ meetingDate, category, venue, country }: BookListing): string =>
    `${meetingDate} ${category} ${resolveVenue(venue, category, country).venueId}`;
  for (const race of listed) {
    const codes = meetings.get(placeOf(race)) ?? new Set();
    meetings.set(placeOf(race), codes.add(parseTabTouchRaceId(race.sourceRaceId)?.code ?? ''));
  }
  const sure = listed.filter((race) => meetings.get(placeOf(race))!.size === 1);
  drops.add('venue_of_two_meetings', listed.length - sure.length);
  return sure;
}
