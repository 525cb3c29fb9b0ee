// Presents a day's acceptances (reference-shapes 3.6). Every count comes from the rows shown, and `completeness` shows
// which counts are minimums.
import type { Static } from '@sinclair/typebox';
import type { Day, Instant } from '../../../domain/race/race';
import { foldText } from '../../../domain/race/venue';
import { type Counts, NO_COUNTS, sumCounts, worstStatus } from '../../../domain/registry/acceptances';
import { splitCondition } from '../../../domain/registry/track-condition';
import type { AcceptedMeeting } from '../../../store/reads/meetings/acceptances';
import type { Acceptances } from './acceptances-schema';
import { presentAcceptedRaces } from './present-accepted-race';

type Shown = Static<typeof Acceptances>;
type Meeting = Shown['meetings'][number];

const NOTE =
  'Australian thoroughbred acceptances as published by the registry, read every two hours. The registry removes a meeting from ' +
  'its calendar once it is under way; the last data read is kept. Counts are minimums unless runner_set_status is ' +
  'checks_passed; null means unknown, never 0.';

/** `all`: every meeting of the day; `isRequested` selects those to show. */
export function presentAcceptances(
  all: readonly AcceptedMeeting[],
  isRequested: (meeting: AcceptedMeeting) => boolean,
  date: Day,
  today: Day,
): Shown {
  const sheets = all.some((meeting) => meeting.sheet_as_of !== null);
  const meetings = all.filter(isRequested).map((meeting) => presentMeeting(meeting, sheets, date < today));
  const published = meetings.filter((meeting) => meeting.as_of !== null);
  return {
    date,
    date_status: date < today ? 'past' : date === today ? 'today' : 'future',
    meeting_count: meetings.length,
    race_count: published.reduce((sum, meeting) => sum + meeting.races.length, 0),
    // Meetings that were not read are not counted here but in `completeness`.
    ...sumCounts(published.map((meeting) => meeting as Counts)),
    as_of: oldest(published.map((meeting) => meeting.as_of)),
    completeness: completenessOf(meetings),
    meetings,
    note: NOTE,
  };
}

const oldest = (instants: readonly (Instant | null)[]): Instant | null =>
  instants.filter((at) => at !== null).sort()[0] ?? null;

const UNKNOWN = Object.fromEntries(Object.keys(NO_COUNTS).map((name) => [name, null])) as {
  readonly [K in keyof Counts]: null;
};

function presentMeeting(meeting: AcceptedMeeting, sheets: boolean, past: boolean): Meeting {
  const { venue, venue_id, venue_site, as_of, sheet_as_of: sheetAsOf } = meeting;
  const isRead = as_of !== null;
  const races = presentAcceptedRaces(meeting);
  return {
    venue,
    venue_id,
    venue_norm: foldText(venue),
    venue_site,
    acceptances_published: meeting.published,
    publication_note: meeting.published ? null : past ? 'past' : 'unpublished',
    as_of,
    race_count: isRead ? races.length : null,
    ...(isRead ? sumCounts(races.map((race) => race as Counts)) : UNKNOWN),
    emergency_data: isRead ? 'parsed' : 'unknown',
    scratching_data: sheetAsOf !== null ? 'parsed' : sheets ? 'unknown_meeting' : 'unknown_date',
    scratching_sheet_as_of: sheetAsOf,
    // The registry's pages do not state withheld acceptances.
    withheld_acceptance_data: 'unknown',
    withheld_acceptance_slots_unplaced: null,
    runner_set_status: worstStatus(races.map((race) => race.runner_set_status)),
    track: trackOf(meeting),
    races,
  };
}

function trackOf({ track_condition, rail, weather, penetrometer, track_type }: AcceptedMeeting): Meeting['track'] {
  const { going, goingRating } = splitCondition(track_condition);
  const facts = { track_condition, going, going_rating: goingRating, rail, weather, penetrometer, track_type };
  return { ...facts, track_info: null, dual_track: null };
}

function completenessOf(meetings: readonly Meeting[]): Shown['completeness'] {
  const published = meetings.filter((meeting) => meeting.acceptances_published);
  const races = published.flatMap((meeting) => meeting.races);
  const count = (of: (meeting: Meeting) => boolean): number => published.filter(of).length;
  const status = (wanted: string): number => races.filter((race) => race.runner_set_status === wanted).length;
  const unreported = races.flatMap(({ runners }) => runners).filter(({ scratched }) => scratched === null);
  return {
    counts_cover_every_published_meeting: count(({ as_of }) => as_of === null) === 0,
    known_missing_runners: races.reduce((sum, race) => sum + race.missing_runners.length, 0),
    meetings_acceptances_unpublished: meetings.length - published.length,
    meetings_emergency_data_unknown: count(({ emergency_data }) => emergency_data === 'unknown'),
    meetings_scratching_data_unknown: count(({ scratching_data }) => scratching_data !== 'parsed'),
    meetings_scratching_sheet_absent_for_whole_date: count(({ scratching_data }) => scratching_data === 'unknown_date'),
    meetings_withheld_acceptance_data_unknown: published.length,
    races_checks_passed: status('checks_passed'),
    races_gap_detected: status('gap_detected'),
    races_unverified: status('unverified'),
    runners_without_emergency_data: 0,
    runners_without_scratching_data: unreported.length,
    withheld_acceptance_slots: null,
    withheld_acceptance_slots_unplaced: null,
    withheld_acceptances: 'unknown_date',
  };
}
