// The last filled prices, in place of those just read and not charged: which races or matches are open, and which
// runners are scratched, always comes from the new reading.
import type { LastPrices, PricedItem } from '../../../../store/widgets/last-prices';
import type { MatchesRead } from './matches';
import { type PricesRead, pricedMatches } from './prices';
import type { RacesRead } from './races';

type ReadRace = RacesRead['races'][number];
type ReadMatch = MatchesRead['matches'][number];

interface Kept<T> {
  /** Race time of its reading. */
  readonly asOfMs: number;
  readonly shown: T;
}

/** All races or matches of a reading that have a price. */
export function pricedItems(read: PricesRead, nowMs: number): readonly PricedItem[] {
  const { asOfMs } = read;
  if (read.type === 'racing')
    return read.races.filter(isPriced).map((shown) => ({ id: shown.raceId, prices: { asOfMs, shown } }));
  return pricedMatches(read, nowMs).map((shown) => ({ id: shown.eventId, prices: { asOfMs, shown } }));
}

/** Null: none of them was filled before. `filledAt`: the oldest's. */
export function lastPrices(
  read: PricesRead,
  last: readonly LastPrices[],
): { readonly prices: PricesRead; readonly filledAt: string } | null {
  if (last.length === 0) return null;
  const filledAt = last.reduce((oldest, one) => (one.filledAt < oldest ? one.filledAt : oldest), last[0]!.filledAt);
  return { prices: read.type === 'racing' ? lastRaces(read, last) : lastMatches(read, last), filledAt };
}

function lastRaces(read: RacesRead, last: readonly LastPrices[]): RacesRead {
  const kept = keptById<ReadRace>(last);
  const races = read.races.flatMap((race) => {
    const before = kept.get(race.raceId);
    if (!before) return isPriced(race) ? [] : [race];
    const out = new Set(race.runners.filter(({ scratched }) => scratched).map(({ number }) => number));
    const runners = before.shown.runners.map((one) =>
      out.has(one.number) ? { ...one, scratched: true, win: null, place: null } : one,
    );
    return [{ ...race, runners }];
  });
  return { ...read, asOfMs: oldestOf(kept), races };
}

function lastMatches(read: MatchesRead, last: readonly LastPrices[]): MatchesRead {
  const kept = keptById<ReadMatch>(last);
  const matches = read.matches.flatMap((match) => {
    const before = kept.get(match.eventId);
    if (before) return [{ ...match, selections: before.shown.selections }];
    return match.selections.some(({ best }) => best !== null) ? [] : [match];
  });
  return { ...read, asOfMs: oldestOf(kept), matches };
}

const keptById = <T>(last: readonly LastPrices[]): ReadonlyMap<string, Kept<T>> =>
  new Map(last.map(({ id, prices }) => [id, prices as Kept<T>]));

const oldestOf = (kept: ReadonlyMap<string, Kept<unknown>>): number =>
  [...kept.values()].reduce((oldest, { asOfMs }) => Math.min(oldest, asOfMs), Number.POSITIVE_INFINITY);

const isPriced = ({ runners }: ReadRace): boolean => runners.some(({ win, place }) => win !== null || place !== null);
