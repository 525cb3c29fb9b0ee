// A race of the simulated world that jumps half a minute late, and how tests interpret an attempt that is to be
// repeated.
import { ApplicationFailure } from '@temporalio/common';
import { MINUTE, NOON } from '../lab';

export const RACE = {
  startMs: NOON + 6 * MINUTE,
  runners: 8,
  order: [4, 2, 6, 1],
  jumpDelaySeconds: 30,
  interimAfterSeconds: 180,
};

/** When the attempt is to be repeated. */
export const nextDelay = async (work: Promise<unknown>): Promise<number> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ApplicationFailure);
  expect(error).toMatchObject({ type: 'NothingYet', category: 'BENIGN' });
  return Number((error as ApplicationFailure).nextRetryDelay);
};
