// Sportsbet's list of a day: dates, sections, meetings, events, to listed races. The class has the code, the region the
// country. An unreadable event drops that event, an unreadable meeting its events, never the list; each is counted.
import type { ListedRace } from '../../domain/race/feed-race';
import type { Category } from '../../domain/race/race';
import { countDrops, type Drops } from '../reading/drops';
import { withMeetingDay } from '../reading/meeting-day';
import { asRow, countOf, idOf, instantOfSeconds, type JsonObject, listOf, textOf } from '../reading/read';
import type { Mapped } from '../transport/reply';

export function mapAllRacing(payload: unknown): Mapped<readonly ListedRace[]> | null {
  const dates = asRow(payload)?.dates;
  if (!Array.isArray(dates)) return null;
  const drops = countDrops();
  const value = dates
    .flatMap((date) => rowsOf(date, 'sections', 'date_unreadable', drops))
    .flatMap((section) => rowsOf(section, 'meetings', 'section_unreadable', drops))
    .flatMap((meeting) => racesOfMeeting(asRow(meeting), drops));
  return { value, bookAt: null, dropped: drops.counts() };
}

function rowsOf(raw: unknown, key: string, reason: string, drops: Drops): readonly unknown[] {
  const rows = asRow(raw)?.[key];
  if (!Array.isArray(rows)) drops.add(reason);
  return listOf(rows);
}

/** Futures, jockey challenges and extras have their own class names and are not races. */
function categoryOf(className: string | null): Category | null {
  if (className?.startsWith('Horses - ')) return 'horse';
  if (className?.startsWith('Greyhound Racing')) return 'greyhound';
  return className?.startsWith('Harness Racing') ? 'harness' : null;
}

/** The class alone gives no country (`Horses - Aus/NZ` covers two). A region that is not listed here stays unknown. */
const COUNTRIES: ReadonlyMap<string | null, string> = new Map([
  ['Australia', 'AU'],
  ['New Zealand', 'NZ'],
  ['Hong Kong', 'HK'],
]);

type RacePart = Omit<ListedRace, 'category' | 'venue' | 'country' | 'meetingDate'>;

/** Every race of a meeting gets the Sydney day of its first race, so a card past midnight stays together. */
function racesOfMeeting(row: JsonObject | null, drops: Drops): ListedRace[] {
  const rows = listOf(row?.events);
  const category = categoryOf(textOf(row?.className));
  const venue = textOf(row?.name);
  if (!row || !category || !venue) {
    drops.add(row ? (category ? 'venue_missing' : 'category_unknown') : 'meeting_unreadable', Math.max(1, rows.length));
    return [];
  }
  const races = rows.map((event) => raceOf(asRow(event), drops)).filter((race) => race !== null);
  if (races.length === 0) return [];
  const country = COUNTRIES.get(textOf(row.regionName)) ?? null;
  if (country === null) drops.add('country_unknown');
  return withMeetingDay(races).map((race) => ({ ...race, category, venue, country }));
}

function raceOf(row: JsonObject | null, drops: Drops): RacePart | null {
  const sourceRaceId = idOf(row?.id);
  const raceNumber = countOf(row?.raceNumber);
  const startTime = instantOfSeconds(row?.startTime);
  if (row && sourceRaceId && raceNumber && startTime) {
    const raceName = raceNameOf(row);
    const distanceM = countOf(row.distance);
    return { sourceRaceId, raceNumber, startTime, raceName, distanceM, trackCondition: null, weather: null };
  }
  if (!row) drops.add('race_unreadable');
  else if (!sourceRaceId) drops.add('race_id_missing');
  else drops.add(raceNumber ? 'start_unreadable' : 'race_number_unreadable');
  return null;
}

/** Without the book's prefix `R1 `. */
export function raceNameOf(row: JsonObject): string | null {
  return textOf(textOf(row.name)?.replace(/^R\d+ /, ''));
}
