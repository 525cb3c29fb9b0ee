// The key of placings: two reports with the same key have the same placings, whatever the order of their rows.

interface Placed {
  readonly position: number;
  readonly number: number;
}

/**
 * Books that list the whole field and books that list four places must agree, otherwise a result would never be stable.
 */
export const PLACES_THAT_COUNT = 4;

/**
 * `1:5|2:3|3:4,9` for the first four positions, best first; runners in a dead heat share a position and are sorted by
 * number. Empty string when nothing is placed. Changes exactly when the placings do (A 3: placings stable for 30
 * minutes).
 */
export function placingsKey(placings: readonly Placed[]): string {
  const byPosition = new Map<number, Set<number>>();
  for (const { position, number } of placings) {
    if (position < 1 || position > PLACES_THAT_COUNT) continue;
    byPosition.set(position, (byPosition.get(position) ?? new Set()).add(number));
  }
  return [...byPosition.entries()]
    .sort(([a], [b]) => a - b)
    .map(([position, numbers]) => `${position}:${[...numbers].sort((a, b) => a - b).join(',')}`)
    .join('|');
}

/** The first four positions from a key, best first. */
export function placingsOf(key: string): readonly Placed[] {
  return key
    .split('|')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [position, numbers] = part.split(':');
      return numbers!.split(',').map((number) => ({ position: Number(position), number: Number(number) }));
    });
}
