// Price paths of the archive (B 2.3).
import { Type } from '@sinclair/typebox';
import { PRICE_PATH_COLUMNS } from '../../../bulk/rows/price-paths';
import { named } from '../../wire/vocabulary';
import { rowSchema } from './pages/columns';
import { begins, bounds, rowsReturned, total } from './pages/page-schema';

const PricePath = named('PricePath', rowSchema(PRICE_PATH_COLUMNS));

export const PricePaths = named(
  'PricePaths',
  Type.Object({
    rows_returned: rowsReturned,
    total_points: total,
    ...bounds,
    archive_from: begins,
    rows: Type.Array(PricePath, { description: 'By start, race, runner number, bookmaker and instant.' }),
  }),
);
