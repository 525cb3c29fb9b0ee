// The live tier as a Temporal activity: one long heartbeating attempt per race. On a worker's shutdown the attempt fails at once, so that
// another worker takes the race without waiting for the heartbeat timeout.
import type { Context } from '@temporalio/activity';
import type { ActivityDeps } from '../deps';
import { waitInActivity, workerStops } from '../wait';
import type { HealthTally } from './health-tally';
import { runLivePoller } from './live-poller';
import type { PolledRace, PollerHost, PollerProgress } from './poller';
import type { PollerEnd } from './sightings';

/** `tally`: one for all races of the process. */
export async function pollLive(
  deps: ActivityDeps,
  race: PolledRace,
  context: Context,
  tally: HealthTally,
): Promise<PollerEnd> {
  const resume = context.info.heartbeatDetails as PollerProgress | undefined;
  try {
    return await runLivePoller(deps, race, hostOf(context), tally, resume);
  } catch (error) {
    if (!context.cancellationDetails?.workerShutdown) throw error;
    throw workerStops();
  }
}

/** Wall. The SDK serialises every heartbeat before it throttles them. */
const HEARTBEAT_EVERY_MS = 1000;

function hostOf(context: Context): PollerHost {
  let beatAtMs = Number.NEGATIVE_INFINITY;
  return {
    attempt: context.info.attempt,
    signal: context.cancellationSignal,
    heartbeat: (details) => {
      if (performance.now() - beatAtMs < HEARTBEAT_EVERY_MS) return;
      beatAtMs = performance.now();
      context.heartbeat(details);
    },
    wait: (ms) => waitInActivity(context, ms),
  };
}
