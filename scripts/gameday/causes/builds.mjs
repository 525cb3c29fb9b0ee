// Rolls out a build that does not fit the histories, and rolls it back, with the operator's commands.
import { setTimeout as sleep } from 'node:timers/promises';
import { withTemporal } from '../temporal.mjs';
import { makeUnfitBuild } from './unfit-build.mjs';

/** `WORKER_BUILD_ID` of every worker of the stage. */
export const BUILD = 'first';
const UNFIT = 'unfit';
/** Temporal registers the queues of a new worker within seconds. */
const TRIES = 30;
/** Five seconds apart. The server checks now and then whether a build still has work. */
const DRAIN_TRIES = 180;

/** `ops`: runs a command. `startNext`, `endNext`: start and end a worker of another build beside the others. */
export function createBuilds({ ctx, servers, ops, startNext, endNext }) {
  let before = new Map();
  const builds = async (...words) => {
    for (let left = TRIES; ; left -= 1) {
      try {
        return await ops('builds', ...words);
      } catch (error) {
        if (left === 0) throw error;
        await sleep(1000, undefined, { signal: ctx.signal });
      }
    }
  };
  const promote = (build) => builds('promote', build);
  return {
    promote,
    async rollOut(percent) {
      before = await readRaces(servers);
      await startNext(UNFIT, makeUnfitBuild(ctx));
      await builds('ramp', UNFIT, '--percent', String(percent));
    },
    /**
     * The fault after the rollback; null if there is none. Then the worker of the other build ends, once it has no
     * short work left or its time is up.
     */
    async wrongAfter() {
      const now = await readRaces(servers);
      const failing = [...now.values()].filter(({ isFailing }) => isFailing).length;
      const lost = [...before.keys()].filter((id) => !now.has(id));
      const faults = [];
      if (failing > 0) faults.push(`${failing} of ${now.size} races cannot decide`);
      const ended = await endedRaces(servers, lost);
      if (ended < lost.length) faults.push(`${lost.length - ended} races are lost`);
      if (!(await isDrainedInTime())) faults.push(`build ${UNFIT} still has work`);
      // In every case: otherwise it would take part in all later outages.
      await endNext();
      return faults.join('; ') || null;
    },
  };

  async function isDrainedInTime() {
    for (let left = DRAIN_TRIES; left > 0; left -= 1) {
      if (await isDrained(servers).catch(() => false)) return true;
      await sleep(5000, undefined, { signal: ctx.signal });
    }
    return false;
  }
}

/** `VersionDrainageStatus` of the server's API. */
const DRAINED = 2;

const isDrained = (servers) =>
  withTemporal(servers, async ({ workflowService, options: { namespace } }) => {
    const asked = { namespace, deploymentName: 'racing-odds' };
    const { workerDeploymentInfo } = await workflowService.describeWorkerDeployment(asked);
    const unfit = workerDeploymentInfo.versionSummaries.find(({ deploymentVersion: { buildId } }) => buildId === UNFIT);
    return unfit.drainageStatus === DRAINED;
  });

const RUNNING = "WorkflowType = 'race' AND ExecutionStatus = 'Running'";

/** The running races, by workflow, and whether a workflow task of each fails repeatedly. */
const readRaces = (servers) =>
  withTemporal(servers, async ({ workflow }) => {
    const races = new Map();
    for await (const { workflowId } of workflow.list({ query: RUNNING })) {
      const { raw } = await workflow.getHandle(workflowId).describe();
      races.set(workflowId, { isFailing: (raw.pendingWorkflowTask?.attempt ?? 0) > 1 });
    }
    return races;
  });

/** How many of these have ended. */
const endedRaces = (servers, ids) =>
  withTemporal(servers, async ({ workflow }) => {
    let ended = 0;
    for (const id of ids) if ((await workflow.getHandle(id).describe()).status.name === 'COMPLETED') ended += 1;
    return ended;
  });
