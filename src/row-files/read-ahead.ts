// Reads a batch while the one before it is worked on, so that the database and this process are busy at the same time. Never more than one ahead.

export async function* readAhead<T>(batches: AsyncIterable<T>): AsyncGenerator<T> {
  const source = batches[Symbol.asyncIterator]();
  const read = (): Promise<IteratorResult<T>> => {
    const result = source.next();
    // Thrown where it is taken.
    result.catch(() => undefined);
    return result;
  };
  try {
    let ahead = read();
    for (;;) {
      const { done, value } = await ahead;
      if (done) return;
      ahead = read();
      yield value;
    }
  } finally {
    await source.return?.();
  }
}

/** Runs the work at once, or when it is its turn. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * What `make` makes of each batch. While a result waits to be taken, the next is made and the batch of the one after it is read; at most these two
 * wait. No batch waits for a reader that pauses.
 */
export async function* madeAhead<T, U>(
  batches: AsyncIterable<T>,
  make: (batch: T) => U,
  inTurn: InTurn,
): AsyncGenerator<U> {
  const source = batches[Symbol.asyncIterator]();
  const next = (): Promise<{ readonly made: U } | null> => {
    const result = inTurn(async () => {
      const { done, value } = await source.next();
      return done ? null : { made: make(value) };
    });
    // Thrown where it is taken.
    result.catch(() => undefined);
    return result;
  };
  const ahead = [next(), next()];
  try {
    for (;;) {
      const first = await ahead.shift();
      if (!first) return;
      ahead.push(next());
      yield first.made;
    }
  } finally {
    await source.return?.();
  }
}
