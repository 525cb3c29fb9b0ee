// One reading of rows for two writers: both get each batch, and the next is read when both have taken it. If one of
// them stops, the other fails; one that ends before it has read anything stops nothing by itself.
import type { Row, RowBatches } from './columns';

type Result = IteratorResult<readonly Row[]>;

interface Waiting {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export function split(batches: RowBatches): [one: RowBatches, other: RowBatches, stop: () => Promise<unknown>] {
  const source = batches[Symbol.asyncIterator]();
  const waiting: Waiting[] = [];
  let stopped: Error | null = null;

  const next = (): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (stopped) return reject(stopped);
      waiting.push({ resolve, reject });
      if (waiting.length < 2) return;
      const both = waiting.splice(0);
      source.next().then(
        (result) => both.forEach((one) => void one.resolve(result)),
        (error) => both.forEach((one) => void one.reject(error)),
      );
    });

  const stop = async (): Promise<Result> => {
    if (!stopped) {
      stopped = new Error('the other reader of these rows has stopped');
      for (const one of waiting.splice(0)) one.reject(stopped);
      await source.return?.();
    }
    return { done: true, value: undefined };
  };

  const branch = (): RowBatches => ({ [Symbol.asyncIterator]: () => ({ next, return: stop }) });
  return [branch(), branch(), stop];
}
