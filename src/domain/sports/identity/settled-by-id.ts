// Matches for which the prices of other books decide nothing: most of a push, so they are not read.
import type { Instant } from '../../race/race';
import type { ListedEvent, StoredEvent } from './listed-event';
import { pairOf, teamsOf } from './place-events';
import { fitOf } from './same-match';

/** A stored match without the other books' prices. */
export type Unpriced = Omit<StoredEvent, 'homeShare' | 'pricedBy'>;

/**
 * Of `stored` (every match of the pairs of `listed`, all rows of a list): those that are the only match of their pair
 * and of its only row, under the id and with a price that the book gave before. `placeEvents` places such a row by its
 * id, whatever the others price (`same-match.ts`).
 */
export function settledById<T extends Unpriced>(
  listed: readonly ListedEvent[],
  stored: readonly T[],
  observedAt: Instant,
): ReadonlySet<T> {
  const rows = Map.groupBy(listed.flatMap(rowOf), ({ pair }) => pair);
  const matches = Map.groupBy(stored, ({ sportKey, homeKey, awayKey }) => pairOf(sportKey, homeKey, awayKey));
  const settled = new Set<T>();
  for (const [pair, [row, ...others]] of rows) {
    const [one, ...rivals] = matches.get(pair) ?? [];
    if (!row || !one || others.length + rivals.length > 0 || !one.isOwn || one.ownShare === null) continue;
    const fit = fitOf(row, { ...one, homeShare: null, pricedBy: 0 }, Date.parse(observedAt));
    if (typeof fit !== 'string' && fit.because === 'id') settled.add(one);
  }
  return settled;
}

function rowOf(listed: ListedEvent) {
  const { home, away } = teamsOf(listed);
  return home && away ? [{ listed, home, away, pair: pairOf(listed.sport.key, home.key, away.key) }] : [];
}
