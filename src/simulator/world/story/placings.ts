// Changes to a finishing order that keep it a ranking: a position is one more than the number of runners ahead, level
// runners share one, and margins are lengths behind the winner. Pure.
import type { Placing } from '../race';

/** The first two neighbours that are not level swap; positions and margins stay in place. */
export function firstPairSwapped(placings: readonly Placing[]): Placing[] {
  const second = placings.findIndex((placing, i) => i > 0 && placing.position !== placings[i - 1]!.position);
  if (second < 0) return [...placings];
  const ahead = placings[second - 1]!;
  const behind = placings[second]!;
  return placings.map((placing, i) => {
    if (i === second - 1) return { ...placing, number: behind.number };
    return i === second ? { ...placing, number: ahead.number } : placing;
  });
}

/** Makes only the second level with the winner. */
export function levelAtFirst(placings: readonly Placing[]): Placing[] {
  return placings.map((placing, i) =>
    i < 2 ? { ...placing, position: 1, margin: 0 } : { ...placing, position: Math.max(3, placing.position) },
  );
}

/** The order without these numbers. */
export function without(placings: readonly Placing[], numbers: readonly number[]): Placing[] {
  const left = placings.filter((placing) => !numbers.includes(placing.number));
  const winningMargin = left[0]?.margin ?? 0;
  return left.map(({ number, position, margin }) => ({
    number,
    position: 1 + left.filter((other) => other.position < position).length,
    margin: Math.round((margin - winningMargin) * 10) / 10,
  }));
}
