// Many small questions to the database, asked together: what comes while a batch is under way goes with the next one. A quiet service
// waits for nobody, a busy one needs fewer round trips and fewer commits.
import DataLoader from 'dataloader';

export interface Batching {
  /** Batches under way at once. */
  readonly lanes: number;
  readonly most: number;
  /** How long the first of a batch waits for others, wall. 0: not at all. */
  readonly waitMs?: number;
}

/** `ask` answers each question in its place; it rejects for all or answers each, an `Error` for one that failed. */
export function inBatches<Q, A>(
  ask: (questions: readonly Q[]) => Promise<readonly (A | Error)[]>,
  { lanes, most, waitMs = 0 }: Batching,
): (question: Q) => Promise<A> {
  let underWay = 0;
  /** A batch that is full is followed by another before it was dispatched. */
  const ready: (() => void)[] = [];
  const next = (): void => {
    if (underWay < lanes) ready.shift()?.();
  };
  const loader = new DataLoader<Q, A>(
    async (questions) => {
      underWay += 1;
      try {
        return await ask(questions);
      } finally {
        underWay -= 1;
        next();
      }
    },
    {
      cache: false,
      maxBatchSize: most,
      batchScheduleFn: (dispatch) => {
        ready.push(dispatch);
        if (waitMs > 0) setTimeout(next, waitMs);
        else setImmediate(next);
      },
    },
  );
  return (question) => loader.load(question);
}
