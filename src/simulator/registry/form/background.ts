// Runs work in many short steps beside the books, which reply on the same thread: the books get three quarters of the
// time.

/** A pause lasts this many times as long as the previous step. */
const PAUSES = 3;
const SHORTEST_MS = 40;

/** Runs `step` repeatedly until it returns false. */
export function inBackground(step: () => boolean): void {
  const beganMs = performance.now();
  if (!step()) return;
  const pauseMs = Math.max(SHORTEST_MS, PAUSES * (performance.now() - beganMs));
  setTimeout(() => inBackground(step), pauseMs).unref();
}
