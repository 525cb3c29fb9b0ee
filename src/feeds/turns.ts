// Calls to one host, one after the other with a pause between them, whoever makes them. For registries that want few and slow readers.

/** Runs `work` when the work before it has ended and the pause after it has passed; the first one at once. Fails as its work fails. */
export function createTurns(pause: () => Promise<unknown>): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> | null = null;
  return (work) => {
    const turn = last === null ? work() : last.then(pause).then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
