// Which requests share a batch and how long each waits: under any arrivals, lanes and replies.
import fc from 'fast-check';
import { inBatches } from '../../../src/store/pg/in-batches';
import { runs } from '../../support/property';

const WAIT_MS = 50;
const MOST = 5;

interface Request {
  readonly id: number;
  readonly urgent: boolean;
}

const arrivals = fc.array(
  fc.record({ afterMs: fc.integer({ min: 0, max: 60 }), urgent: fc.boolean(), fails: fc.boolean() }),
  { minLength: 1, maxLength: 40 },
);

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Resolves after the immediates that are due, without any time. */
const turn = () => jest.advanceTimersByTimeAsync(0);

test('an urgent request waits for nothing but a lane, a patient one no longer than its time, and each gets its own answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      arrivals,
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 0, max: 40 }),
      async (plan, lanes, runMs) => {
        const waiting = new Map<Request, number>();
        let running = 0;
        const fails = new Set<number>();
        const load = inBatches(
          async (requests: readonly Request[]) => {
            running += 1;
            expect(running).toBeLessThanOrEqual(lanes);
            expect(requests.length).toBeLessThanOrEqual(MOST);
            for (const request of requests) waiting.delete(request);
            await new Promise((resolve) => setTimeout(resolve, runMs));
            running -= 1;
            if (requests.some(({ id }) => fails.has(id))) throw new Error('this batch failed');
            return requests.map(({ id }) => id);
          },
          { lanes, most: MOST, waitMs: WAIT_MS, isUrgent: ({ urgent }: Request) => urgent },
        );
        const check = (): void => {
          if (running === lanes) return;
          for (const [{ urgent }, sinceMs] of waiting) {
            expect(urgent).toBe(false);
            expect(performance.now() - sinceMs).toBeLessThan(WAIT_MS);
          }
        };
        const answers: Promise<unknown>[] = [];
        for (const [id, { afterMs, urgent, fails: own }] of plan.entries()) {
          for (let ms = 0; ms < afterMs; ms++) {
            await jest.advanceTimersByTimeAsync(1);
            await turn();
            check();
          }
          if (own) fails.add(id);
          const request = { id, urgent };
          waiting.set(request, performance.now());
          answers.push(load(request).catch((error: Error) => error.message));
          await turn();
          check();
        }
        await jest.advanceTimersByTimeAsync(plan.length * (runMs + WAIT_MS) + WAIT_MS);
        expect(waiting.size).toBe(0);
        for (const [id, answer] of (await Promise.all(answers)).entries())
          expect(fails.has(id) ? 'this batch failed' : answer).toBe(
            fails.has(id) ? answer : answer === id ? id : 'this batch failed',
          );
      },
    ),
    { numRuns: runs(60) },
  );
});

test('patient requests of one moment are one batch, and those that wait go with an urgent one', async () => {
  const batches: number[][] = [];
  const run = async (requests: readonly Request[]) => {
    batches.push(requests.map(({ id }) => id));
    return requests.map(({ id }) => id);
  };
  const options = { lanes: 2, most: MOST, waitMs: WAIT_MS, isUrgent: ({ urgent }: Request) => urgent };
  const load = inBatches(run, options);
  for (let id = 0; id < 3; id++) {
    void load({ id, urgent: false });
    await jest.advanceTimersByTimeAsync(10);
  }
  void load({ id: 3, urgent: true });
  await turn();
  expect(batches).toEqual([[0, 1, 2, 3]]);
  // A batch that ended does not send the next one early.
  void load({ id: 4, urgent: false });
  await jest.advanceTimersByTimeAsync(40);
  void load({ id: 5, urgent: false });
  await jest.advanceTimersByTimeAsync(10);
  expect(batches).toEqual([
    [0, 1, 2, 3],
    [4, 5],
  ]);
});

test('what goes first waits for a lane only, in its own order, and no lane stays empty', async () => {
  const started: number[] = [];
  const load = inBatches(
    async ([id]: readonly number[]) => {
      started.push(id!);
      await new Promise((resolve) => setTimeout(resolve, 10));
      return [id!];
    },
    { lanes: 2, most: 1, goesFirst: (id: number) => id < 10 },
  );
  const answers = [20, 21, 22, 23, 24, 25].map(load);
  await jest.advanceTimersByTimeAsync(5);
  answers.push(load(1), load(26), load(2));
  await jest.advanceTimersByTimeAsync(60);
  expect(started).toEqual([20, 21, 1, 2, 22, 23, 24, 25, 26]);

  // Both lanes end at the moment at which it is not due yet.
  setTimeout(() => answers.push(load(3)), 10);
  answers.push(...[27, 28, 29, 30].map(load));
  await turn();
  await jest.advanceTimersByTimeAsync(10);
  await turn();
  expect(started.slice(9)).toHaveLength(4);
  await jest.advanceTimersByTimeAsync(30);
  expect(await Promise.all(answers)).toHaveLength(14);
});
