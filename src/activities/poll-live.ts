// The live tier as a Temporal activity: one long heartbeating attempt per race. An attempt that a shutdown ends fails at once, so
// that another worker takes the race without waiting for a heartbeat to time out.
import type { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ActivityDeps } from './deps';
import { createHealthTally } from './health-tally';
import { runLivePoller } from './live-poller';
import type { PolledRace, PollerHost, PollerProgress, PollOutcome } from './poller';

const HAND_OVER_MS = 250;

export async function pollLive(deps: ActivityDeps, race: PolledRace, context: Context): Promise<PollOutcome> {
  const { raceId } = race;
  const tally = createHealthTally(deps.stores.health, (err) => deps.log.warn({ err, raceId }, 'health not written'));
  const resume = context.info.heartbeatDetails as PollerProgress | undefined;
  try {
    return await runLivePoller(deps, race, hostOf(context), tally, resume);
  } catch (error) {
    if (!context.cancellationDetails?.workerShutdown) throw error;
    throw ApplicationFailure.create({
      type: 'WorkerShutdown',
      message: 'this worker stops; another takes the race',
      nextRetryDelay: HAND_OVER_MS,
      category: ApplicationFailureCategory.BENIGN,
    });
  }
}

const hostOf = (context: Context): PollerHost => ({
  attempt: context.info.attempt,
  signal: context.cancellationSignal,
  heartbeat: (details) => context.heartbeat(details),
  wait: (ms) => context.sleep(ms),
});
