// The source of the pages of meetings, over the store. A result that customers may not see is not read.

import { venueState } from '../../domain/race/venue';
import { addDays } from '../../domain/time/aet';
import type { LiveReads } from '../../store/reads/live-board';
import type { MeetingRaceRow } from '../../store/reads/meetings/meeting-races';
import type { Reads } from '../../store/reads/reads';
import type { MeetingRace } from '../../web/board/meeting';
import type { MeetingSource, ReadRace } from '../../web/meetings/model';
import { CUSTOMERS } from '../kernel/endpoint/visibility';
import { boardFactsOf } from './shown/board-facts';
import { capturedOf, standingRaces } from './shown/standing';
import { outcomeOf, titleOfRow } from './shown/visible-race';

export interface MeetingSourceDeps {
  readonly reads: Pick<Reads, 'meetings' | 'capturedPrices'>;
  readonly liveReads: Pick<LiveReads, 'outcomesOf' | 'racesOf' | 'archivedOf' | 'placesBefore' | 'pollsBefore'>;
}

const RECORD_DAYS = 60;

export const createMeetingSource = ({ reads, liveReads }: MeetingSourceDeps): MeetingSource => ({
  races: async (day) => (await reads.meetings.ofDay(day)).map(meetingRaceOf),
  ofVenue: async (venueId, today) => (await reads.meetings.ofVenue(venueId, today)).map(meetingRaceOf),
  span: () => reads.meetings.span(),
  record: async (venueId, today) =>
    (await reads.meetings.record(venueId, addDays(today, -RECORD_DAYS))).map((row) => ({
      category: row.category,
      races: row.races,
      withFavourite: row.with_favourite,
      favouritesWon: row.favourites_won,
      medianWinner: row.median_winner,
      since: row.since,
    })),
  printed: (raceIds, nowMs) => readPrinted({ reads, liveReads }, raceIds, nowMs),
  outcomes: async (raceIds) => (await liveReads.outcomesOf(raceIds)).map(outcomeOf),
});

async function readPrinted(
  { reads, liveReads }: MeetingSourceDeps,
  raceIds: readonly string[],
  nowMs: number,
): Promise<readonly ReadRace[]> {
  const [rows, outcomes] = await Promise.all([
    liveReads.racesOf(raceIds, CUSTOMERS.bookmakers),
    liveReads.outcomesOf(raceIds),
  ]);
  const found = new Map(rows.map((row) => [row.race_id, row]));
  const ordered = raceIds.flatMap((raceId) => found.get(raceId) ?? []);
  const races = await standingRaces({ reads, liveReads, archived: liveReads.archivedOf }, ordered, nowMs);
  const captured = await capturedOf(
    reads,
    races.filter(({ keepsPrices }) => keepsPrices),
  );
  const outcomeOfRace = new Map(outcomes.map((row) => [row.race_id, outcomeOf(row)]));
  return races.map((race) => ({
    race,
    captured: captured(race.raceId),
    outcome: outcomeOfRace.get(race.raceId) ?? null,
  }));
}

export const meetingRaceOf = (row: MeetingRaceRow): MeetingRace => ({
  ...titleOfRow(row),
  day: row.meeting_date,
  venueId: row.venue_id,
  card: row.card,
  state: row.country === null || row.country === 'AU' ? venueState(row.venue_id) : null,
  facts: boardFactsOf(row),
  trackCondition: row.track_condition,
  trackChangedMs: row.track_condition_changed_at === null ? null : Date.parse(row.track_condition_changed_at),
  weather: row.weather,
  result: row.result_status && { status: row.result_status, winners: row.winners },
});
