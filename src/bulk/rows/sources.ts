// Where the rows of each dataset come from. Rows of a day are those of its `meeting_date_aet` (D45), and of customers' books only (D42).

import { CUSTOMER_BOOKMAKER_KEYS } from '../../domain/bookmakers';
import type { Day } from '../../domain/race/race';
import type { RowBatches } from '../../row-files/columns';
import type { Reads } from '../../store/reads/reads';
import type { DatasetName } from '../catalogue';
import { acceptanceRows } from './acceptances';
import { exoticRows } from './exotic-dividends';
import { resultRows } from './results';
import { trackConditionRows } from './track-conditions';

export interface RowSource {
  /** All rows of the day, in the order of the dataset. */
  rows(day: Day): RowBatches;
  /** Of these rows, where the database finds it faster than by reading them. */
  checksum?(day: Day): Promise<string>;
}

export type BulkReads = Pick<Reads, 'results' | 'acceptances' | 'trackConditions'>;

/** No day has more races. */
const MOST_RACES = 5000;

export function createRowSources(reads: BulkReads): Readonly<Record<DatasetName, RowSource>> {
  const results = (day: Day) => reads.results({ day, limit: MOST_RACES, offset: 0 });
  return {
    results: { rows: (day) => oneBatch(async () => resultRows(await results(day))) },
    acceptances: { rows: (day) => oneBatch(async () => acceptanceRows(day, await reads.acceptances(day))) },
    track_conditions: {
      rows: (day) =>
        oneBatch(async () =>
          trackConditionRows(day, await reads.trackConditions({ day, bookmakers: CUSTOMER_BOOKMAKER_KEYS })),
        ),
    },
    exotic_dividends: { rows: (day) => oneBatch(async () => exoticRows(await results(day))) },
  };
}

/** A day of these datasets is some thousand rows: one statement. */
async function* oneBatch<T>(read: () => Promise<readonly T[]>): AsyncGenerator<readonly T[]> {
  yield await read();
}
