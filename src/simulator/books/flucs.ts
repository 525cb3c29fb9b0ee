// The flucs of each runner at a book: prices read at fixed marks before the start, without equal neighbours. Books show
// a short list of them, which is never a full change log.
import type { Race } from '../world/race';
import { firstStartMs } from '../world/story/race-times';
import type { PriceList } from './prices';
import type { BookProfile } from './profiles';
import { closesAtMs, opensAtMs, pricesAt } from './view';

export interface Fluc {
  readonly atMs: number;
  readonly price: number;
}

const MARK_MINUTES = [1440, 720, 360, 180, 90, 60, 40, 25, 15, 10, 6, 4, 2, 1, 0];

/** Price lists at the marks passed by `nowMs`, oldest first; empty before the book opened. */
export function markedPrices(race: Race, book: BookProfile, nowMs: number): PriceList[] {
  const opened = opensAtMs(race, book) + 10 * 60_000;
  const last = Math.min(nowMs, closesAtMs(race, book));
  if (last < opened) return [];
  const marks = MARK_MINUTES.map((minutes) => firstStartMs(race) - minutes * 60_000).filter(
    (at) => at > opened && at <= last,
  );
  return [opened, ...marks].map((at) => pricesAt(race, book, at));
}

/** The moves of one runner, oldest first. */
export function flucsOf(marked: readonly PriceList[], runner: number): Fluc[] {
  const flucs: Fluc[] = [];
  for (const { atMs, win } of marked) {
    const price = win[runner]!;
    if (price > 0 && price !== flucs.at(-1)?.price) flucs.push({ atMs, price });
  }
  return flucs;
}
