// Sends what callers want at one moment in one command.

/** `send`: at most `most` at a time; its results are in their order, and a failure is that of each. */
export function sentTogether<T, R>(
  send: (wants: readonly T[]) => Promise<readonly R[]>,
  most: number,
): (want: T) => Promise<R> {
  let waiting: { readonly want: T; readonly result: PromiseWithResolvers<R> }[] = [];

  const sendSome = async (some: typeof waiting): Promise<void> => {
    try {
      const results = await send(some.map(({ want }) => want));
      for (const [i, { result }] of some.entries()) result.resolve(results[i]!);
    } catch (error) {
      for (const { result } of some) result.reject(error);
    }
  };

  const flush = (): void => {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += most) void sendSome(all.slice(from, from + most));
  };

  return (want) => {
    const result = Promise.withResolvers<R>();
    if (waiting.length === 0) setImmediate(flush);
    waiting.push({ want, result });
    return result.promise;
  };
}
