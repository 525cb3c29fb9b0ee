// What the home page shows beside the live board's own values. Unknown is null, never 0 (D3).
import type { Freshness, RaceOutcome } from '../board/model';
import type { RaceTitle } from '../board/race-title';

/** A call of the API and the answer that its operation gives. */
interface AnsweredCall {
  /** The whole address. */
  readonly address: string;
  /** Of the operation, in the reference. */
  readonly page: string;
  /** Parsed. */
  readonly answer: unknown;
  readonly atMs: number;
}

export interface HomeSource {
  call(nowMs: number): Promise<AnsweredCall>;
}

export interface HomeCall extends Omit<AnsweredCall, 'answer'> {
  /** The answer, shortened where it says so. */
  readonly lines: readonly string[];
}

/** The best win price of a runner; null: no book quotes it. */
interface HomePrice {
  readonly price: number;
  /** The first of the books that have it. */
  readonly book: string;
  /** How many others have it. */
  readonly others: number;
  /** When that book was read. */
  readonly polledMs: number | null;
  readonly stale: boolean;
  readonly staleFromMs: number | null;
}

export interface HomeRunner {
  readonly number: number;
  readonly name: string;
  readonly best: HomePrice | null;
}

export interface HomeRace extends RaceTitle {
  readonly suspended: boolean;
  readonly freshness: Freshness;
  /** Shortest price first. */
  readonly runners: readonly HomeRunner[];
  /** Runners that are not listed. */
  readonly more: number;
  /** Books that quote it. */
  readonly books: number;
}

export interface HomeView {
  /** Next to jump; null: none is open for betting. */
  readonly race: HomeRace | null;
  /** The latest result, where there is no race. */
  readonly outcome: RaceOutcome | null;
  readonly call: HomeCall;
}
