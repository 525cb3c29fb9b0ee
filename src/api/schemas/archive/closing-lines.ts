// Closing lines of the archive (B 2.1).
import { Type } from '@sinclair/typebox';
import { CLOSING_LINE_COLUMNS } from '../../../bulk/rows/closing-lines';
import { rowSchema } from '../columns';
import { count, instant, named, nullable, whole } from '../vocabulary';

const ClosingLine = named('ClosingLine', rowSchema(CLOSING_LINE_COLUMNS));

export const ClosingLines = named(
  'ClosingLines',
  Type.Object({
    rows_returned: count('Rows in this response.'),
    total_rows: count('Rows of the selection, exact.'),
    limit: whole(),
    offset: whole(),
    archive_from: nullable(
      instant('Start of the first race with rows (UTC), whatever the selection; null: there is none.'),
    ),
    window_days: nullable(count('Number of days back that your plan reads; the selection was cut to it. Null: all.')),
    resulted_rows: count('Rows of the selection whose race has a result, exact.'),
    rows: Type.Array(ClosingLine, { description: 'By start, race, runner number and bookmaker.' }),
  }),
);
