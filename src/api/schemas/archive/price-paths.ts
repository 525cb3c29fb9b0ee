// Price paths of the archive (B 2.3).
import { Type } from '@sinclair/typebox';
import { PRICE_PATH_COLUMNS } from '../../../bulk/rows/price-paths';
import { rowSchema } from '../columns';
import { count, instant, named, nullable, whole } from '../vocabulary';

const PricePath = named('PricePath', rowSchema(PRICE_PATH_COLUMNS));

export const PricePaths = named(
  'PricePaths',
  Type.Object({
    rows_returned: count('Rows in this response.'),
    total_points: count('Rows of the selection, exact.'),
    limit: whole(),
    offset: whole(),
    archive_from: nullable(
      instant('Start of the first race with rows (UTC), whatever the selection; null: there is none.'),
    ),
    rows: Type.Array(PricePath, { description: 'By start, race, runner number, bookmaker and instant.' }),
  }),
);
