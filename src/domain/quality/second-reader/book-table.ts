// What the second reader needs to know about a book: where its body contains the runners, their numbers, names and
// prices. Paths are those of `path.ts`.
import type { AuditedMarket } from '../markets';

/** A decimal price at a path, or one that is given as a fraction: 1 + numerator / denominator, to the cent. */
export type PriceAt = string | { readonly numerator: string; readonly denominator: string };

/** Holds if the path, or each of several paths, finds anything. */
export type Condition = string | readonly string[];

export interface BookTable {
  /** `page`: an HTML page, read as `page.ts` describes. */
  readonly body: 'json' | 'page';
  /** The first path that finds a row is used. */
  readonly runners: readonly string[];
  /** The saddlecloth number; the first path that has a value is used. Empty: runners are joined by name. */
  readonly number: readonly string[];
  /** The codes in which the number is the saddlecloth. Default: all. */
  readonly numberedIn?: readonly string[];
  /** A runner without a number is joined by name; otherwise it is left out. */
  readonly numberOptional?: true;
  readonly name: string;
  /** Rows with the same name are one runner. */
  readonly oneByName?: true;
  /** Computed for each row, in this order; a later variable may use an earlier one. */
  readonly variables?: Readonly<Record<string, string>>;
  /** A row for which a condition holds is not a runner. */
  readonly skipped?: readonly Condition[];
  /** A runner for which a condition holds is scratched: no price counts. */
  readonly out: readonly Condition[];
  /** A runner for which a condition holds has no fixed price. */
  readonly unpriced?: readonly Condition[];
  /** If a condition holds, the market is not offered, whatever its price. */
  readonly notOffered?: Partial<Readonly<Record<AuditedMarket, readonly Condition[]>>>;
  /** For each market that the book gives; the first path that has a value is used. */
  readonly prices: Partial<Readonly<Record<AuditedMarket, readonly PriceAt[]>>>;
  /** Markets that the book gives and this reader cannot read: they are not compared. */
  readonly unread?: readonly AuditedMarket[];
}
