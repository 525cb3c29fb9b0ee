// The live tier as a Temporal activity: one long heartbeating attempt per race. On a worker's shutdown the attempt
// fails at once, so that another worker takes the race without waiting for the heartbeat timeout.
import type { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ActivityDeps } from '../deps';
import { type OutlivingSignal, outliveSilence } from '../outlive-silence';
import type { Silence } from '../silence';
import { withoutStack, workerStops } from '../wait';
import type { HealthTally } from './health-tally';
import { runLivePoller } from './live-poller';
import type { LiveLoad } from './load/live-load';
import type { PolledRace, PollerHost, PollerProgress } from './poller';
import type { PollerEnd } from './sightings';

/** Wall time: others that wait for a slot come first. */
const YIELDED_MS = 20_000;

/** One for all races of the process. */
export interface LiveShared {
  readonly tally: HealthTally;
  readonly load: LiveLoad;
  readonly silence: Silence;
}

export async function pollLive(
  deps: ActivityDeps,
  race: PolledRace,
  context: Context,
  { tally, load, silence }: LiveShared,
): Promise<PollerEnd> {
  const resume = context.info.heartbeatDetails as PollerProgress | undefined;
  const held = load.hold(race.raceId);
  const ending = outliveSilence(context, {
    over: (signal) => silence.over(race.raceId, signal),
    random: deps.random,
    stopping: deps.stopping,
  });
  // Without another worker to take the race, giving it up would gain nothing.
  const host = hostOf(context, ending, resume, () => !ending.isGivenUp() && held.mustYield(), deps.heartbeatMs);
  try {
    return await runLivePoller(deps, race, host, tally, resume, load.queue);
  } catch (error) {
    const stops = context.cancellationDetails?.workerShutdown === true;
    // The SDK sends this before the failure: the next attempt resumes from the last turn and not the last heartbeat.
    if (stops || !ending.isGivenUp()) host.report();
    throw stops ? workerStops() : error;
  } finally {
    host.stop();
    ending.release();
    held.release();
  }
}

/**
 * Parts of the time between two heartbeats, which is at most half of the timeout, so that one may be lost. From the
 * first on the loop heartbeats with its next turn: not sooner, because the SDK serialises every heartbeat, sent or not.
 * At the second a timer does, for a loop that waits: not later, because only the response to one carries a
 * cancellation. Loops of races of which nothing falls due turn on one beat of a second, so that theirs leave together:
 * one that is sent alone wakes the threads of Temporal's core.
 */
const TURN_PART = 0.85;
const LATEST_PART = 0.95;
/** Of a process without settings, and of an attempt whose workflow sets no timeout. */
const HEARTBEAT_MS = 10_000;
const HEARTBEAT_TIMEOUT_MS = 20_000;

/**
 * Wall time. An attempt whose loop waits for longer than this, such as for the database, is given up to another worker.
 */
const LONGEST_TURN_MS = 60_000;

function hostOf(
  context: Context,
  { signal, isGivenUp }: OutlivingSignal,
  resume: PollerProgress | undefined,
  mustYield: () => boolean,
  heartbeatMs = HEARTBEAT_MS,
): PollerHost & { report(): void; stop(): void } {
  let beatAtMs = Number.NEGATIVE_INFINITY;
  let turnedAtMs = performance.now();
  let latest = resume;
  const timeoutMs = context.info.heartbeatTimeoutMs ?? HEARTBEAT_TIMEOUT_MS;
  const everyMs = Math.min(heartbeatMs, timeoutMs / 2);
  const report = (): void => context.heartbeat(latest);
  const beat = (): void => {
    // Its heartbeats would only keep the next attempt waiting.
    if (isGivenUp()) return;
    beatAtMs = performance.now();
    waiting.refresh();
    report();
  };
  const waiting = setTimeout(() => {
    if (performance.now() - turnedAtMs < LONGEST_TURN_MS) beat();
  }, LATEST_PART * everyMs).unref();
  return {
    attempt: context.info.attempt,
    signal,
    heartbeat: (details) => {
      turnedAtMs = performance.now();
      latest = details;
      if (mustYield()) throw yielded();
      if (performance.now() - beatAtMs >= TURN_PART * everyMs) beat();
    },
    wait: waitsUntil(signal),
    report,
    stop: () => clearTimeout(waiting),
  };
}

/** One wait at a time, and one listener for all of them: hundreds of races wait several times a second. */
function waitsUntil(signal: AbortSignal): PollerHost['wait'] {
  let give = (): void => undefined;
  signal.addEventListener('abort', () => give(), { once: true });
  return (ms) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const timer = setTimeout(resolve, ms);
      give = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
    });
}

const yielded = (): ApplicationFailure =>
  withoutStack(
    ApplicationFailure.create({
      type: 'SlotYielded',
      message: 'this slot goes to a race that is nearer its jump',
      nextRetryDelay: YIELDED_MS,
      category: ApplicationFailureCategory.BENIGN,
    }),
  );
