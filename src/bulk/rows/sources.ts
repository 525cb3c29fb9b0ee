// The source of each dataset's rows. Rows of a day are those of its `meeting_date_aet` (D45), and of customers' books
// only (D42).
import { CUSTOMER_BOOKMAKER_KEYS, isCompared } from '../../domain/bookmakers';
import type { Day } from '../../domain/race/race';
import type { Row, RowBatches } from '../../row-files/columns';
import type { LineBatches } from '../../row-files/csv';
import { readAhead } from '../../row-files/read-ahead';
import type { LiveRace } from '../../store/reads/races/find-races';
import type { Reads } from '../../store/reads/reads';
import type { DatasetName } from '../catalogue';
import { acceptanceRows } from './acceptances';
import { closingLineRow } from './closing-lines';
import { exoticRows } from './exotic-dividends';
import { marketSummaryRow } from './market-summary';
import { marketRows } from './markets';
import { pricePathRow } from './price-paths';
import { resultRows } from './results';
import { trackConditionRows } from './track-conditions';

export interface RowSource {
  /** All rows of the day, in the order of the dataset. */
  rows(day: Day): RowBatches;
  /** False: rows are still to come. `isOld`: the day ended days ago, so missing rows may never come. */
  isReady?(day: Day, isOld: boolean): Promise<boolean>;
  /** For these rows, if the database computes it faster than by reading them. */
  checksum?(day: Day): Promise<string>;
  /** The same rows as lines of CSV, if the database produces them. Only together with `checksum`. */
  lines?(day: Day): LineBatches;
}

export type BulkReads = Pick<Reads, 'results' | 'acceptances' | 'trackConditions' | 'dayRaces' | 'archive'>;

/** No day has more races. */
const MOST_RACES = 5000;

export function createRowSources(reads: BulkReads): Readonly<Record<DatasetName, RowSource>> {
  const results = (day: Day) => reads.results({ day, limit: MOST_RACES, offset: 0 });
  const { archive } = reads;
  const bookmakers = CUSTOMER_BOOKMAKER_KEYS;
  const isReady = async (day: Day, isOld: boolean): Promise<boolean> => {
    const { archived, missing } = await archive.dayProgress(day);
    return missing === 0 || (isOld && archived > 0);
  };
  return {
    closing_lines: {
      isReady,
      rows: (day) => readAhead(rowsOf(archive.streamClosingLines(all(day), EVERY), closingLineRow)),
      checksum: (day) => archive.dayChecksum('line', day),
    },
    price_paths: {
      isReady,
      rows: (day) => readAhead(rowsOf(archive.streamPricePaths(all(day), EVERY), pricePathRow)),
      checksum: (day) => archive.dayChecksum('path', day),
      lines: (day) => readAhead(archive.streamPricePathLines(all(day), EVERY)),
    },
    markets: { rows: (day) => marketsOf(day, reads.dayRaces({ day, bookmakers: COMPARED })) },
    results: { rows: (day) => oneBatch(async () => resultRows(await results(day))) },
    acceptances: { rows: (day) => oneBatch(async () => acceptanceRows(day, await reads.acceptances(day))) },
    track_conditions: {
      rows: (day) => oneBatch(async () => trackConditionRows(day, await reads.trackConditions({ day, bookmakers }))),
    },
    exotic_dividends: { rows: (day) => oneBatch(async () => exoticRows(await results(day))) },
    market_summary: {
      isReady,
      rows: (day) => readAhead(rowsOf(archive.streamMarketSummary(unflagged(day), EVERY), marketSummaryRow)),
    },
  };
}

/** As in the endpoint: no foreign or retired book is compared. */
const COMPARED = CUSTOMER_BOOKMAKER_KEYS.filter(isCompared);

const EVERY = Number.MAX_SAFE_INTEGER;

/** The flags are columns: readers leave out what they do not want. */
const all = (day: Day) => ({ meetingDate: day, includeFlagged: true, includeScratched: true });

/** A summary has no flags: suspect rows are left out, as in the endpoint. */
const unflagged = (day: Day) => ({ meetingDate: day, includeScratched: true });

async function* rowsOf<R>(
  batches: AsyncIterable<readonly R[]>,
  rowOf: (row: R) => Row,
): AsyncGenerator<readonly Row[]> {
  for await (const batch of batches) yield batch.map(rowOf);
}

async function* marketsOf(day: Day, batches: AsyncIterable<readonly LiveRace[]>): AsyncGenerator<readonly Row[]> {
  for await (const races of batches) yield races.flatMap((race) => marketRows(day, race));
}

/** A day of these datasets has some thousand rows: one statement. */
async function* oneBatch<T>(read: () => Promise<readonly T[]>): AsyncGenerator<readonly T[]> {
  yield await read();
}
