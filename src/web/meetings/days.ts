// Composes the days. Many viewers cost one read: values are cached for a second.
import type { Day } from '../../domain/race/race';
import { addDays, aetDay, isDay } from '../../domain/time/aet';
import type { MeetingRace } from '../board/meeting';
import type { RaceOutcome } from '../board/model';
import { standingSheetOf } from '../board/standing-sheet';
import { timedCache } from '../board/timed-cache';
import type { MeetingDay, MeetingSource, PrintedRace, ReadRace, VenueRecord } from './model';

export interface MeetingDays {
  /** Null: no such day, or one outside the days that have races; today and tomorrow always have a page. */
  day(day: string): Promise<MeetingDay | null>;
  /** Those of these days, the last included, that have a page, in order. */
  days(from: Day, to: Day): Promise<readonly Day[]>;
  /** The races of a venue, newest first, at least one. Null: no such venue, or none lately. */
  venue(venueId: string): Promise<readonly MeetingRace[] | null>;
  /** What the closes of its races were worth; empty while none is archived. */
  record(venueId: string): Promise<readonly VenueRecord[]>;
  /** Of these races, those that have a result, by start. */
  outcomes(raceIds: readonly string[]): Promise<readonly RaceOutcome[]>;
  /** The races of a meeting, in this order, and when they were read. */
  printed(raceIds: readonly string[]): Promise<{ readonly races: readonly PrintedRace[]; readonly readMs: number }>;
}

/** Race time. */
const CACHED_MS = 1000;
const DAYS_CACHED = 20;
const RECORD_CACHED_MS = 60_000;
const PRICES_CACHED_MS = 5000;
const PAGES_CACHED = 50;
const VENUE_ID = /^[a-z0-9-]{1,80}$/;

export function createMeetingDays({ source, now }: { readonly source: MeetingSource; now(): number }): MeetingDays {
  const days = timedCache<MeetingDay | null>(CACHED_MS, DAYS_CACHED);
  const venues = timedCache<readonly MeetingRace[]>(CACHED_MS, PAGES_CACHED);
  const records = timedCache<readonly VenueRecord[]>(RECORD_CACHED_MS, PAGES_CACHED);
  const outcomes = timedCache<readonly RaceOutcome[]>(CACHED_MS, PAGES_CACHED);
  const printed = timedCache<readonly PrintedRace[]>(PRICES_CACHED_MS, PAGES_CACHED);
  return {
    async day(day) {
      if (!isDay(day)) return null;
      return (await days.get(day, now(), () => dayOf(source, day, aetDay(now())))).value;
    },
    async days(from, to) {
      const { first, last } = await spanOf(source, aetDay(now()));
      const found: Day[] = [];
      for (let day = first > from ? first : from; day <= to && day <= last; day = addDays(day, 1)) found.push(day);
      return found;
    },
    async venue(venueId) {
      if (!VENUE_ID.test(venueId)) return null;
      const { value } = await venues.get(venueId, now(), () => source.ofVenue(venueId, aetDay(now())));
      return value.length === 0 ? null : value;
    },
    record: async (venueId) => (await records.get(venueId, now(), () => source.record(venueId, aetDay(now())))).value,
    outcomes: async (raceIds) =>
      raceIds.length === 0 ? [] : (await outcomes.get(raceIds.join(), now(), () => source.outcomes(raceIds))).value,
    async printed(raceIds) {
      const nowMs = now();
      const read = async () => (await source.printed(raceIds, nowMs)).map((race) => printedOf(race, nowMs));
      const { value, computedAtMs } = await printed.get(raceIds.join(), nowMs, read);
      return { races: value, readMs: computedAtMs };
    },
  };
}

const NO_CHANGES = { track: null, deductions: [] };

const printedOf = ({ race, captured, outcome }: ReadRace, nowMs: number): PrintedRace => ({
  sheet: standingSheetOf(race, { captured, changes: NO_CHANGES }, nowMs),
  outcome,
});

/** The first and the last day with a page. */
async function spanOf(source: MeetingSource, today: Day): Promise<{ readonly first: Day; readonly last: Day }> {
  const { first, last } = await source.span();
  const tomorrow = addDays(today, 1);
  return {
    first: first !== null && first < today ? first : today,
    last: last !== null && last > tomorrow ? last : tomorrow,
  };
}

async function dayOf(source: MeetingSource, day: Day, today: Day): Promise<MeetingDay | null> {
  const { first, last } = await spanOf(source, today);
  if (day < first || day > last) return null;
  return {
    day,
    races: await source.races(day),
    before: day > first ? addDays(day, -1) : null,
    after: day < last ? addDays(day, 1) : null,
  };
}
