// Maps PointsBet, pure. Its market state is the race's (D20): this book closes at the real jump. `resultStatus` 0 is
// open, the only documented value; every other number is read as closed. Place prices and placings are undocumented and
// not read.
import type { FeedRunner, ListedRace, RaceSnapshot } from '../../domain/race/feed-race';
import { NO_DETAILS, NO_FACTS, OUT } from '../../domain/race/not-reported';
import type { Category, MarketStatus } from '../../domain/race/race';
import { type Batch, batchOf } from '../bulk';
import { countryOf } from '../reading/country';
import { countDrops, type Drops } from '../reading/drops';
import { winAndPlace } from '../reading/legs';
import { withMeetingDay } from '../reading/meeting-day';
import { asRow, countOf, idOf, type JsonObject, listOf, numberOf, rowOf, textOf, utcInstantOf } from '../reading/read';
import { readRunners } from '../reading/runners';
import type { Mapped } from '../transport/reply';

const CATEGORY: Readonly<Record<number, Category>> = { 1: 'horse', 2: 'harness', 3: 'greyhound', 4: 'greyhound' };

export function mapMeetings(payload: unknown): Mapped<readonly ListedRace[]> | null {
  if (!Array.isArray(payload)) return null;
  const drops = countDrops();
  const value = payload.flatMap((group) => {
    const meetings = asRow(group)?.meetings;
    if (!Array.isArray(meetings)) drops.add('date_group_unreadable');
    return listOf(meetings).flatMap((meeting) => racesOfMeeting(meeting, drops));
  });
  return { value, bookAt: null, dropped: drops.counts() };
}

type RacePart = Omit<ListedRace, 'category' | 'venue' | 'country' | 'meetingDate'>;

/**
 * No meeting date is documented: every race of a meeting gets the Sydney day of its first race, so a card past midnight
 * stays together.
 */
function racesOfMeeting(raw: unknown, drops: Drops): ListedRace[] {
  const row = asRow(raw);
  const rows = listOf(row?.races);
  const category = CATEGORY[numberOf(row?.racingType) ?? 0];
  const venue = textOf(row?.venue);
  if (!row || !category || !venue) {
    drops.add(row ? (category ? 'venue_missing' : 'category_unknown') : 'meeting_unreadable', Math.max(1, rows.length));
    return [];
  }
  const races = rows.map((stub) => raceOf(asRow(stub), drops)).filter((race) => race !== null);
  if (races.length === 0) return [];
  const country = countryOf(textOf(row.countryCode));
  if (country === null) drops.add('country_unknown');
  return withMeetingDay(races).map((race) => ({ ...race, category, venue, country }));
}

function raceOf(row: JsonObject | null, drops: Drops): RacePart | null {
  const sourceRaceId = idOf(row?.raceId);
  const raceNumber = countOf(row?.raceNumber);
  const startTime = utcInstantOf(row?.advertisedStartDateTimeUtc);
  if (row && sourceRaceId && raceNumber && startTime) {
    const raceName = textOf(row.name);
    return { sourceRaceId, raceNumber, startTime, raceName, distanceM: null, trackCondition: null, weather: null };
  }
  if (!row) drops.add('race_unreadable');
  else if (!sourceRaceId) drops.add('race_id_missing');
  else drops.add(raceNumber ? 'start_unreadable' : 'race_number_unreadable');
  return null;
}

/** Null if it is not a race, or not the requested one. */
export function mapRace(payload: unknown, sourceRaceId: string): Mapped<RaceSnapshot> | null {
  const race = asRow(payload);
  if (!race || !Array.isArray(race.runners) || (idOf(race.raceId) ?? sourceRaceId) !== sourceRaceId) return null;
  const drops = countDrops();
  drops.add('winner_without_documented_runner', listOf(rowOf(race.results).winners).length);
  const value: RaceSnapshot = {
    sourceRaceId,
    startTime: utcInstantOf(race.advertisedStartDateTimeUtc),
    facts: { ...NO_FACTS, raceName: textOf(race.name) },
    marketStatus: marketStatusOf(race.resultStatus, drops),
    inPlay: null,
    runners: runnersOf(race.runners, drops),
    result: null,
    sourceUrl: null,
  };
  return { value, bookAt: null, dropped: drops.counts() };
}

/** Many races in an array. An unreadable race costs only itself. */
export function mapRaces(payload: unknown): Batch | null {
  return Array.isArray(payload) ? batchOf(payload, (row) => idOf(asRow(row)?.raceId), mapRace) : null;
}

/**
 * Missing means unknown, not closed: a market closed by mistake cannot be reopened (`market_closed_at` is set once).
 */
function marketStatusOf(resultStatus: unknown, drops: Drops): MarketStatus | null {
  if (resultStatus == null) return null;
  const status = numberOf(resultStatus);
  if (status === null) drops.add('status_unknown');
  return status === null ? null : status === 0 ? 'OPEN' : 'CLOSED';
}

const KEYS = { number: ['number', 'runnerNumber'], name: 'runnerName' } as const;

function runnersOf(rows: readonly unknown[], drops: Drops): FeedRunner[] {
  return readRunners(
    rows,
    KEYS,
    (row, number, name) => {
      const scratched = row.isScratched === true;
      return {
        ...NO_DETAILS,
        number,
        name,
        scratching: scratched ? OUT : null,
        ...winAndPlace(rowOf(row.fluctuations).current, null, scratched, drops),
      };
    },
    drops,
  );
}
