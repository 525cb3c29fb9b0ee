// Who the captured prices of a race belong to. A series belongs to its card runner unless that is unproven: it is then
// separate, under the name that the book gave.
import { visibleToCustomers } from '../bookmakers';
import { isVacantBox } from '../race/runner';
import type { CardRunner, StoredRace, StoredSeries } from './stored-race';

export interface ArchivedRunner {
  /** From 1, by number and key. */
  readonly runner: number;
  readonly number: number;
  readonly runnerKey: string;
  /** As on the card; null: it is not on it. */
  readonly card: CardRunner | null;
  /** By the names at books that customers may see: no other book changes what a customer reads (D42). */
  readonly nameFragmentSuspect: boolean;
}

type Named = Omit<ArchivedRunner, 'runner'>;

type Identified = Pick<StoredSeries, 'bookmaker' | 'number' | 'runnerKey' | 'current'>;

/** The runners of all series, and the runner of each, aligned to `series`. */
export function archivedRunners({
  card,
  series,
}: Pick<StoredRace, 'card'> & { readonly series: readonly Identified[] }): {
  readonly runners: readonly ArchivedRunner[];
  readonly of: readonly ArchivedRunner[];
} {
  const named = series.map((one) => runnerOf(one, card));
  const suspect = new Set(
    named.flatMap((one, i) =>
      one.nameFragmentSuspect && visibleToCustomers(series[i]!.bookmaker) ? [identityOf(one)] : [],
    ),
  );
  const byIdentity = new Map(
    named.map((one) => [identityOf(one), { ...one, nameFragmentSuspect: suspect.has(identityOf(one)) }]),
  );
  const sorted = [...byIdentity.values()].sort((a, b) => a.number - b.number || compare(a.runnerKey, b.runnerKey));
  const runners = sorted.map((one, i): ArchivedRunner => ({ runner: i + 1, ...one }));
  const found = new Map(runners.map((one) => [identityOf(one), one]));
  return { runners, of: named.map((one) => found.get(identityOf(one))!) };
}

const identityOf = ({ number, runnerKey }: Named): string => `${number} ${runnerKey}`;
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function runnerOf({ number, runnerKey, current }: Identified, card: readonly CardRunner[]): Named {
  const listed = card.find((one) => one.number === number);
  if (listed?.runnerKey === runnerKey) return { number, runnerKey, card: listed, nameFragmentSuspect: false };
  const apart = { number, runnerKey, card: null };
  if (!current || listed === undefined) return { ...apart, nameFragmentSuspect: false };
  if (isFragment(runnerKey, number, card)) return { ...apart, nameFragmentSuspect: true };
  return { number, runnerKey: listed.runnerKey, card: listed, nameFragmentSuspect: false };
}

/**
 * Whether a name that differs from the card's under its number is part of the name of another runner of the race, or
 * that name part of it: a truncated name may then belong to either.
 */
function isFragment(runnerKey: string, number: number, card: readonly CardRunner[]): boolean {
  if (isVacantBox(runnerKey)) return false;
  return card.some(
    (other) =>
      other.number !== number &&
      !isVacantBox(other.name) &&
      (other.runnerKey.includes(runnerKey) || runnerKey.includes(other.runnerKey)),
  );
}
