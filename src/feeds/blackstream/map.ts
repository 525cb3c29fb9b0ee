// Maps BlackStream, pure. Runners have no number: `outcomeId` is not proven to be the saddlecloth, so they are joined
// by name. No page link: its path needs code, venue and race number, which the racecard lacks. No result: none is
// documented.
import type { BookRunner, BookSnapshot, ListedRace } from '../../domain/race/feed-race';
import { NO_DETAILS, NO_FACTS, OUT } from '../../domain/race/not-reported';
import type { Category, MarketStatus } from '../../domain/race/race';
import { countryOf } from '../reading/country';
import { countDrops, type Drops } from '../reading/drops';
import { winAndPlace } from '../reading/legs';
import { withMeetingDay } from '../reading/meeting-day';
import { asRow, countOf, instantOf, type JsonObject, listOf, numberOf, serialOf, textOf } from '../reading/read';
import { readNamedRunners } from '../reading/runners';
import type { Mapped } from '../transport/reply';
import { blackStreamRaceId } from './race-id';

/** The spelling in the schedule; other endpoints spell the codes differently. */
const CODES: Readonly<Record<string, Category>> = { thoroughbred: 'horse', greyhounds: 'greyhound', trots: 'harness' };

/** `data` of a valid schedule. Null if it has none of the codes. */
export function mapSchedule(data: unknown): Mapped<readonly ListedRace[]> | null {
  const row = asRow(data);
  const groups = Object.entries(CODES).filter(([key]) => Array.isArray(row?.[key]));
  if (groups.length === 0) return null;
  const drops = countDrops();
  const value = groups.flatMap(([key, category]) =>
    listOf(row?.[key]).flatMap((meeting) => racesOfMeeting(asRow(meeting), category, drops)),
  );
  return { value, bookAt: null, dropped: drops.counts() };
}

/**
 * No meeting date is documented: every race of a meeting gets the Sydney day of its first race in the window. Races
 * that run past midnight are in the next day's window and take that day; identity joins them by their start (D17).
 */
function racesOfMeeting(meeting: JsonObject | null, category: Category, drops: Drops): ListedRace[] {
  const rows = listOf(meeting?.races);
  const meetId = serialOf(meeting?.meetId);
  const venue = textOf(meeting?.venue);
  if (!meeting || !meetId || !venue) {
    drops.add(meeting ? (meetId ? 'venue_missing' : 'meeting_id_missing') : 'meeting_unreadable', rows.length || 1);
    return [];
  }
  const races = rows.flatMap((stub) => {
    const race = raceOf(asRow(stub), meetId);
    if (typeof race !== 'string') return [race];
    drops.add(race);
    return [];
  });
  if (races.length === 0) return [];
  const country = countryOf(textOf(meeting.countryCode));
  if (country === null) drops.add('country_unknown');
  return withMeetingDay(races).map((race) => ({ ...race, category, venue, country }));
}

function raceOf(
  race: JsonObject | null,
  meetId: number,
): Omit<ListedRace, 'category' | 'venue' | 'country' | 'meetingDate'> | string {
  if (!race) return 'race_unreadable';
  const raceId = serialOf(race.eventId);
  const raceNumber = countOf(race.raceNumber);
  const startTime = instantOf(race.advertisedStartTime);
  if (!raceId) return 'race_id_missing';
  if (!raceNumber) return 'race_number_unreadable';
  if (!startTime) return 'start_unreadable';
  const sourceRaceId = blackStreamRaceId({ meetId, raceId });
  const raceName = textOf(race.raceName);
  return { sourceRaceId, raceNumber, startTime, raceName, distanceM: null, trackCondition: null, weather: null };
}

/** `data` of a valid racecard; null if it is not one. */
export function mapRacecard(data: unknown, sourceRaceId: string): Mapped<BookSnapshot> | null {
  const race = asRow(asRow(data)?.race);
  if (!race || !Array.isArray(race.runners)) return null;
  const drops = countDrops();
  const value: BookSnapshot = {
    sourceRaceId,
    startTime: null,
    facts: NO_FACTS,
    marketStatus: marketStatusOf(race.status, drops),
    inPlay: null,
    runners: readNamedRunners(race.runners, 'runnerName', (row, name) => runnerOf(row, name, drops), drops),
    result: null,
    sourceUrl: null,
  };
  return { value, bookAt: null, dropped: drops.counts() };
}

function runnerOf(row: JsonObject, name: string, drops: Drops): BookRunner {
  const scratched = row.isScratched === true;
  const legs = winAndPlace(listOf(row.winPrices).at(-1), null, scratched, drops);
  return { ...NO_DETAILS, number: null, name, scratching: scratched ? OUT : null, ...legs };
}

/**
 * Missing means unknown, not closed: a market closed by mistake cannot be reopened (`market_closed_at` is set once).
 */
function marketStatusOf(value: unknown, drops: Drops): MarketStatus | null {
  if (value == null) return null;
  const status = numberOf(value);
  if (status === null) drops.add('status_unknown');
  return status === null ? null : status === 1 ? 'OPEN' : 'CLOSED';
}
