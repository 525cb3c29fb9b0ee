// The life of a worker process: waits for its servers, serves its queues, drains. Whatever ends it, everything is
// closed, and a failure is one sentence. Never retries anything itself once it serves, because Temporal does that.
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { createActivities } from '../activities';
import type { Config, WorkerRole } from '../config';
import type { Log } from '../log';
import { refuseDatabase } from '../process/judge-database';
import { watchReadiness } from '../process/readiness';
import { type Patience, reasonOf, untilReady } from '../process/until-ready';
import { follow } from '../store/events/follow-prices';
import { askDatabase } from '../store/pg/answering';
import { createSchemaCheck } from '../store/pg/schema';
import { isSuperuser } from '../store/pg/server-facts';
import { createScheduleRuns, observeScheduleRuns, type ScheduleRuns } from '../store/schedule-runs';
import { openTemporal } from '../temporal-client';
import { activityDeps } from '../wiring/collecting';
import { createWiring } from '../wiring/service';
import { askNamespace, checkNamespace } from './check-namespace';
import { createWorkers } from './create-workers';
import { deliverWebhooks } from './deliver-webhooks';
import { serveHealth, type WorkerState } from './health';
import { readPromotion, whilePromoted } from './promotion';
import { runTogether } from './run-together';
import { ensureSchedules, runFirstReadings } from './schedules/ensure';
import { reportUnserved, watchQueues } from './unserved-queues';

export interface WorkerProcess {
  readonly config: Config;
  readonly log: Log;
  /** Aborted: drain and end. */
  readonly stop: AbortSignal;
  /** Where Temporal's SDK serves its metrics; null: nowhere. */
  readonly sdkMetrics: string | null;
  readonly schedules?: typeof ensureSchedules;
}

/**
 * Wall time. The lists of books and the first polls of a new installation need its processor and its database alone.
 */
const FIRST_READINGS_AFTER_MS = 20_000;

/** Wall time. A connection that does not close is left to the end of the process. */
const CLOSE_WITHIN_MS = 3000;

/**
 * Resolves when it was stopped and has drained, also before it served anything. Rejects with the reason when it could
 * not start or failed.
 */
export async function runWorkerProcess(process: WorkerProcess): Promise<void> {
  const closing: (() => unknown)[] = [];
  try {
    await serve(process, closing);
  } catch (error) {
    if (!process.stop.aborted || error !== process.stop.reason) throw error;
  } finally {
    await closeAll(closing, process.log);
  }
}

async function serve(process: WorkerProcess, closing: (() => unknown)[]): Promise<void> {
  const { config, log, stop } = process;
  const { roles, slots, heartbeatMs, build } = config.worker;
  const { namespace, connection: target } = config.temporal;
  const { state, health, wiring, asking, connection } = await openServers(process, closing);
  const { client, close } = openTemporal(config);
  closing.push(close);
  const failing = new AbortController();
  const ending = AbortSignal.any([stop, failing.signal]);
  const deps = { ...activityDeps(wiring, client), stopping: ending };
  const activities = createActivities(deps);
  const scheduleRuns = createScheduleRuns(wiring.pool);
  observeScheduleRuns(wiring.pool);
  const succeeded = (scheduleId: string) =>
    scheduleRuns
      .succeeded(scheduleId)
      .catch((err) => log.warn({ err, scheduleId }, 'a success could not be noted: the next run notes it'));
  const workers = await createWorkers({
    connection,
    namespace,
    roles,
    slots,
    activities,
    build,
    succeeded,
    heartbeatMs,
  });
  state.workers = workers;
  const running = runTogether(workers, ending);
  const instant = () => new Date(wiring.now()).toISOString();
  const followPrices = (entitledPlans: readonly string[]) => follow({ pool: wiring.pool, now: instant, entitledPlans });
  const read = () => {
    const giveUp = AbortSignal.any([ending, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
    return asking.withAbortSignal(giveUp, () => readPromotion(asking));
  };
  const ofBuild = (role: WorkerRole, work: (until: AbortSignal) => Promise<void>) =>
    roles.includes(role)
      ? whilePromoted({ build, read, everyMs: PROMOTION_EVERY_MS, stop: ending }, work)
      : Promise.resolve();
  const delivering = ofBuild('webhooks', (until) =>
    deliverWebhooks({ deps, followPrices, slots: slots.webhooks, log, stop: until }),
  );
  const scheduling = ofBuild('io', (until) => keepSchedules({ ...process, stop: until }, asking, scheduleRuns));
  for (const work of [scheduling, delivering]) work.catch((error) => failing.abort(error));
  log.info({ roles, build, address: target.address, namespace, health: health.url }, 'worker ready');
  void reportUnserved(asking, roles, log);
  closing.push(watchQueues(asking, QUEUES_EVERY_MS));
  try {
    await running;
  } finally {
    failing.abort();
    await delivering;
  }
  if (!stop.aborted) await scheduling;
  log.info('worker stopped');
}

/** Serves its health while it waits for them. */
async function openServers(process: WorkerProcess, closing: (() => unknown)[]) {
  const { config, log, sdkMetrics } = process;
  const { healthHost: host, healthPort: port } = config.worker;
  const state: WorkerState = { workers: null, readiness: null };
  const health = await serveHealth({ host, port, setting: 'WORKER_HEALTH_PORT', log }, state, sdkMetrics);
  closing.push(() => health.close());
  log.info({ health: health.url }, 'starting');

  const patience = patienceOf(process);
  const { namespace, connection: target } = config.temporal;
  const wiring = createWiring(config, log);
  closing.push(() => wiring.close());
  // A call that waits for its retry would outlive its connection.
  const { client: asking, connection: questions, close: endQuestions } = openTemporal(config, 'once');
  closing.push(endQuestions);
  const readiness = watchReadiness(
    [
      { name: 'database', ask: (withinMs) => askDatabase(wiring.pool, withinMs) },
      { name: 'temporal', ask: (withinMs) => askNamespace(questions, namespace, withinMs) },
    ],
    reasonOf,
  );
  state.readiness = readiness;
  closing.push(() => readiness.close());

  await untilReady('the database', () => askDatabase(wiring.pool, ANSWER_WITHIN_MS), patience);
  const hasSchema = createSchemaCheck(wiring.pool);
  await untilReady('the schema', () => hasSchema(ANSWER_WITHIN_MS), patience);
  await refuseDatabase({ ...config, ...wiring, isSuperuser: () => isSuperuser(wiring.pool) }, patience);
  const temporal = `Temporal at ${target.address}`;
  await untilReady(temporal, () => checkNamespace(questions, namespace), patience);
  const connection = await untilReady(temporal, () => NativeConnection.connect(target), patience);
  closing.push(() => connection.close());
  return { state, health, wiring, asking, connection };
}

async function keepSchedules(process: WorkerProcess, asking: Client, scheduleRuns: ScheduleRuns): Promise<void> {
  const { config, stop, schedules = ensureSchedules } = process;
  const streams = config.feeds.betfair_ex_au?.settings?.stream !== undefined;
  const ensure = async () => {
    const made = await asking.withAbortSignal(stop, () =>
      schedules(asking, config.clock, streams, config.sportsFeed !== null),
    );
    await scheduleRuns.expect(made);
  };
  await untilReady(SCHEDULES, ensure, patienceOf(process));
  await delay(FIRST_READINGS_AFTER_MS, undefined, { signal: stop });
  const first = () => asking.withAbortSignal(stop, () => runFirstReadings(asking));
  await untilReady(SCHEDULES, first, patienceOf(process));
}

const patienceOf = ({ config, log, stop }: WorkerProcess): Patience => ({ log, stop, withinMs: config.startWithinMs });

const SCHEDULES = "Temporal's schedules";

/** Wall. */
const QUEUES_EVERY_MS = 20_000;
const PROMOTION_EVERY_MS = 5000;

/** Wall. */
const ANSWER_WITHIN_MS = 10_000;

/** The last opened is closed first. */
async function closeAll(closing: readonly (() => unknown)[], log: Log): Promise<void> {
  for (const close of closing.toReversed()) {
    const closed = Promise.resolve()
      .then(close)
      .catch((err) => log.debug({ err }, 'not closed'));
    await Promise.race([closed, delay(CLOSE_WITHIN_MS, undefined, { ref: false })]);
  }
}
