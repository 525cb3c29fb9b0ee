// How long a live poller goes on when the SDK has cancelled it because Temporal is silent.
import { ActivityCancellationDetails } from '@temporalio/common';
import { outliveSilence } from '../../src/activities/outlive-silence';

const TIMES = { askEveryMs: 1, answerWithinMs: 5000, takenOverWithinMs: 1 };
const GIVEN_UP = new Error('TIMED_OUT');

function attempt(answers: () => Promise<unknown>, stopping?: AbortSignal) {
  const cancelled = new AbortController();
  const context = {
    cancellationSignal: cancelled.signal,
    cancellationDetails: undefined as ActivityCancellationDetails | undefined,
  };
  const outliving = outliveSilence(context, answers, stopping, TIMES);
  const cancel = (details: Partial<ActivityCancellationDetails>): void => {
    context.cancellationDetails = new ActivityCancellationDetails(details);
    cancelled.abort(GIVEN_UP);
  };
  return { ...outliving, cancel };
}

const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));

test.each(['cancelRequested', 'notFound', 'workerShutdown', 'paused', 'reset'] as const)(
  'a cancellation for another reason counts at once: %s',
  (why) => {
    const { signal, cancel } = attempt(() => Promise.reject(new Error('silent')));
    cancel({ [why]: true });
    expect(signal.reason).toBe(GIVEN_UP);
  },
);

test('given up in a silence, it goes on until Temporal answers', async () => {
  let asked = 0;
  const { signal, isGivenUp, cancel } = attempt(async () => {
    asked += 1;
    if (asked <= 20) throw new Error('silent');
  });
  expect(isGivenUp()).toBe(false);
  const ended = aborted(signal);
  cancel({ timedOut: true, notFound: true });
  expect([isGivenUp(), signal.aborted]).toEqual([true, false]);
  expect(await ended).toBe(GIVEN_UP);
  expect(asked).toBe(21);
});

test('a process that ends takes no regard of the silence, before or in it', async () => {
  for (const before of [true, false]) {
    const stopping = new AbortController();
    const { signal, cancel, release } = attempt(() => new Promise(() => undefined), stopping.signal);
    if (before) stopping.abort();
    cancel({ timedOut: true });
    stopping.abort();
    expect(signal.reason).toMatchObject({ type: 'WorkerShutdown', category: 'BENIGN' });
    release();
  }
});

test('released, it queries no more', async () => {
  let asked = 0;
  const silent = Promise.withResolvers<void>();
  const { signal, cancel, release } = attempt(() => {
    asked += 1;
    return silent.promise;
  });
  cancel({ timedOut: true });
  release();
  silent.reject(new Error('silent'));
  await new Promise(setImmediate);
  expect([asked, signal.aborted]).toEqual([1, false]);
});
