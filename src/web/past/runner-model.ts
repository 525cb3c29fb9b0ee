// What the page of a runner shows, as values. Unknown is null, never 0 (D3). No text, no HTML.
import type { RunStats } from '../../domain/form/run-stats';
import type { RunCategory, StoredRun } from '../../domain/form/stored-run';
import type { Day } from '../../domain/race/race';

/** Under one name, as its runs are stored. */
export interface RunnerView {
  readonly category: RunCategory;
  readonly key: string;
  /** On its newest card, else in its latest run, which a registry may print in capitals; null: it has neither. */
  readonly name: string | null;
  /** Over every stored run. */
  readonly record: RunStats;
  readonly runsTotal: number;
  /** Of the oldest stored run; null: there is none. */
  readonly since: Day | null;
  /** Newest first, and not all of very many. */
  readonly runs: readonly RunnerRun[];
}

export interface RunnerRun
  extends Pick<StoredRun, 'race_id' | 'meeting_date' | 'venue' | 'race_number' | 'distance_m' | 'track_condition'>,
    Pick<StoredRun, 'race_class' | 'status' | 'position' | 'field_size' | 'abnormal' | 'margin' | 'sp' | 'box'>,
    Pick<StoredRun, 'jockey' | 'trainer' | 'weight_kg'> {
  /** Consensus at `PRICE_MARKS`; empty if no price of the race was captured. */
  readonly prices: readonly (number | null)[];
}

/** Minutes before the advertised start; 0 is the jump. */
export const PRICE_MARKS = [60, 30, 15, 10, 5, 2, 0] as const;

export interface RunnerSource {
  runner(category: RunCategory, key: string): Promise<RunnerView>;
}
