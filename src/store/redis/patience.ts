// A time limit that a busy process cannot miss: a reply waiting in the socket is read before the limit is judged. A
// plain timer differs: after a stall of the event loop its callback runs before the sockets are read, so every reply of
// that moment counts as late.

/** The number of parts in a limit: a stall uses up one of them, however long it is. */
const PARTS = 8;

/** Calls `late` after `ms` in which the event loop took turns. Returns its cancel. */
export function afterTurns(ms: number, late: () => void): () => void {
  let left = PARTS;
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;
  const wait = (): void => {
    // Sockets are read between a timer and an immediate of the same turn.
    timer = setTimeout(() => {
      turn = setImmediate(() => (--left > 0 ? wait() : late()));
    }, ms / PARTS);
  };
  wait();
  return () => {
    clearTimeout(timer);
    clearImmediate(turn);
  };
}
