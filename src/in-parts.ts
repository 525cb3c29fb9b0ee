// Long work that one client waits for: calls have their turn between its parts.
import { setImmediate as turn } from 'node:timers/promises';

/** What other calls wait for at most, unless one step takes longer. */
const PART_MS = 2;

/** What `work` returns. A part may end wherever it yields. `elapsedMs`: monotonic. */
export async function inParts<T>(
  work: Generator<void, T>,
  elapsedMs: () => number = () => performance.now(),
): Promise<T> {
  let beganMs = elapsedMs();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (elapsedMs() - beganMs < PART_MS) continue;
    await turn();
    beganMs = elapsedMs();
  }
}

/** The same without turns for others: for work that is short. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
