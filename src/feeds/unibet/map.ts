// Maps Unibet, pure: `FixedWin` prices and nothing that was not observed.
// A dog's `sequence` is its rug, so it is used as its number. A horse's `sequence` is only inferred to be its
// saddlecloth, so horses and trotters have no number here and are joined by name.
import type { BookRunner, BookSnapshot, ListedRace } from '../../domain/race/feed-race';
import { NO_DETAILS, NO_FACTS, OUT } from '../../domain/race/not-reported';
import type { Category, Day, MarketStatus } from '../../domain/race/race';
import { isVacantBox } from '../../domain/race/runner';
import { countryOf } from '../reading/country';
import { countDrops, type Drops } from '../reading/drops';
import { winAndPlace } from '../reading/legs';
import { withMeetingDay } from '../reading/meeting-day';
import {
  asRow,
  categoryOfLetter,
  countOf,
  type JsonObject,
  listOf,
  rowOf,
  textOf,
  utcInstantOf,
} from '../reading/read';
import { readRunners } from '../reading/runners';
import type { Mapped } from '../transport/reply';
import { raceIdOf } from './race-id';

/** `country`: the requested one, since rows have none. Races of other Sydney days than `day` are left out. */
export function mapMeetings(viewer: unknown, country: string, day: Day): Mapped<readonly ListedRace[]> | null {
  const meetings = asRow(viewer)?.meetingsByDateRange;
  if (!Array.isArray(meetings)) return null;
  const drops = countDrops();
  const races = meetings.flatMap((meeting) => racesOfMeeting(asRow(meeting), country, drops));
  return { value: races.filter((race) => race.meetingDate === day), bookAt: null, dropped: drops.counts() };
}

/** Every race of a meeting gets the Sydney day of its first race, so a card past midnight stays together. */
function racesOfMeeting(row: JsonObject | null, country: string, drops: Drops): ListedRace[] {
  const rows = listOf(row?.events);
  const letter = textOf(row?.raceType);
  const category = categoryOfLetter(letter);
  const venue = textOf(row?.name);
  if (!row || !letter || !category || !venue) {
    drops.add(row ? (category ? 'venue_missing' : 'category_unknown') : 'meeting_unreadable', Math.max(1, rows.length));
    return [];
  }
  const races = rows.map((event) => raceOf(asRow(event), letter, drops)).filter((race) => race !== null);
  return withMeetingDay(races).map((race) => ({ ...race, category, venue, country: countryOf(country) }));
}

type RacePart = Omit<ListedRace, 'category' | 'venue' | 'country' | 'meetingDate'>;

function raceOf(row: JsonObject | null, letter: string, drops: Drops): RacePart | null {
  const eventKey = textOf(row?.eventKey);
  const raceNumber = countOf(row?.sequence);
  const startTime = utcInstantOf(row?.eventDateTimeUtc);
  if (eventKey && raceNumber && startTime) {
    const sourceRaceId = raceIdOf(letter, eventKey);
    return {
      sourceRaceId,
      raceNumber,
      startTime,
      raceName: null,
      distanceM: null,
      trackCondition: null,
      weather: null,
    };
  }
  if (!row) drops.add('race_unreadable');
  else if (!eventKey) drops.add('race_id_missing');
  else drops.add(raceNumber ? 'start_unreadable' : 'race_number_unreadable');
  return null;
}

/** The reply does not identify its race, so it is trusted to be the requested one. */
export function mapEvent(viewer: unknown, sourceRaceId: string, category: Category): Mapped<BookSnapshot> | null {
  const event = asRow(asRow(viewer)?.event);
  if (!event || !Array.isArray(event.competitors)) return null;
  const drops = countDrops();
  const value: BookSnapshot = {
    sourceRaceId,
    startTime: null,
    facts: NO_FACTS,
    marketStatus: marketStatusOf(event.status, drops),
    inPlay: null,
    runners: runnersOf(event.competitors, category, drops),
    result: null,
    sourceUrl: null,
  };
  return { value, bookAt: null, dropped: drops.counts() };
}

function marketStatusOf(status: unknown, drops: Drops): MarketStatus | null {
  if (status === 'Open') return 'OPEN';
  if (status != null) drops.add('status_unknown');
  return null;
}

const DOG_KEYS = { number: ['sequence'], name: 'name' } as const;

function runnersOf(rows: readonly unknown[], category: Category, drops: Drops): BookRunner[] {
  if (category === 'greyhound') {
    const dog = (row: JsonObject, number: number, name: string) => ({
      ...runnerOf(row, name, drops),
      number,
      barrier: countOf(row.startPos),
    });
    return readRunners(rows, DOG_KEYS, dog, drops);
  }
  return rows.flatMap((raw) => {
    const row = asRow(raw);
    const name = textOf(row?.name);
    if (row && name) return { ...runnerOf(row, name, drops), number: null, barrier: null };
    drops.add(row ? 'runner_name_missing' : 'runner_unreadable');
    return [];
  });
}

/** An empty box never runs, whatever its status. A runner with an unknown status is not priced, and is counted. */
function runnerOf(row: JsonObject, name: string, drops: Drops): Omit<BookRunner, 'number' | 'barrier'> {
  const scratched = row.status === 'Scratched' || isVacantBox(name);
  const unknown = !scratched && row.status !== 'Starter';
  if (unknown) drops.add('runner_status_unknown');
  const fixedWin = listOf(row.prices)
    .map(rowOf)
    .find(({ betType }) => betType === 'FixedWin');
  return {
    ...NO_DETAILS,
    name,
    scratching: scratched ? OUT : null,
    ...winAndPlace(unknown ? null : fixedWin?.price, null, scratched, drops),
  };
}
