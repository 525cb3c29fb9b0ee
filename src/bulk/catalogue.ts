// The datasets of bulk files (A 4.13): a description of each, its columns, and its first day. Pure: the rows are read
// in `rows/`.
import { createHash } from 'node:crypto';
import type { Day } from '../domain/race/race';
import type { Column } from '../row-files/columns';
import { ACCEPTANCE_COLUMNS } from './rows/acceptances';
import { CLOSING_LINE_COLUMNS } from './rows/closing-lines';
import { EXOTIC_DIVIDEND_COLUMNS } from './rows/exotic-dividends';
import { MARKET_SUMMARY_COLUMNS } from './rows/market-summary';
import { MARKET_COLUMNS } from './rows/markets';
import { PRICE_PATH_COLUMNS } from './rows/price-paths';
import { RESULT_COLUMNS } from './rows/results';
import { TRACK_CONDITION_COLUMNS } from './rows/track-conditions';

export const DATASET_NAMES = [
  'closing_lines',
  'price_paths',
  'results',
  'acceptances',
  'track_conditions',
  'markets',
  'exotic_dividends',
  'market_summary',
] as const;
export type DatasetName = (typeof DATASET_NAMES)[number];

export interface Dataset {
  readonly name: DatasetName;
  /** One sentence: what a row is. */
  readonly description: string;
  /** The first day that has a file, where that day is stored. */
  readonly from: Day;
  readonly columns: readonly Column[];
  /** The columns that the rows are sorted by. */
  readonly sortedBy: readonly string[];
}

/** Capture began (B 2.3). */
const CAPTURE_FROM = '2026-08-04';

export const DATASETS: readonly Dataset[] = [
  {
    name: 'closing_lines',
    description:
      'One row per race, runner and bookmaker: the first price and the last up to the jump. Flagged and scratched rows are included.',
    from: CAPTURE_FROM,
    columns: CLOSING_LINE_COLUMNS,
    sortedBy: ['start_time', 'race_id', 'runner_number', 'bookmaker_key'],
  },
  {
    name: 'price_paths',
    description: 'One row per race, runner, bookmaker and captured price. Flagged and scratched rows are included.',
    from: CAPTURE_FROM,
    columns: PRICE_PATH_COLUMNS,
    sortedBy: ['start_time', 'race_id', 'runner_number', 'bookmaker_key', 'captured_at'],
  },
  {
    name: 'results',
    description: 'One row per race and runner of its result; one without a runner if nothing was placed.',
    from: CAPTURE_FROM,
    columns: RESULT_COLUMNS,
    sortedBy: ['start_time', 'race_id', 'runner_number'],
  },
  {
    name: 'acceptances',
    description: 'One row per accepted runner of an Australian thoroughbred race.',
    from: CAPTURE_FROM,
    columns: ACCEPTANCE_COLUMNS,
    sortedBy: ['venue', 'race_number', 'runner_number'],
  },
  {
    name: 'track_conditions',
    description: 'One row per reported change of a meeting’s track.',
    from: '2026-09-07',
    columns: TRACK_CONDITION_COLUMNS,
    sortedBy: ['category', 'venue_id', 'observed_at'],
  },
  {
    name: 'markets',
    description: 'One row per race, runner, market and bookmaker: the last price that the book showed.',
    from: '2026-09-21',
    columns: MARKET_COLUMNS,
    sortedBy: ['start_time', 'race_id', 'runner_number', 'market', 'bookmaker_key'],
  },
  {
    name: 'exotic_dividends',
    description: 'One row per race and exotic dividend of its result.',
    from: '2026-08-15',
    columns: EXOTIC_DIVIDEND_COLUMNS,
    sortedBy: ['start_time', 'race_id', 'code', 'product', 'selection'],
  },
  {
    name: 'market_summary',
    description:
      'One row per race and runner: the consensus at the marks and at the close, the moves, the first mover. Without rows that may be contaminated.',
    from: CAPTURE_FROM,
    columns: MARKET_SUMMARY_COLUMNS,
    sortedBy: ['start_time', 'race_id', 'runner_number'],
  },
];

const BY_NAME = new Map(DATASETS.map((dataset) => [dataset.name, dataset]));

export const datasetNamed = (name: DatasetName): Dataset => BY_NAME.get(name)!;

/** Equal for equal columns. Files of other columns are built again; their layout alone is no reason (D47). */
export const columnsKey = ({ columns }: Pick<Dataset, 'columns'>): string =>
  createHash('sha256')
    .update(JSON.stringify(columns.map(({ name, type, nullable }) => [name, type, nullable])))
    .digest('hex')
    .slice(0, 16);

export const FORMATS = ['parquet', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

export const EXTENSIONS: Readonly<Record<Format, string>> = { parquet: 'parquet', csv: 'csv.gz' };
