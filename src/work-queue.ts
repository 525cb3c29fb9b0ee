// Runs works one after another, in the order of the calls. A failure of one stops none.
export type WorkQueue = <T>(work: () => Promise<T>) => Promise<T>;

/** Rejects as its work does. */
export function createWorkQueue(): WorkQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
