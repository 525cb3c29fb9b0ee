// Maps TAB's info-service, pure. `mapMeetings` reads the list of a day, `mapRacecard` one race.
import type { ListedRace, RaceFacts, RaceSnapshot } from '../../domain/race/feed-race';
import { NO_FACTS } from '../../domain/race/not-reported';
import type { MarketStatus } from '../../domain/race/race';
import { countryOfLocation } from '../reading/country';
import { countDrops, type Drops } from '../reading/drops';
import {
  asRow,
  categoryOfLetter,
  countOf,
  dayOf,
  dollarsOf,
  instantOf,
  type JsonObject,
  listOf,
  rowOf,
  textOf,
} from '../reading/read';
import type { Mapped } from '../transport/reply';
import { parseTabRaceId, type TabRaceId, tabRaceId } from './race-id';
import { resultOf } from './result';
import { runnersOf } from './runner';

export function mapMeetings(payload: unknown): Mapped<readonly ListedRace[]> | null {
  const { meetings } = rowOf(payload);
  if (!Array.isArray(meetings)) return null;
  const drops = countDrops();
  const value = meetings.flatMap((raw) => racesOfMeeting(raw, drops).map(({ listed }) => listed));
  return { value, bookAt: null, dropped: drops.counts() };
}

type MeetingPart = Pick<ListedRace, 'category' | 'venue' | 'country' | 'meetingDate' | 'trackCondition' | 'weather'>;

export interface TabListed {
  readonly listed: ListedRace;
  readonly row: JsonObject;
}

/** The readable races of a meeting with their rows; the history endpoint lists its races with the same fields. */
export function racesOfMeeting(raw: unknown, drops: Drops): TabListed[] {
  const row = asRow(raw);
  const rows = listOf(row?.races);
  const meeting = row ? meetingOf(row) : 'meeting_unreadable';
  const mnemonic = textOf(row?.venueMnemonic);
  if (!row || !mnemonic || typeof meeting === 'string') {
    drops.add(typeof meeting === 'string' ? meeting : 'venue_mnemonic_missing', Math.max(1, rows.length));
    return [];
  }
  if (meeting.country === null) drops.add('country_unknown');
  const races: TabListed[] = [];
  for (const stub of rows) {
    const race = raceOf(asRow(stub), meeting, { raceType: String(row.raceType), mnemonic });
    if (typeof race === 'string') drops.add(race);
    else races.push(race);
  }
  return races;
}

/**
 * Returns a drop reason if its races cannot be placed. The code is `raceType`: `sellCode.scheduledType` differs at
 * country galloping tracks.
 */
function meetingOf(row: JsonObject): MeetingPart | string {
  const category = categoryOfLetter(row.raceType);
  const venue = textOf(row.meetingName);
  const meetingDate = dayOf(row.meetingDate);
  if (!category) return 'category_unknown';
  if (!venue) return 'venue_missing';
  if (!meetingDate) return 'meeting_date_unreadable';
  return {
    category,
    venue,
    country: countryOfLocation(textOf(row.location)),
    meetingDate,
    trackCondition: textOf(row.trackCondition),
    weather: textOf(row.weatherCondition),
  };
}

function raceOf(
  row: JsonObject | null,
  meeting: MeetingPart,
  path: Pick<TabRaceId, 'raceType' | 'mnemonic'>,
): TabListed | string {
  if (!row) return 'race_unreadable';
  const raceNumber = countOf(row.raceNumber);
  const startTime = instantOf(row.raceStartTime);
  if (!raceNumber) return 'race_number_unreadable';
  if (!startTime) return 'start_unreadable';
  const sourceRaceId = tabRaceId({ day: meeting.meetingDate, raceNumber, ...path });
  // A race without an id could not be fetched, so it is not listed.
  if (!parseTabRaceId(sourceRaceId)) return 'race_id_unreadable';
  const listed: ListedRace = {
    sourceRaceId,
    ...meeting,
    raceNumber,
    startTime,
    raceName: textOf(row.raceName),
    distanceM: countOf(row.raceDistance),
  };
  return { listed, row };
}

/**
 * `jurisdiction`: the one whose pools the reply has; the product code of its dividends. Null if it is another race than
 * the requested one.
 */
export function mapRacecard(payload: unknown, sourceRaceId: string, jurisdiction: string): Mapped<RaceSnapshot> | null {
  const race = asRow(payload);
  const requested = parseTabRaceId(sourceRaceId)?.raceNumber;
  if (!race || !Array.isArray(race.runners) || countOf(race.raceNumber) !== requested) return null;
  const drops = countDrops();
  const runners = runnersOf(race, drops);
  const value: RaceSnapshot = {
    sourceRaceId,
    startTime: instantOf(race.raceStartTime),
    facts: factsOf(race),
    marketStatus: marketStatusOf(race.raceStatus, drops),
    inPlay: null,
    runners,
    result: resultOf(race, runners, jurisdiction, drops),
    sourceUrl: null,
  };
  return { value, bookAt: null, dropped: drops.counts() };
}

function factsOf(race: JsonObject): RaceFacts {
  const meeting = rowOf(race.meeting);
  return {
    ...NO_FACTS,
    raceName: textOf(race.raceName),
    distanceM: countOf(race.raceDistance),
    trackCondition: textOf(meeting.trackCondition),
    weather: textOf(meeting.weatherCondition),
    raceClass: textOf(race.raceClassConditions),
    prizeTotal: dollarsOf(race.prizeMoney),
    rail: textOf(meeting.railPosition),
    placesPaid: countOf(race.numberOfPlaces),
  };
}

const SHUT = new Set(['Closed', 'Interim', 'Paying', 'Abandoned']);

/** `Normal` meant open in 2018. An unknown status is read as closed, and never as final. */
function marketStatusOf(status: unknown, drops: Drops): MarketStatus | null {
  const text = textOf(status);
  if (text === null) return null;
  if (text === 'Open' || text === 'Normal') return 'OPEN';
  if (!SHUT.has(text)) drops.add('status_unknown');
  return 'CLOSED';
}
