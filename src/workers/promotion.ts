// A worker's work outside any queue, its Schedules and the first attempts of webhooks, belongs to the build to which
// all work goes, like workflows and activities (decision 0015).
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { DEPLOYMENT } from '../workflows/contract';

export interface Promotion {
  /** Null: all work goes to workers without a build. */
  readonly build: string | null;
  /** When that began; null for a build that was never changed. */
  readonly since: string | null;
}

const NOT_FOUND = 5;
const NEVER: Promotion = { build: null, since: null };

/** As on the server. Rejects if it does not answer. */
export async function readPromotion(client: Client): Promise<Promotion> {
  const question = { namespace: client.options.namespace, deploymentName: DEPLOYMENT };
  const reply = await client.workflowService.describeWorkerDeployment(question).catch((error) => {
    if (error.code === NOT_FOUND) return null;
    throw error;
  });
  const routing = reply?.workerDeploymentInfo?.routingConfig;
  if (!routing) return NEVER;
  const { currentDeploymentVersion: current, currentVersionChangedTime: changed } = routing;
  return { build: current?.buildId || null, since: changed ? `${changed.seconds}.${changed.nanos}` : null };
}

export interface OwnBuild {
  /** Null: this process has none. */
  readonly build: string | null;
  /** Rejects soon after `stop`, and if Temporal does not answer. */
  readonly read: () => Promise<Promotion>;
  /** Wall time, between two readings. Ended work continues for as long, so that nothing waits between two builds. */
  readonly everyMs: number;
  readonly stop: AbortSignal;
}

/**
 * Runs the work once for each time that the own build is promoted, until its signal, which is aborted when another
 * build is. Never twice at the same time. While Temporal does not answer its last answer counts; before the first, a
 * process without a build has the work. Resolves when it was stopped and the work has ended; rejects if that fails.
 */
export async function whilePromoted(own: OwnBuild, work: (until: AbortSignal) => Promise<void>): Promise<void> {
  const failing = new AbortController();
  const ending = AbortSignal.any([own.stop, failing.signal]);
  const pause = () => delay(own.everyMs, undefined, { signal: ending }).catch(() => undefined);
  let known: Promotion | null = null;
  const start = () => begin(work, ending, failing);
  let running: Run | null = own.build === null ? start() : null;
  const isAsBefore = (now: Promotion): boolean =>
    known ? now.build === known.build && now.since === known.since : (now.build === own.build) === (running !== null);
  while (!ending.aborted) {
    const now = await own.read().catch(() => known);
    if (now && !isAsBefore(now)) {
      if (running && now.build !== own.build) await pause();
      await running?.end();
      running = now.build === own.build && !ending.aborted ? start() : null;
    }
    known = now;
    await pause();
  }
  await running?.end();
  if (failing.signal.aborted) throw failing.signal.reason;
}

interface Run {
  /** Resolves when the work has ended. */
  end(): Promise<void>;
}

function begin(work: (until: AbortSignal) => Promise<void>, ending: AbortSignal, failing: AbortController): Run {
  const over = new AbortController();
  const until = AbortSignal.any([ending, over.signal]);
  const done = work(until).catch((error) => {
    if (!until.aborted) failing.abort(error);
  });
  return {
    end: () => {
      over.abort();
      return done;
    },
  };
}
