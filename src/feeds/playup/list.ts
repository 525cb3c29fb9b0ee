// A page of PlayUp's meetings, whose races are in `included`. Every race row is either listed or counted. Only `Gallop`
// is a documented race type: a meeting of any other type is counted and left out.

import type { BookListing } from '../../domain/race/feed-race';
import type { Category, Instant } from '../../domain/race/race';
import { aetDay } from '../../domain/time/aet';
import { countryOfAlpha2 } from '../reading/country';
import { countDrops, type Drops } from '../reading/drops';
import { asRow, countOf, dayOf, idOf, instantOfSeconds, type JsonObject, listOf, rowOf, textOf } from '../reading/read';
import type { Mapped } from '../transport/reply';

export interface MeetingsPage extends Mapped<readonly BookListing[]> {
  /** Number of meeting rows on this page. */
  readonly meetings: number;
  readonly totalPages: number | null;
}

type MeetingPart = Pick<BookListing, 'venue' | 'country'> & {
  readonly type: string | null;
  readonly day: string | null;
};

const CATEGORIES: ReadonlyMap<string, Category> = new Map([['Gallop', 'horse']]);

export function mapMeetings(payload: unknown): MeetingsPage | null {
  const body = asRow(payload);
  if (!body || !Array.isArray(body.data)) return null;
  const drops = countDrops();
  const { meetings, meetingOfRace } = meetingsOf(body.data, drops);
  const value = listOf(body.included).flatMap((raw) => {
    const row = raceRow(raw, drops);
    if (!row) return [];
    const id = idOf(row.id) ?? '';
    const meetingId = meetingOfRace.get(id) ?? idOf(rowOf(rowOf(row.attributes).meeting).id);
    const race = raceOf(id, rowOf(row.attributes), meetings.get(meetingId ?? '') ?? null);
    if (typeof race === 'string') drops.add(race);
    return typeof race === 'string' ? [] : [race];
  });
  const totalPages = countOf(rowOf(rowOf(body.meta).pagination).total_pages);
  return { value, bookAt: null, dropped: drops.counts(), meetings: body.data.length, totalPages };
}

/** Skips included objects of other types; one without a type may have been a race. */
function raceRow(raw: unknown, drops: Drops): JsonObject | null {
  const row = asRow(raw);
  if (!row || row.type === undefined) drops.add(row ? 'type_missing' : 'race_unreadable');
  return row?.type === 'races' ? row : null;
}

function meetingsOf(rows: readonly unknown[], drops: Drops) {
  const meetings = new Map<string, MeetingPart>();
  const meetingOfRace = new Map<string, string>();
  for (const raw of rows) {
    const id = idOf(asRow(raw)?.id);
    const meeting = meetingOf(rowOf(rowOf(raw).attributes));
    if (id === null || meeting === null) {
      drops.add(id === null ? 'meeting_unreadable' : 'venue_missing');
      continue;
    }
    if (meeting.country === null) drops.add('country_unknown');
    meetings.set(id, meeting);
    for (const race of listOf(rowOf(rowOf(rowOf(raw).relationships).races).data)) {
      meetingOfRace.set(idOf(rowOf(race).id) ?? '', id);
    }
  }
  return { meetings, meetingOfRace };
}

function meetingOf(row: JsonObject): MeetingPart | null {
  const venue = textOf(rowOf(row.track).name) ?? textOf(row.name);
  if (venue === null) return null;
  const country = countryOfAlpha2(textOf(rowOf(row.country).code));
  return { venue, country, type: textOf(rowOf(row.race_type).name), day: dayOf(row.start_date) };
}

/** Returns a drop reason if it cannot be placed. */
function raceOf(sourceRaceId: string, row: JsonObject, meeting: MeetingPart | null): BookListing | string {
  const raceNumber = countOf(row.race_number);
  const startTime = startOf(row);
  if (sourceRaceId === '') return 'race_id_missing';
  if (!meeting) return 'race_without_meeting';
  const category = CATEGORIES.get(textOf(rowOf(row.race_type).name) ?? meeting.type ?? '');
  if (!category) return 'category_unknown';
  if (!raceNumber) return 'race_number_unreadable';
  if (!startTime) return 'start_unreadable';
  const { venue, country } = meeting;
  const meetingDate = meeting.day ?? aetDay(Date.parse(startTime));
  const facts = { raceName: textOf(row.name), distanceM: null, trackCondition: null, weather: null };
  return { sourceRaceId, category, venue, country, meetingDate, raceNumber, startTime, ...facts };
}

export const startOf = (race: JsonObject): Instant | null => instantOfSeconds(race.start_time_timestamp);
