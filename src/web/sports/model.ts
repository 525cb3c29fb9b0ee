// Sports in the values that their pages show. The views are made of one reading at its instant; a price has the time at
// which its book last confirmed it, so that a page of any later second has the right ages.

import type { PricedMatch } from '../../domain/sports/match';
import type { MatchListing, MatchListings } from '../../domain/sports/match-listings';
import type { LineMarket, MatchMarket } from '../../domain/sports/sports';
import type { SuspectReason } from '../../domain/sports/trust/suspect';

/** `readAtMs`: when they were read, which processes share. */
export interface UpcomingMatches {
  readonly matches: readonly PricedMatch[];
  readonly readAtMs: number;
}

/** With only the books that customers may see and that are compared (A 1), no price older than six hours. */
export interface SportSource {
  /**
   * Matches that have not started, by start, then id. `sportKey` null: of every sport. `alternates`: with the other
   * lines of each book.
   */
  upcoming(sportKey: string | null, alternates: boolean, nowMs: number): Promise<UpcomingMatches>;
  /** In any state. Null: there is no such match. */
  match(eventId: string): Promise<MatchListings | null>;
}

/** When a price was last true, and from when on it is stale. `staleFromMs` null: `stale` does not change. */
export interface SeenAt {
  readonly seenMs: number;
  readonly stale: boolean;
  readonly staleFromMs: number | null;
}

export interface ShownPrice extends SeenAt {
  readonly price: number;
  readonly bookmaker: string;
  /** Probably wrong, and why; null: not suspect. */
  readonly suspect: SuspectReason | null;
}

export interface MatchHead {
  readonly eventId: string;
  readonly sportKey: string;
  readonly homeTeam: string;
  readonly awayTeam: string;
  readonly competition: string | null;
  readonly startMs: number;
}

export interface SportCount {
  readonly key: string;
  readonly title: string;
  readonly group: string;
  readonly matches: number;
  readonly books: number;
  readonly next: MatchHead | null;
}

export interface SportsIndex {
  readonly atMs: number;
  /** When a book last confirmed a price; null: there is none. */
  readonly newestMs: number | null;
  /** Every sport, in the order of `GET /v1/sports`. */
  readonly sports: readonly SportCount[];
}

export interface MatchRow extends MatchHead {
  readonly books: number;
  /** Of the head to head. Null: no book has a price. */
  readonly home: ShownPrice | null;
  readonly draw: ShownPrice | null;
  readonly away: ShownPrice | null;
  /** The percentage that fresh prices of every outcome return beyond the stakes; null: they return none. */
  readonly arbPct: number | null;
}

/** Rows from a longer list. */
export interface Paged {
  readonly page: number;
  readonly pages: number;
  readonly total: number;
}

export interface SportView extends Paged {
  readonly key: string;
  readonly title: string;
  readonly group: string;
  readonly atMs: number;
  readonly newestMs: number | null;
  /** Whether the draw has a column. */
  readonly hasDraw: boolean;
  /** The one that is shown; null: every one. */
  readonly competition: string | null;
  /** Of all matches, by name. */
  readonly competitions: readonly { readonly name: string; readonly matches: number }[];
  readonly rows: readonly MatchRow[];
}

/** A side of a market: the team, `Draw`, `Over` or `Under`. */
export interface SideName {
  readonly side: 'home' | 'draw' | 'away';
  readonly name: string;
}

export interface BestCell {
  /** The handicap of the side, or the total; null head to head. */
  readonly point: number | null;
  readonly best: ShownPrice | null;
}

export interface SideCell {
  readonly price: number;
  readonly best: boolean;
  readonly suspect: SuspectReason | null;
}

export interface BookCell extends SideCell {
  readonly point: number | null;
}

/** A book's prices of a market, in the order of its sides. */
export interface BookRow {
  readonly bookmaker: string;
  /** Null: the book has no price of this market. */
  readonly seen: SeenAt | null;
  /** It has other outcomes than the sport, as two where a draw is the third: another bet, never the best. */
  readonly another: boolean;
  readonly cells: readonly (BookCell | null)[];
}

export interface MarketView {
  readonly market: MatchMarket;
  readonly sides: readonly SideName[];
  /** The best price of each side; of lines at each of those that most books offer. */
  readonly bests: readonly (readonly BestCell[])[];
  /** Every book with a price of the match, by title. */
  readonly books: readonly BookRow[];
}

/** With the book's title, and its names in the order of the match's sides. */
export interface ListingRow extends Omit<MatchListing, 'takenBackMs' | 'competition'> {
  readonly listed: boolean;
}

export interface MatchView extends MatchHead {
  /** `open`: with prices. `unpriced`: no book has one. `started`: prices are compared until the start. */
  readonly state: 'open' | 'unpriced' | 'started';
  readonly atMs: number;
  readonly newestMs: number | null;
  readonly markets: readonly MarketView[];
  /** Of this match, most first. */
  readonly arbs: readonly ArbRow[];
  readonly listings: readonly ListingRow[];
}

/** Of one book at one line; null: it has no price of the side. */
export interface LineCell {
  readonly seen: SeenAt;
  readonly home: SideCell | null;
  readonly away: SideCell | null;
}

/** One line: both sides of it, and no other point. */
export interface LineRow {
  /** How many books offer it, and of how many it is the main line. */
  readonly books: number;
  readonly mainOf: number;
  readonly home: BestCell;
  readonly away: BestCell;
  /** Aligned to the books of the table; null: the book does not offer this line. */
  readonly cells: readonly (LineCell | null)[];
}

export interface LineTable {
  readonly market: LineMarket;
  readonly home: string;
  readonly away: string;
  /** The titles of those with a price of a shown line, in order. */
  readonly books: readonly string[];
  /** By point. */
  readonly rows: readonly LineRow[];
  /** How many lines are left out. */
  readonly left: number;
}

export interface LinesView extends Pick<MatchView, 'state' | 'atMs' | 'newestMs'>, MatchHead {
  readonly tables: readonly LineTable[];
}

export interface ArbLeg {
  /** The team, `Draw`, `Over` or `Under`. */
  readonly name: string;
  readonly point: number | null;
  readonly price: ShownPrice;
  /** Of all stakes, in percent. */
  readonly stake: number;
}

export interface ArbRow extends MatchHead {
  readonly market: MatchMarket;
  /** Beyond the stakes, in percent, rounded down. */
  readonly profitPct: number;
  /** 0 to 1, at the instant of the reading. */
  readonly confidence: number;
  /** With fresh prices of the market that are not suspect. */
  readonly books: number;
  /** Of the worst leg: from the median chance of the other books, and the share of its book's prices that moved. */
  readonly distance: number;
  readonly movedShare: number;
  readonly legs: readonly ArbLeg[];
}

export interface ArbsView extends Paged {
  readonly atMs: number;
  readonly newestMs: number | null;
  readonly rows: readonly ArbRow[];
}
