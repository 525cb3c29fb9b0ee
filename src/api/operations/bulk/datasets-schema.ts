// The catalogue of bulk files (A 4.13; reference-shapes 11).
import { Type } from '@sinclair/typebox';
import { DATASET_NAMES, FORMATS } from '../../../bulk/catalogue';
import { COLUMN_TYPES } from '../../../row-files/columns';
import { count, day, instant, link, named, oneOf, text, whole, yes } from '../../wire/vocabulary';

export const BulkDataset = named('BulkDatasetName', oneOf(DATASET_NAMES, { description: 'Name of a dataset.' }));
export const BulkFormat = named(
  'BulkFormat',
  oneOf(FORMATS, {
    description: '`parquet`: typed columns, UTC timestamps, ZSTD. `csv`: RFC 4180 in gzip, empty for null.',
  }),
);

const Column = named(
  'BulkColumn',
  Type.Object({
    name: text(),
    type: oneOf(COLUMN_TYPES, {
      description:
        '`instant` is ISO 8601 UTC in CSV and a UTC timestamp in Parquet; `day` is `YYYY-MM-DD` and a date; `number` is a double; `integer` has ' +
        '32 bits, `long` 64.',
    }),
    nullable: yes('Whether a row may have null.'),
    description: text(),
  }),
);

const Dataset = named(
  'BulkDataset',
  Type.Object({
    dataset: BulkDataset,
    description: text('What a row is.'),
    available_from: day('The first Sydney day that has a file, where races of that day are stored.'),
    sorted_by: Type.Array(text(), { description: 'The columns that the rows are sorted by.' }),
    columns: Type.Array(Column, { description: 'In order. New columns are appended.' }),
  }),
);

const File = named(
  'BulkFile',
  Type.Object({
    format: BulkFormat,
    bytes: count('Size of the file.'),
    sha256: text('SHA-256 of its bytes, in hexadecimal. The `ETag` is the same in quotes.'),
    url: link('Where to fetch it, with your key.'),
  }),
);

const Row = named(
  'BulkPeriod',
  Type.Object({
    dataset: BulkDataset,
    period: text('A Sydney day (`2026-11-20`) or a calendar month (`2026-11`).'),
    version: whole('Grows when the files are built again.'),
    rows: count('Rows of the file.'),
    generated_at: instant('When this version was built (UTC).'),
    files: Type.Array(File),
  }),
);

export const BulkDatasets = named(
  'BulkDatasets',
  Type.Object({
    datasets: Type.Array(Dataset),
    rows_returned: count('Periods in this response.'),
    total_rows: count('Periods of the selection.'),
    limit: whole(),
    offset: whole(),
    rows: Type.Array(Row, { description: 'Periods with files, the newest first.' }),
  }),
);
