// Work on a list that one client waits for: calls have their turn between its parts.
import { setImmediate as turn } from 'node:timers/promises';

/** What other calls wait for at most, unless one item takes longer. */
const PART_MS = 2;

/** As `items.map(map)`. `elapsedMs`: monotonic. */
export async function mappedInParts<T, R>(
  items: Iterable<T>,
  map: (item: T) => R,
  elapsedMs: () => number = () => performance.now(),
): Promise<R[]> {
  const mapped: R[] = [];
  let beganMs = elapsedMs();
  for (const item of items) {
    mapped.push(map(item));
    if (elapsedMs() - beganMs < PART_MS) continue;
    await turn();
    beganMs = elapsedMs();
  }
  return mapped;
}
