// What the page of a runner shows, as values. Unknown is null, never 0 (D3). No text, no HTML.
import type { HorseCareer, HorseProfile } from '../../../domain/form/horse-form';
import type { Dimension, RunGroup, RunStats } from '../../../domain/form/run-stats';
import type { RunCategory, StoredRun } from '../../../domain/form/stored-run';
import type { BoardFacts } from '../../../domain/race/board-state';
import type { Day } from '../../../domain/race/race';
import type { BestNow } from '../../board/course/best-now';
import type { RaceTitle } from '../../board/race-title';
import type { VisibleRace } from '../../board/source';

/** On a card of a race that has not jumped. */
export interface ListedStart {
  readonly race: RaceTitle;
  readonly facts: BoardFacts;
  readonly number: number;
  readonly runner: string;
  readonly scratched: boolean;
  readonly barrier: number | null;
  readonly jockey: string | null;
  readonly trainer: string | null;
}

export interface PricedStart extends ListedStart {
  readonly best: BestNow | null;
}

/** The registry's page of a thoroughbred (B 2.5), as it was last read. */
export interface RunnerPage {
  readonly name: string;
  readonly code: string;
  readonly readMs: number;
  /** A start came after it was read. */
  readonly startedSince: boolean;
  readonly profile: HorseProfile;
  readonly career: HorseCareer | null;
}

interface StartsBy {
  readonly by: Dimension;
  /** Most starts first, and not all of very many. */
  readonly rows: readonly RunGroup[];
}

/** Under one name, as its runs are stored. */
export interface RunnerView extends Omit<StoredRunner, 'starts' | 'onBoard'> {
  /** Of today and tomorrow, by start. */
  readonly coming: readonly PricedStart[];
}

export interface StoredRunner {
  readonly category: RunCategory;
  readonly key: string;
  /** On its newest card, else in its latest run, which a registry may print in capitals; null: it has neither. */
  readonly name: string | null;
  /** How many animals are certainly among the runs, the starts and the page. */
  readonly animals: number;
  readonly starts: readonly ListedStart[];
  /** The races of these, with prices. */
  readonly onBoard: readonly VisibleRace[];
  /** Null: none is stored, or the name is that of several horses. */
  readonly page: RunnerPage | null;
  /** Empty where they would add up several animals. */
  readonly groups: readonly StartsBy[];
  /** Over every stored run; null where it would add up several animals. */
  readonly record: RunStats | null;
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
  runner(category: RunCategory, key: string, nowMs: number): Promise<StoredRunner>;
}
