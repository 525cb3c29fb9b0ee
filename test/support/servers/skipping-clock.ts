// The clock of the time-skipping server, kept going. Time may skip while a test sleeps or waits for a result and
// nothing runs; two faults of the server (io.temporal.internal.testservice, 1.38) then let it pass no faster than on
// the wall, and a race's day would last a day. They show on a busy machine.
//
// 1. The end of an activity or of a workflow task unlocks the clock (`updateLocks`) without waking the thread that
//    turns it. A sleep of no length wakes it and changes nothing.
// 2. The retry of an activity takes a lock that is never released if the activity is cancelled or its workflow ends in
//    that moment. If time may skip and does not for longer than any attempt of a test lasts, a lock is released.
import { setTimeout as delay } from 'node:timers/promises';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createPatience } from '../patient';

type TestService = NonNullable<TestWorkflowEnvironment['connection']['testService']>;

const WAKES_EVERY_MS = 50;
const NO_ATTEMPT_LASTS_MS = 15_000;
/** Of the locks that are left behind, one after the other. */
const RELEASES_EVERY_MS = 500;
/** Virtual time that skips runs ahead of the wall by at least this much in `WAKES_EVERY_MS`. */
const SKIP_MS = 5000;

/** Returns what ends it. `patienceMs`: how long time may stand still, on the wall, before a lock is released. */
export function keepClockGoing(env: TestWorkflowEnvironment, patienceMs = NO_ATTEMPT_LASTS_MS): () => Promise<void> {
  const service = env.connection.testService!;
  const release = service.unlockTimeSkipping.bind(service);
  const maySkip = watchLocks(service);
  let open = true;
  const going = (async () => {
    let patience = createPatience(patienceMs);
    let lastMs = await env.currentTimeMs();
    while (open) {
      await service.sleep({});
      await delay(WAKES_EVERY_MS);
      const nowMs = await env.currentTimeMs();
      const skipped = nowMs - lastMs > SKIP_MS;
      lastMs = nowMs;
      if (skipped || !maySkip()) patience = createPatience(patienceMs);
      else if (patience.isOver()) {
        await release({});
        console.warn('A lock of the skipping clock was left behind, and is released.');
        patience = createPatience(RELEASES_EVERY_MS);
      }
    }
  })();
  // The test fails by itself if the server is gone.
  const ended = going.catch(() => undefined);
  return () => {
    open = false;
    return ended;
  };
}

/** Whether a test sleeps or waits for a result: the SDK then unlocks the clock. */
function watchLocks(service: TestService): () => boolean {
  let waits = 0;
  const unlock = service.unlockTimeSkipping.bind(service);
  const lock = service.lockTimeSkipping.bind(service);
  const sleep = service.unlockTimeSkippingWithSleep.bind(service);
  Object.assign(service, {
    unlockTimeSkipping: (request: object) => {
      waits += 1;
      return unlock(request);
    },
    lockTimeSkipping: (request: object) => {
      waits -= 1;
      return lock(request);
    },
    unlockTimeSkippingWithSleep: async (request: object) => {
      waits += 1;
      try {
        return await sleep(request);
      } finally {
        waits -= 1;
      }
    },
  });
  return () => waits > 0;
}
