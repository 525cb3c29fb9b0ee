// Columns that several datasets share.
import type { Column, ColumnType } from '../../row-files/columns';

export const column = (name: string, type: ColumnType, description: string): Column => ({
  name,
  type,
  nullable: false,
  description,
});

export const nullable = (one: Column): Column => ({ ...one, nullable: true });

/** Who the race is, first in every dataset of races. */
export const RACE_COLUMNS: readonly Column[] = [
  column('race_id', 'text', 'Permanent id of the race.'),
  column('start_time', 'instant', 'Advertised start (UTC).'),
  column('meeting_date_aet', 'day', 'Sydney day of the meeting.'),
  column('venue', 'text', 'Venue as first reported.'),
  column('race_number', 'integer', 'Number on the card.'),
  column('category', 'text', '`horse`, `greyhound` or `harness`.'),
  nullable(column('country', 'text', 'Two letters; null if unknown.')),
  column('venue_id', 'text', 'Canonical venue.'),
  column('venue_site', 'text', 'Physical site of the venue.'),
];
