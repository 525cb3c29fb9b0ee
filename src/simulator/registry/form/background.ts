// Work of many short steps beside the books, which answer on the same thread: after each step three quarters of the
// time are theirs.

/** A pause is so many times as long as the step before it took. */
const PAUSES = 3;
const SHORTEST_MS = 40;

/** Takes `step` after `step` until one returns false. */
export function inBackground(step: () => boolean): void {
  const beganMs = performance.now();
  if (!step()) return;
  const pauseMs = Math.max(SHORTEST_MS, PAUSES * (performance.now() - beganMs));
  setTimeout(() => inBackground(step), pauseMs).unref();
}
