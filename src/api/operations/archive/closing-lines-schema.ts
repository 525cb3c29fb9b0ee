// Closing lines of the archive (B 2.1).
import { Type } from '@sinclair/typebox';
import { CLOSING_LINE_COLUMNS } from '../../../bulk/rows/closing-lines';
import { count, named } from '../../wire/vocabulary';
import { rowSchema } from './pages/columns';
import { begins, bounds, rowsReturned, total, windowDays } from './pages/page-schema';

const ClosingLine = named('ClosingLine', rowSchema(CLOSING_LINE_COLUMNS));

export const ClosingLines = named(
  'ClosingLines',
  Type.Object({
    rows_returned: rowsReturned,
    total_rows: total,
    ...bounds,
    archive_from: begins,
    window_days: windowDays,
    resulted_rows: count('Rows of the selection whose race has a result, exact.'),
    rows: Type.Array(ClosingLine, { description: 'By start, race, runner number and bookmaker.' }),
  }),
);
