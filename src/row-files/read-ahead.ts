// Reads a batch while the previous one is processed, so that the database and this process are busy at the same time.
// Never more than one ahead.

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
