// Changes to an order over the line, each of which leaves a ranking: positions count those ahead, level runners share one, margins are
// lengths behind the winner. Pure.
import type { Placing } from '../race';

/** The best two neighbours that are not level change places; positions and margins stay where they were. */
export function firstPairSwapped(placings: readonly Placing[]): Placing[] {
  const second = placings.findIndex((placing, i) => i > 0 && placing.position !== placings[i - 1]!.position);
  if (second < 0) return [...placings];
  const [ahead, behind] = [placings[second - 1]!, placings[second]!];
  return placings.map((placing, i) => {
    if (i === second - 1) return { ...placing, number: behind.number };
    return i === second ? { ...placing, number: ahead.number } : placing;
  });
}

/** The second is level with the winner, and nobody else is. */
export function levelAtFirst(placings: readonly Placing[]): Placing[] {
  return placings.map((placing, i) =>
    i < 2 ? { ...placing, position: 1, margin: 0 } : { ...placing, position: Math.max(3, placing.position) },
  );
}

/** The order that is left without these numbers. */
export function without(placings: readonly Placing[], numbers: readonly number[]): Placing[] {
  const left = placings.filter((placing) => !numbers.includes(placing.number));
  const winningMargin = left[0]?.margin ?? 0;
  return left.map(({ number, position, margin }) => ({
    number,
    position: 1 + left.filter((other) => other.position < position).length,
    margin: Math.round((margin - winningMargin) * 10) / 10,
  }));
}
