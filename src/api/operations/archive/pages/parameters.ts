// The parameters that select rows of the archive (B 4.1 to 4.3), the same for all its operations.
import { type TUnsafe, Type } from '@sinclair/typebox';
import { categories, category, choice, countryAlone, venueName } from '../../../wire/parameters';
import { named, oneOf } from '../../../wire/vocabulary';
import { PAGE_MARK } from './page-mark';

export const bound = (description: string) => Type.Optional(Type.String({ format: 'day-or-instant', description }));

/** `usual`: where the span starts without `from`. */
export const archiveSelectors = (usual: string) => ({
  from: bound(`First race start: a Sydney day, or an instant with its UTC offset. Default: ${usual}.`),
  to: bound(
    'Last race start, included: a Sydney day, which ends at midnight, or an instant with its UTC offset. Default: now.',
  ),
  date: Type.Optional(
    Type.String({
      format: 'date',
      description:
        'One meeting day (`meeting_date_aet`), also of races after midnight. Cannot be combined with `from` or `to`.',
    }),
  ),
  venue: Type.Optional(venueName('One venue: the whole `venue` of the rows, case-insensitive.')),
  categories,
  category,
  country: countryAlone,
  race_id: Type.Optional(Type.String({ format: 'uuid', description: 'One race.' })),
});

export const includeFlagged = Type.Boolean({
  default: false,
  description: 'Whether to include rows with `venue_split_suspect` or `name_fragment_suspect`.',
});

export type ArchiveFormat = 'json' | 'csv' | 'parquet';

/** Two names of the document for one list: that of price paths had Parquet first. */
const formatNamed = (name: 'ArchiveFormat' | 'PathFormat'): TUnsafe<ArchiveFormat> =>
  choice(
    named(
      name,
      oneOf(['json', 'csv', 'parquet'], {
        description: 'CSV: RFC 4180 with a header, empty for null. Parquet: typed, UTC timestamps, ZSTD.',
      }),
    ),
    {
      default: 'json',
      description:
        'The format; it overrides the header `Accept`. Without it the response is JSON, unless `Accept` names only the media type of another format. ' +
        'All have the same columns in the same order; new columns are appended.',
    },
  );

export const archiveFormat = formatNamed('ArchiveFormat');
export const pathFormat = formatNamed('PathFormat');

/** The maximum number of rows of a JSON page: longer ones are streamed. */
export const JSON_ROWS = 5000;

/** Rows of a page: the default of JSON, and the maximum and default of the other formats. */
export interface PageLimits {
  readonly usual: number;
  readonly most: number;
}

export const archivePage = ({ usual, most }: PageLimits) => ({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: most,
      description:
        `Maximum number of rows. JSON has ${usual} by default and ${JSON_ROWS} at most; the other formats have all rows by default, and ${most} at most. ` +
        'The header `Link` names the next page.',
    }),
  ),
  offset: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Number of rows to skip. A page far into the archive takes no longer than the first.',
  }),
  after: Type.Optional(
    Type.String({
      pattern: PAGE_MARK,
      'x-must-be': 'a value of after from the header Link',
      description:
        'Where the next page begins: a value of the header `Link`, which has the whole address. Pages that follow each other by it repeat and skip no row, ' +
        'also while races are archived. Cannot be combined with `offset`.',
    }),
  ),
});
