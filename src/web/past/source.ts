// The external data of the pages of past races, in plain values and with only what customers may see.
import type { ArchiveOutcome } from '../../domain/archive/archive-race';
import type { ClosingLine } from '../../domain/clv/closing-line';
import type { CapturedPrices } from '../../domain/market/intelligence/captured';
import type { Day } from '../../domain/race/race';
import type { MeetingRace } from '../board/meeting';
import type { RaceOutcome } from '../board/model';
import type { CardChanges, VisibleRace } from '../board/source';
import type { FoundBy, PastDay, PastRaceRow } from './model';

export interface ArchivedClose extends ClosingLine {
  readonly bookmaker: string;
  readonly number: number;
  readonly name: string;
  readonly scratched: boolean;
  readonly foundBy: FoundBy;
  readonly ageSeconds: number;
  /** Counts for the best close: not for a retired book, not under a doubtful name. */
  readonly compared: boolean;
}

export interface StoredPastRace {
  /** With the books' last prices before the jump; `jumpedMs` is the jump that everything counts to. */
  readonly race: VisibleRace;
  readonly result: RaceOutcome | null;
  /** The races of its meeting, by number. */
  readonly meeting: readonly MeetingRace[];
  readonly changes: CardChanges;
  readonly outcome: ArchiveOutcome | null;
  /** The source of the captured prices: the archive, once a tick of the race is gone. */
  readonly source: 'ticks' | 'archive';
  /** Win prices of the books that may be compared, up to the jump. */
  readonly captured: readonly CapturedPrices[];
  readonly closes: readonly ArchivedClose[];
}

export interface PastSource {
  /** Start of the first archived race; null: there is none. */
  archiveFromMs(): Promise<number | null>;
  days(days: readonly Day[]): Promise<readonly PastDay[]>;
  /** By start. */
  races(day: Day): Promise<readonly PastRaceRow[]>;
  /** Null: there is no such race. */
  race(raceId: string): Promise<StoredPastRace | null>;
}
