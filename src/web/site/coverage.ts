// The coverage report as its page needs it: a part of what /coverage-report.json serves, under the same names.
import type { Category, Day, Instant } from '../../domain/race/race';

export interface CoverageView {
  readonly as_of: Instant;
  /** Null parts are named in `unavailable`. */
  readonly prices: PricesView | null;
  readonly bookmakers: readonly CollectedView[] | null;
  readonly results: ResultsView | null;
  readonly archive: ArchiveView | null;
  /** When their states were read. */
  readonly bookmakers_as_of?: Instant;
  readonly unavailable: readonly { readonly name: string; readonly reason: string }[];
}

interface Span {
  readonly from_day: Day;
  readonly to_day: Day;
}

interface CodeName {
  readonly category: Category;
  readonly country: string | null;
}

export interface PricesView extends Span {
  readonly races: number;
  readonly measured: string;
  readonly by_code: readonly CodeView[];
}

export interface CodeView extends CodeName {
  readonly races: number;
  readonly bookmakers: readonly {
    readonly title: string;
    readonly races_priced_pct: number;
    readonly races_closed_pct: number;
  }[];
}

export interface CollectedView {
  readonly title: string;
  /** Null: it was never polled. */
  readonly status: 'ok' | 'error' | null;
  readonly last_ok: Instant | null;
}

export interface ResultsView extends Span {
  readonly by_category: readonly (CodeName & {
    readonly races: number;
    readonly without_result: number;
    readonly complete: number;
    readonly pending: number;
    readonly overdue: number;
    readonly unavailable: number;
    readonly unsupported: number;
  })[];
}

export interface ArchiveView {
  readonly archive_from: Instant | null;
  readonly archive_to: Instant | null;
  readonly rows: number;
  readonly races: number;
  readonly bookmakers: number;
  readonly is_closing_line_pct: number | null;
  readonly resulted_races_pct: number | null;
}

/** The newest report. Throws a 503 that names what is missing while nothing can be measured. */
export type ReadCoverage = () => Promise<CoverageView>;
