// How long a live poller continues after the SDK has cancelled it because Temporal is silent.
import { ActivityCancellationDetails } from '@temporalio/common';
import { outliveSilence } from '../../src/activities/outlive-silence';

const GIVEN_UP = new Error('TIMED_OUT');

function attempt(over: (signal: AbortSignal) => Promise<void>, stopping?: AbortSignal) {
  const cancelled = new AbortController();
  const context = {
    cancellationSignal: cancelled.signal,
    cancellationDetails: undefined as ActivityCancellationDetails | undefined,
  };
  const outliving = outliveSilence(context, { over, random: () => 0.5, stopping, takenOverWithinMs: 1 });
  const cancel = (details: Partial<ActivityCancellationDetails>): void => {
    context.cancellationDetails = new ActivityCancellationDetails(details);
    cancelled.abort(GIVEN_UP);
  };
  return { ...outliving, cancel };
}

const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason), { once: true }));

test.each(['cancelRequested', 'notFound', 'workerShutdown', 'paused', 'reset'] as const)(
  'a cancellation for another reason takes effect at once: %s',
  (why) => {
    const { signal, cancel } = attempt(() => new Promise(() => undefined));
    cancel({ [why]: true });
    expect(signal.reason).toBe(GIVEN_UP);
  },
);

test('given up during a silence, it continues until Temporal answers', async () => {
  const silence = Promise.withResolvers<void>();
  const { signal, isGivenUp, cancel } = attempt(() => silence.promise);
  expect(isGivenUp()).toBe(false);
  const ended = aborted(signal);
  cancel({ timedOut: true, notFound: true });
  expect([isGivenUp(), signal.aborted]).toEqual([true, false]);
  silence.resolve();
  expect(await ended).toBe(GIVEN_UP);
});

test('a process that ends ignores the silence, before and during it', async () => {
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

test('once released it waits for nothing and ends nothing', async () => {
  const silence = Promise.withResolvers<void>();
  let released: AbortSignal | undefined;
  const { signal, cancel, release } = attempt((until) => {
    released = until;
    return silence.promise;
  });
  cancel({ timedOut: true });
  release();
  expect(released!.aborted).toBe(true);
  silence.resolve();
  await new Promise(setImmediate);
  expect(signal.aborted).toBe(false);
});
