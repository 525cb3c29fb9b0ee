// The builds of the workers that Temporal routes work to (decision 0015). Read and changed on the server: nothing of it
// is stored here.
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { readQueues } from '../../temporal-queues';
import { DEPLOYMENT } from '../../workflows/contract';
import { Mistake } from '../command';

/**
 * `promoted`: all work, except a ramp's share. `ramping`: a share of it. `draining`: it still has work that ends where
 * it began. `drained`: its workers can go. `new`: it has had no work.
 */
type BuildState = 'promoted' | 'ramping' | 'draining' | 'drained' | 'new';

export interface Build {
  readonly build: string;
  readonly state: BuildState;
  /** Of the workflows, in percent. */
  readonly share: number;
}

/** `VersionDrainageStatus` of the server's API. */
const DRAINING = 1;
const DRAINED = 2;

/** The newest first. Throws a `Mistake` if no worker with a build has started yet. */
export async function readBuilds(client: Client): Promise<readonly Build[]> {
  const { versionSummaries, routingConfig: routing } = await readDeployment(client);
  const promoted = routing?.currentDeploymentVersion?.buildId;
  const ramping = routing?.rampingDeploymentVersion?.buildId;
  const ramp = ramping ? (routing?.rampingVersionPercentage ?? 0) : 0;
  const stateOf = (build: string, drainage: unknown): BuildState => {
    if (build === promoted) return 'promoted';
    if (build === ramping) return 'ramping';
    if (drainage === DRAINING) return 'draining';
    return drainage === DRAINED ? 'drained' : 'new';
  };
  const shareOf = (build: string): number => {
    if (build === promoted) return 100 - ramp;
    return build === ramping ? ramp : 0;
  };
  return (versionSummaries ?? [])
    .toSorted((a, b) => Number(b.createTime?.seconds ?? 0) - Number(a.createTime?.seconds ?? 0))
    .map(({ deploymentVersion, drainageStatus }) => {
      const build = deploymentVersion?.buildId ?? '';
      return { build, state: stateOf(build, drainageStatus), share: shareOf(build) };
    });
}

async function readDeployment(client: Client) {
  const { namespace } = client.options;
  const { workerDeploymentInfo } = await orMistake(() =>
    client.workflowService.describeWorkerDeployment({ namespace, deploymentName: DEPLOYMENT }),
  );
  return workerDeploymentInfo ?? {};
}

/**
 * All work goes to the build, null: to workers without one, and a ramp ends. Returns whether anything changed. Throws a
 * `Mistake` if no worker of it polls a queue that is polled.
 */
export async function promote(client: Client, build: string | null): Promise<boolean> {
  const before = await readBuilds(client);
  if (build !== null) requireBuild(before, build);
  const promoted = before.find(({ state }) => state === 'promoted')?.build ?? null;
  const isRamping = before.some(({ state }) => state === 'ramping');
  if (promoted !== build) {
    await requireWorkers(client, build);
    await setCurrent(client, build ?? '');
  }
  // A ramp to the promoted build ends with that; one to another continues until it is ended.
  if (isRamping && (await readBuilds(client)).some(({ state }) => state === 'ramping')) await endRamp(client);
  return promoted !== build || isRamping;
}

/** That share of the workflows goes to the build, the same workflows for as long as it only grows. Throws as above. */
export async function ramp(client: Client, build: string, percent: number): Promise<boolean> {
  const before = await readBuilds(client);
  const found = requireBuild(before, build);
  if (found.state === 'promoted') throw new Mistake(`Build ${build} is promoted: it has all work that no ramp takes.`);
  if (!before.some(({ state }) => state === 'promoted'))
    throw new Mistake('No build is promoted, so there is nothing to take a share of: promote this one.');
  if (found.share === percent) return false;
  if (percent > 0) await requireWorkers(client, build);
  await (percent === 0 ? endRamp(client) : setRamp(client, build, percent));
  return true;
}

function requireBuild(builds: readonly Build[], build: string): Build {
  const found = builds.find((each) => each.build === build);
  if (found) return found;
  const known = builds.map((each) => each.build).join(', ') || 'none';
  throw new Mistake(`No worker has started with WORKER_BUILD_ID=${build}. Builds are: ${known}.`);
}

/** The server compares what each build has ever polled: it would route work to a build whose workers have gone. */
async function requireWorkers(client: Client, build: string | null): Promise<void> {
  const lacking = (await readQueues(client)).filter(({ builds }) => builds.size > 0 && !builds.has(build));
  if (lacking.length === 0) return;
  const of = build === null ? 'without a build' : `of build ${build}`;
  throw new Mistake(`No worker ${of} polls ${lacking.map(({ name }) => name).join(', ')}: start its workers first.`);
}

async function setCurrent(client: Client, buildId: string): Promise<void> {
  const { workflowService } = client;
  await orMistake(() => workflowService.setWorkerDeploymentCurrentVersion({ ...ordered(client), buildId }));
  await untilEveryQueueKnows(client);
}

async function setRamp(client: Client, buildId: string, percentage: number): Promise<void> {
  const { workflowService } = client;
  await orMistake(() => workflowService.setWorkerDeploymentRampingVersion({ ...ordered(client), buildId, percentage }));
  await untilEveryQueueKnows(client);
}

const endRamp = (client: Client) => setRamp(client, '', 0);

const ordered = ({ options: { namespace, identity } }: Client) => ({ namespace, identity, deploymentName: DEPLOYMENT });

/** `RoutingConfigUpdateState` of the server's API. */
const IN_PROGRESS = 1;
const LOOK_EVERY_MS = 200;

/** The server passes a change on to its queues after it has answered, and continues until it is done. */
async function untilEveryQueueKnows(client: Client): Promise<void> {
  while ((await readDeployment(client)).routingConfigUpdateState === IN_PROGRESS) await delay(LOOK_EVERY_MS);
}

const NOT_FOUND = 5;
const FAILED_PRECONDITION = 9;

/** The server's own sentence says which queues the build does not serve. */
async function orMistake<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { code, details } = error as { code?: number; details?: string };
    if (code === NOT_FOUND) throw new Mistake('No worker has started with a WORKER_BUILD_ID yet.');
    if (code === FAILED_PRECONDITION) throw new Mistake(`Temporal refuses: ${details}`);
    throw error;
  }
}
