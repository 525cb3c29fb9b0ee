// Market summaries of the archive (B 2.2).
import { Type } from '@sinclair/typebox';
import { MARKET_SUMMARY_COLUMNS } from '../../../bulk/rows/market-summary';
import { named } from '../../wire/vocabulary';
import { rowSchema } from './pages/columns';
import { begins, bounds, rowsReturned, total, windowDays } from './pages/page-schema';

const MarketSummary = named('MarketSummary', rowSchema(MARKET_SUMMARY_COLUMNS));

export const MarketSummaries = named(
  'MarketSummaries',
  Type.Object({
    rows_returned: rowsReturned,
    total_rows: total,
    ...bounds,
    summary_from: begins,
    window_days: windowDays,
    rows: Type.Array(MarketSummary, { description: 'By start, race and runner number.' }),
  }),
);
