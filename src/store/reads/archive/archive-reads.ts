// The API's reads of the permanent archive. Rows are unrounded, in the contract's column order, and of books that
// customers may see; only `priceHistory` takes the books to read. A stream reads batch by batch and holds neither
// connection nor transaction while its caller waits (D46).
import type { Pool } from 'pg';
import type { ArchiveOutcome } from '../../../domain/archive/archive-race';
import type { Day, Instant } from '../../../domain/race/race';
import type { RaceIdentity } from '../races/race-window';
import { type CodeBooks, readCodeBooks } from './book-coverage';
import { type ClosingLineRow, readClosingLines, streamClosingLines } from './closing-lines';
import { type ArchiveCoverage, type ArchiveDay, readArchiveCoverage, readArchiveDays, readBeginning } from './coverage';
import { streamPricePathLines } from './csv/price-paths';
import { type DayProgress, readDayChecksum, readDayProgress } from './day-checksum';
import { type MarkedDay, type MarkSums, readDayMarks, readMarkedDays } from './day-marks';
import { findHistoryRaces, type HistoryQuery } from './history-races';
import { type MarketSummaryRow, readMarketSummary, streamMarketSummary } from './market-summary';
import type { ArchivePage, Beginning } from './pages/archived-page';
import { type PageBounds, type PagePlan, planPage } from './pages/page-plan';
import { type PastRaceRow, readArchiveOutcome, readPastRaces } from './past-races';
import { type PriceHistory, readPriceHistory } from './price-history';
import { type PricePathRow, readPricePaths, streamPricePaths } from './price-paths';
import { type RaceToReplay, readRacesToReplay } from './replay/replay-prices';
import { type ReplayRace, type ReplayRaces, type ReplaySelection, readReplayRaces } from './replay/replay-races';
import { readSampleRace, type SampleRace } from './sample-race';
import type { ArchiveRows, ArchiveSelection } from './selection';

/**
 * Totals are exact for the selection. A page far into the archive costs as much as the first one: offsets are found in
 * the counts.
 */
export interface ArchiveReads {
  closingLines(selection: ArchiveSelection, page: PageBounds): Promise<ArchivePage<ClosingLineRow>>;
  pricePaths(selection: ArchiveSelection, page: PageBounds): Promise<ArchivePage<PricePathRow>>;
  marketSummary(selection: ArchiveSelection, page: PageBounds): Promise<ArchivePage<MarketSummaryRow>>;
  /** For a streamed page. */
  planPage(what: ArchiveRows, selection: ArchiveSelection, page: PageBounds): Promise<PagePlan>;
  /** At most `limit` rows from the beginning on, in page order. */
  streamClosingLines(
    selection: ArchiveSelection,
    limit: number,
    begin?: Beginning,
  ): AsyncGenerator<readonly ClosingLineRow[]>;
  streamPricePaths(
    selection: ArchiveSelection,
    limit: number,
    begin?: Beginning,
  ): AsyncGenerator<readonly PricePathRow[]>;
  /** The same as lines of CSV, without a header: texts of whole lines. */
  streamPricePathLines(
    selection: ArchiveSelection,
    limit: number,
    begin?: Beginning,
  ): AsyncGenerator<readonly string[]>;
  streamMarketSummary(
    selection: ArchiveSelection,
    limit: number,
    begin?: Beginning,
  ): AsyncGenerator<readonly MarketSummaryRow[]>;
  /** Start of the first race with rows of this kind; null: there is none. */
  beginsAt(what: ArchiveRows): Promise<Instant | null>;
  /** Null: no race has a final result yet. */
  sampleRace(): Promise<SampleRace | null>;
  coverage(): Promise<ArchiveCoverage>;
  /**
   * For Sydney days with their bounds, newest first: which races ran, which are archived, and why a race has no close.
   */
  days(days: readonly DayBounds[]): Promise<readonly ArchiveDay[]>;
  /** For the races that started on these Sydney days, both included: the books with archived prices. */
  codeBooks(from: Day, to: Day): Promise<readonly CodeBooks[]>;
  /** For the races that started on these Sydney days, both included: books' prices at the marks before the jump. */
  dayMarks(from: Day, to: Day): Promise<readonly MarkSums[]>;
  /** Sydney days that `dayMarks` has figures of, newest first. */
  markedDays(): Promise<readonly MarkedDay[]>;
  historyRaces(query: HistoryQuery): Promise<readonly RaceIdentity[]>;
  dayProgress(day: Day): Promise<DayProgress>;
  /** Over all rows of a meeting day; equal as long as they are. */
  dayChecksum(what: 'line' | 'path', day: Day): Promise<string>;
  /** Races that started in the span and have left the board, by start. */
  pastRaces(since: Instant, until: Instant): Promise<readonly PastRaceRow[]>;
  /** The outcome of archiving a race; null: it is not archived. */
  outcome(raceId: string): Promise<ArchiveOutcome | null>;
  /** Null: there is no such race. `at`: race time, of the request; null: the race has run. */
  priceHistory(raceId: string, bookmakers: readonly string[], at: Instant | null): Promise<PriceHistory | null>;
  /** The races of a replay, before it begins. */
  replayRaces(selection: ReplaySelection): Promise<ReplayRaces>;
  /** All that is kept of them, in this order. `bookmakers` null: all that customers may see. */
  racesToReplay(races: readonly ReplayRace[], bookmakers: readonly string[] | null): Promise<readonly RaceToReplay[]>;
}

interface DayBounds {
  readonly day: Day;
  readonly since: Instant;
  readonly until: Instant;
}

/** `streams`: separate connections, so that no number of streams takes those of calls (D46). */
export function createArchiveReads(pool: Pool, streams: Pool): ArchiveReads {
  return {
    closingLines: (selection, page) => readClosingLines(pool, selection, page),
    pricePaths: (selection, page) => readPricePaths(pool, selection, page),
    marketSummary: (selection, page) => readMarketSummary(pool, selection, page),
    planPage: (what, selection, page) => planPage(streams, what, selection, page),
    streamClosingLines: (selection, limit, begin = 0) => streamClosingLines(streams, selection, limit, begin),
    streamPricePaths: (selection, limit, begin = 0) => streamPricePaths(streams, selection, limit, begin),
    streamPricePathLines: (selection, limit, begin = 0) => streamPricePathLines(streams, selection, limit, begin),
    streamMarketSummary: (selection, limit, begin = 0) => streamMarketSummary(streams, selection, limit, begin),
    beginsAt: (what) => readBeginning(pool, what),
    sampleRace: () => readSampleRace(pool),
    coverage: () => readArchiveCoverage(pool),
    days: (days) => readArchiveDays(pool, days),
    codeBooks: (from, to) => readCodeBooks(pool, from, to),
    dayMarks: (from, to) => readDayMarks(pool, from, to),
    markedDays: () => readMarkedDays(pool),
    historyRaces: (query) => findHistoryRaces(pool, query),
    dayProgress: (day) => readDayProgress(pool, day),
    dayChecksum: (what, day) => readDayChecksum(pool, what, day),
    pastRaces: (since, until) => readPastRaces(pool, since, until),
    outcome: (raceId) => readArchiveOutcome(pool, raceId),
    priceHistory: (raceId, bookmakers, at) => readPriceHistory(pool, raceId, bookmakers, at),
    replayRaces: (selection) => readReplayRaces(streams, selection),
    racesToReplay: (races, bookmakers) => readRacesToReplay(streams, races, bookmakers),
  };
}
