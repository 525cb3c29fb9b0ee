// The logged changes of a day's tracks as rows (A 2.9).
import type { Day } from '../../domain/race/race';
import { REGISTRY } from '../../domain/registry/registry';
import { splitCondition } from '../../domain/registry/track-condition';
import type { Column, Row } from '../../row-files/columns';
import type { MeetingTrack } from '../../store/reads/meetings/track-conditions';
import { column, nullable } from './columns';

export const TRACK_CONDITION_COLUMNS: readonly Column[] = [
  column('meeting_date_aet', 'day', 'Sydney day of the meeting.'),
  column('category', 'text', '`horse`, `greyhound` or `harness`.'),
  column('venue', 'text', 'Venue as the registry spells it, otherwise as first reported.'),
  column('venue_id', 'text', 'Canonical venue.'),
  nullable(column('venue_site', 'text', 'Physical site of the venue.')),
  column('observed_at', 'instant', 'When the change was read (UTC).'),
  column('source', 'text', 'The registry, or the key of the book that reported it.'),
  column('track_condition', 'text', 'As reported.'),
  nullable(column('going', 'text', 'The going: Good, Soft, …; null if it cannot be parsed.')),
  nullable(column('going_rating', 'integer', 'The rating beside the going.')),
  nullable(column('rail', 'text', 'Position of the rail.')),
  nullable(column('weather', 'text', 'Weather.')),
  nullable(column('prev_track_condition', 'text', 'What the same source reported before.')),
  nullable(column('race_id', 'text', 'The race that a book reported it for.')),
];

export function trackConditionRows(day: Day, meetings: readonly MeetingTrack[]): Row[] {
  return meetings.flatMap((meeting) => {
    const { category, venue_id, heads, track, raceVenues, spellings } = meeting;
    const venue = heads[0]?.venue ?? track?.venue ?? raceVenues[0] ?? spellings[0] ?? venue_id;
    const head = [day, category, venue, venue_id, heads[0]?.venue_site ?? meeting.venue_site];
    return meeting.changes.map((change) => {
      const { going, goingRating } = splitCondition(change.track_condition);
      return [
        ...head,
        new Date(change.at_ms).toISOString(),
        change.bookmaker ?? REGISTRY,
        change.track_condition,
        going,
        goingRating,
        change.rail,
        change.weather,
        change.prev_track_condition,
        change.race_id,
      ];
    });
  });
}
