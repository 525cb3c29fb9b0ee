// Rolling out a build that fits no history, and the way back, by the operator's commands.
import { setTimeout as sleep } from 'node:timers/promises';
import { withTemporal } from './temporal.mjs';
import { makeUnfitBuild } from './unfit-build.mjs';

/** Of every worker of the stage, as `WORKER_BUILD_ID`. */
export const BUILD = 'first';
const UNFIT = 'unfit';
/** Temporal notes the queues of a new worker within seconds. */
const TRIES = 30;

/** `ops`: runs a command. `startNext`, `endNext`: a worker of another build beside the others. */
export function createBuilds({ ctx, servers, ops, startNext, endNext }) {
  let before = null;
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
      before = await countRaces(servers);
      await startNext(UNFIT, makeUnfitBuild(ctx));
      await builds('ramp', UNFIT, '--percent', String(percent));
    },
    async rollBack() {
      await promote(BUILD);
      await endNext();
    },
    /** What is wrong with the races after the way back; null: nothing. */
    async wrongRaces() {
      const now = await countRaces(servers);
      if (now.failing > 0) return `${now.failing} of ${now.running} races cannot decide`;
      return now.running < before.running ? `${before.running - now.running} races are lost` : null;
    },
  };
}

const RUNNING = "WorkflowType = 'race' AND ExecutionStatus = 'Running'";

/** How many races run, and of how many a workflow task fails again and again. */
const countRaces = (servers) =>
  withTemporal(servers, async ({ workflow }) => {
    let running = 0;
    let failing = 0;
    for await (const { workflowId } of workflow.list({ query: RUNNING })) {
      running += 1;
      const { raw } = await workflow.getHandle(workflowId).describe();
      if ((raw.pendingWorkflowTask?.attempt ?? 0) > 1) failing += 1;
    }
    return { running, failing };
  });
