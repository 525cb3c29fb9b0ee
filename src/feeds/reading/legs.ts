// Passes one runner's raw prices through the domain's rule (D22) and counts the drops.
// A scratched runner keeps its last odds at several books: it is never priced (A 2.4 rule 1), and its odds are not
// counted as drops.
import { asPrice, cleanLegs, type Legs } from '../../domain/prices/price';
import type { Drops } from './drops';

const NO_LEGS: Legs = Object.freeze({ win: null, place: null, top2: null, top3: null, top4: null });

export function winAndPlace(win: unknown, place: unknown, scratched: boolean, drops: Drops): Legs {
  return allLegs({ win, place, top2: null, top3: null, top4: null }, scratched, drops);
}

/** For books that also quote legs of a same-race multi. */
export function allLegs(raw: { readonly [K in keyof Legs]: unknown }, scratched: boolean, drops: Drops): Legs {
  if (scratched) return NO_LEGS;
  const { prices, dropped } = cleanLegs(raw);
  for (const reason of dropped) drops.add(reason);
  return prices;
}

/** The win pool's current estimate, product PROV (A 2.4 rule 3). 0 means that it has no money yet. */
export function indicative(poolWin: unknown): { readonly PROV: number } | null {
  const price = asPrice(poolWin);
  return price === null ? null : { PROV: price };
}
