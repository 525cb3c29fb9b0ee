// The source of the pages of meetings, over the store. A result that customers may not see is not read.

import { venueState } from '../../domain/race/venue';
import { addDays } from '../../domain/time/aet';
import type { LiveReads } from '../../store/reads/live-board';
import type { MeetingRaceRow } from '../../store/reads/meetings/meeting-races';
import type { Reads } from '../../store/reads/reads';
import type { MeetingRace } from '../../web/board/meeting';
import type { MeetingSource } from '../../web/meetings/model';
import { boardFactsOf } from './shown/board-facts';
import { outcomeOf, titleOfRow } from './shown/visible-race';

export interface MeetingSourceDeps {
  readonly reads: Pick<Reads, 'meetings'>;
  readonly liveReads: Pick<LiveReads, 'outcomesOf'>;
}

const RECORD_DAYS = 60;

export const createMeetingSource = ({ reads: { meetings }, liveReads }: MeetingSourceDeps): MeetingSource => ({
  races: async (day) => (await meetings.ofDay(day)).map(meetingRaceOf),
  ofVenue: async (venueId, today) => (await meetings.ofVenue(venueId, today)).map(meetingRaceOf),
  span: () => meetings.span(),
  record: async (venueId, today) =>
    (await meetings.record(venueId, addDays(today, -RECORD_DAYS))).map((row) => ({
      category: row.category,
      races: row.races,
      withFavourite: row.with_favourite,
      favouritesWon: row.favourites_won,
      medianWinner: row.median_winner,
      since: row.since,
    })),
  outcomes: async (raceIds) => (await liveReads.outcomesOf(raceIds)).map(outcomeOf),
});

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
