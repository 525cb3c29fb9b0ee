// Columns that several datasets share.
import type { Cell, Column, ColumnType } from '../../row-files/columns';
import type { ArchivedRow } from '../../store/reads/archive/closing-lines';

export const column = (name: string, type: ColumnType, description: string): Column => ({
  name,
  type,
  nullable: false,
  description,
});

export const nullable = (one: Column): Column => ({ ...one, nullable: true });

/** Identifies the race, first in every dataset of races. */
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

/** Race and runner, first in the datasets of the archive (B 2.1 to 2.3). */
export const ARCHIVED_COLUMNS: readonly Column[] = [
  ...RACE_COLUMNS.slice(0, 7),
  column('runner_key', 'text', 'Folded name: lowercase letters and digits.'),
  column('runner_name', 'text', 'Name on the card; its key where the card does not have it.'),
  column('runner_number', 'integer', 'Saddlecloth or rug number.'),
];

export const archivedCells = (row: ArchivedRow): Cell[] => [
  row.race_id,
  row.start_time,
  row.meeting_date_aet,
  row.venue,
  row.race_number,
  row.category,
  row.country,
  row.runner_key,
  row.runner_name,
  row.runner_number,
];
