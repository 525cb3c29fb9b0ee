// What the live board shows, as values. Instants are epoch milliseconds of race time; the pages compute ages from them,
// so that an unchanged board has equal values. Unknown is null, never 0 (D3). No text, no HTML.
import type { JumpBasis } from '../../domain/lifecycle/jump-basis';
import type { Undetermined } from '../../domain/market/intelligence/first-mover';
import type { Signal } from '../../domain/market/intelligence/signal';
import type { RunnerDetails } from '../../domain/race/feed-race';
import type { FluctuationMark, Fluctuations, MultiLeg, PricedAt, ToteEstimate } from './course/course';
import type { RaceMeeting } from './meeting';
import type { RaceFilter } from './race-filter';
import type { RaceTitle } from './race-title';

/** One race of the strip "next to jump". */
export interface RaceCard extends RaceTitle {
  readonly favourite: FavouritePrice | null;
}

interface FavouritePrice {
  readonly number: number;
  readonly name: string;
  readonly price: number;
  /** When the price becomes stale at every book that has it, unless it is read again. */
  readonly staleFromMs: number;
}

type Direction = 'firming' | 'drifting';

/** A price against an earlier one of the same book (A 2.6: a shorter price is firming). */
export interface PriceMovement {
  readonly direction: Direction;
  readonly from: number;
  readonly fromMs: number;
}

export interface PriceCell {
  readonly price: number;
  /** Equal to the best price of the runner. */
  readonly best: boolean;
  /** The other books' consensus, when this is a placeholder quote (A 2.4 rule 2): never best. */
  readonly suspectAgainst: number | null;
  readonly move: PriceMovement | null;
}

/** One book's column. */
export interface BookColumn {
  readonly key: string;
  readonly title: string;
  /** The book's page of the race, as it reports it; null if it reports none. */
  readonly page: string | null;
  /** Last successful poll, at the latest the jump; null before the first. */
  readonly polledMs: number | null;
  /** Past its refresh tier's threshold (A 2.4 rule 4); after the jump: whether it was so at the jump. */
  readonly stale: boolean;
  /** When it becomes so, unless the book is read again; null: after the jump nothing changes. */
  readonly staleFromMs: number | null;
  /** Sum of implied probabilities in percent; null unless the book prices the complete field. */
  readonly marketPct: number | null;
}

interface BestPrice {
  readonly price: number;
  /** Every book at that price, by title; the first is one with a fresh response. */
  readonly books: readonly string[];
  /** All books that quote the runner have the same price: none is better than another. */
  readonly shared: boolean;
  /** Last poll of the first of them, at the latest the jump. */
  readonly polledMs: number;
  /** Every book at that price is stale. */
  readonly stale: boolean;
  /** As of a book's column. */
  readonly staleFromMs: number | null;
}

export interface ShownScratching {
  readonly atMs: number | null;
  readonly late: boolean;
  /** The loss of a winning bet on another runner, as a share of its return. */
  readonly winDeduction: number | null;
  readonly placeDeduction: number | null;
}

/** Books that a consensus needs, the default of the endpoints. */
export const MIN_BOOKS = 2;

export interface ConsensusPrice {
  readonly price: number;
  /** The best price against it, in percent of it; null where the best price is a stale book's. */
  readonly bestPct: number | null;
}

/** Which book moved first, where that can be determined (A 2.6 rule 3); books by title. */
export type FirstMoverView =
  | {
      readonly status: 'attributed';
      readonly book: string;
      readonly atMs: number;
      /** To `next`, the second to move. */
      readonly leadSeconds: number;
      readonly next: string;
    }
  | { readonly status: 'undetermined'; readonly reason: Undetermined };

/** The change of a runner's price over the last hour before the jump (A 2.6). */
export interface RunnerHour {
  /** Of the best win price. */
  readonly best: PriceSpan;
  readonly signal: Signal;
  /**
   * Of the consensus, in percent of `from`, its price an hour out; negative: it shortened. Null where either is
   * unknown.
   */
  readonly movePct: number | null;
  readonly from: number | null;
  /** Of the books with two or more captured prices. */
  readonly firming: number;
  readonly drifting: number;
  readonly withHistory: number;
  readonly firstMover: FirstMoverView;
}

export interface RunnerRow extends RunnerDetails {
  readonly number: number;
  readonly name: string;
  readonly emergency: boolean;
  /** Where it finished, of the placings; null before the result and for the others. */
  readonly position: number | null;
  readonly scratching: ShownScratching | null;
  readonly favourite: boolean;
  readonly win: PriceLine;
  readonly place: PriceLine;
  /** Null where too few books price the whole field. */
  readonly consensus: ConsensusPrice | null;
  /** Null before its prices are captured. */
  readonly hour: RunnerHour | null;
  readonly fluctuations: Fluctuations;
  /** The highest of the estimates; null: no pool has one. */
  readonly tote: ToteEstimate | null;
  readonly legs: Readonly<Record<MultiLeg, BestPrice | null>>;
}

/** `cells` are in the order of the books. */
export interface PriceLine {
  readonly best: BestPrice | null;
  readonly cells: readonly (PriceCell | null)[];
}

/** `suspended`: the market is closed before the advertised start, and may open again. */
export type RaceState = 'open' | 'suspended' | 'jumped' | 'abandoned';

export interface RaceDetails extends RaceTitle {
  /** False once it has left the board, ten minutes after the jump (A 3). */
  readonly onBoard: boolean;
  /** Its prices are shown: on the board, and after it as of the jump until the archive has them. */
  readonly keepsPrices: boolean;
  readonly raceName: string | null;
  readonly distanceM: number | null;
  readonly trackCondition: string | null;
  readonly weather: string | null;
  readonly raceClass: string | null;
  readonly rail: string | null;
  readonly prizeTotal: number | null;
  readonly placesPaid: number | null;
  readonly jumpedMs: number | null;
  /** How the jump is known; null before it. */
  readonly jumpBasis: JumpBasis | null;
}

/**
 * Whether the prices of a race are current. `read`: its books are polled, the newest poll was at `polledMs` and is too
 * old from `oldFromMs` on, by the race's refresh tier. `standing`: they no longer change, as after the jump. `none`: no
 * book quotes. `page`: a page of many races, which has its own moment.
 */
export type Freshness =
  | { readonly kind: 'read'; readonly polledMs: number; readonly oldFromMs: number }
  | { readonly kind: 'standing' }
  | { readonly kind: 'none' }
  | { readonly kind: 'page' };

export interface RaceSheet extends RaceDetails {
  readonly state: RaceState;
  readonly freshness: Freshness;
  /** The meeting's last change; `from` is the condition before it, null where that is unknown. */
  readonly trackChange: { readonly atMs: number; readonly from: string | null } | null;
  readonly books: readonly BookColumn[];
  readonly runners: readonly RunnerRow[];
  /** Marks that are past, whether a price stood then or not. */
  readonly marksReached: readonly FluctuationMark[];
  /** Books that make up the consensus, and how many it needs. */
  readonly consensusBooks: { readonly included: number; readonly needed: number };
  /** At the best prices across books; below 100 the best prices beat the field (A 2.4). */
  readonly bestMarketPct: number | null;
}

/** Jumped, without a result yet. */
export interface JumpedRace extends RaceTitle {
  readonly jumpedMs: number;
  readonly jumpBasis: JumpBasis;
}

export interface PlacingRow {
  readonly position: number;
  readonly number: number;
  readonly name: string | null;
  readonly deadHeat: boolean;
  /** Settled fixed prices of one book; null while they are unknown (A 2.11 rule 3). */
  readonly win: number | null;
  readonly place: number | null;
  readonly sp: number | null;
  /** To the winner, as the registry prints it; null for the winner. */
  readonly margin: string | null;
  readonly timeSeconds: number | null;
}

interface StraightDividend {
  readonly market: 'WIN' | 'PLC';
  readonly product: string;
  readonly number: number;
  readonly amount: number;
}

interface ExoticDividend {
  readonly type: string;
  readonly product: string;
  readonly selection: string;
  readonly amount: number;
}

export interface RaceOutcome extends RaceTitle {
  readonly status: 'interim' | 'final' | 'abandoned';
  readonly note: string | null;
  readonly protest: boolean;
  readonly resultedMs: number | null;
  readonly placings: readonly PlacingRow[];
  readonly straight: readonly StraightDividend[];
  readonly exotics: readonly ExoticDividend[];
}

export interface Board {
  /** Races open for betting, next to jump first. */
  readonly next: readonly RaceCard[];
  /** The first of them in full. */
  readonly featured: RaceSheet | null;
  readonly jumped: readonly JumpedRace[];
  /** Latest first. */
  readonly outcomes: readonly RaceOutcome[];
}

/**
 * One race's page: its prices until it is archived, after the jump the last ones before it; its outcome once there is
 * one.
 */
export interface RaceView {
  readonly next: readonly RaceCard[];
  readonly meeting: RaceMeeting | null;
  readonly sheet: RaceSheet;
  readonly outcome: RaceOutcome | null;
}

/** Changes only, aligned, ascending: a price holds until the next instant; null where there is none from then on. */
export interface PricePath {
  readonly atMs: readonly number[];
  readonly prices: readonly (number | null)[];
}

/** Since capture began, each with the first time it was reached. */
export interface PriceSpan {
  readonly first: PricedAt;
  readonly high: PricedAt;
  readonly low: PricedAt;
}

export interface RunnerChart {
  readonly number: number;
  readonly name: string;
  /** The best price across the books. */
  readonly best: PricePath;
  /** The consensus of the books; null for a runner outside the field. */
  readonly consensus: PricePath | null;
  /** In the order of the chart's books; null for a book without captured prices of this runner. */
  readonly books: readonly (PricePath | null)[];
}

/** The win prices of one race since their capture began, an hour before the jump. */
export interface PriceChart {
  readonly raceId: string;
  readonly startMs: number;
  readonly jumpedMs: number | null;
  /** Titles. */
  readonly books: readonly string[];
  /** Without scratched ones, by number. */
  readonly runners: readonly RunnerChart[];
}

/** What the pages read. */
export interface LiveBoard {
  /** Of the races that `filter` passes; default: all. */
  board(filter?: RaceFilter): Promise<Board>;
  race(raceId: string): Promise<RaceView | null>;
  /** Null where the race is unknown or its prices are no longer shown. */
  chart(raceId: string): Promise<PriceChart | null>;
}
