// Starts the workflow of every backfill job that has queued horses and no workflow, and wakes each one whose obstacle
// has changed: the account's credits, the registry. It only makes up for missed events, and speeds them up: the
// database decides.
import type { Client } from '@temporalio/client';
import { PACE_OVER_MS } from '../../domain/backfill/estimate';
import { doorAt } from '../../domain/registry/door';
import { REGISTRY } from '../../domain/registry/registry';
import type { OpenJob } from '../../store/backfill/backfill';
import { backfillWorkflowId, hasten, QUEUES, WORKFLOWS } from '../../workflows/contract';
import type { ActivityDeps } from '../deps';
import { type DeliveryDeps, isBlocked } from './deliver';

export type SweepDeps = DeliveryDeps &
  Pick<ActivityDeps, 'client'> & { readonly stores: Pick<ActivityDeps['stores'], 'backfill' | 'forms' | 'doors'> };

/** A delivery of their job waits for those at once: some milliseconds. */
const FORMS_AT_ONCE = 25;
const FORMS_A_SWEEP = 1000;

export interface BackfillSweep {
  /** Jobs with queued horses. */
  readonly open: number;
  readonly started: number;
  readonly hastened: number;
}

export async function sweepBackfills(deps: SweepDeps, alive: () => void): Promise<BackfillSweep> {
  const { backfill, doors } = deps.stores;
  const open = await backfill.openJobs();
  const shown = await statusOfRunning(deps.client);
  const isDoorOpen = doorAt(await doors.read(REGISTRY), deps.now()).state === 'ok';
  const blocked = new Map<string, boolean>();
  const counts = { started: 0, hastened: 0 };
  for (const job of open) {
    alive();
    const status = shown.get(backfillWorkflowId(job.jobId));
    if (status === undefined) {
      await startBackfill(deps.client, job.jobId);
      counts.started += 1;
      continue;
    }
    if (status === 'blocked' && !blocked.has(job.accountId)) blocked.set(job.accountId, await isBlocked(deps, job));
    const canGoOn = status === 'blocked' ? !blocked.get(job.accountId) : status !== 'running' && isDoorOpen;
    if (canGoOn && (await hastened(deps.client, job))) counts.hastened += 1;
  }
  await backfill.prune(instantOf(deps.now() - PACE_OVER_MS), instantOf(deps.wallMs()));
  for (let stored = 0; stored < FORMS_A_SWEEP; alive()) {
    const moved = await backfill.storeForms(FORMS_AT_ONCE);
    if (moved === 0) break;
    stored += moved;
  }
  return { open: open.length, ...counts };
}

const instantOf = (ms: number): string => new Date(ms).toISOString();

/** What each running job's workflow shows. */
async function statusOfRunning(client: Client): Promise<ReadonlyMap<string, string>> {
  const query = `WorkflowType = "${WORKFLOWS.backfill}" AND ExecutionStatus = "Running"`;
  const shown = new Map<string, string>();
  for await (const { workflowId, searchAttributes } of client.workflow.list({ query })) {
    shown.set(workflowId, String(searchAttributes.WorkStatus?.[0] ?? 'running'));
  }
  return shown;
}

const startBackfill = (client: Client, jobId: string): Promise<unknown> =>
  client.workflow.start(WORKFLOWS.backfill, {
    workflowId: backfillWorkflowId(jobId),
    taskQueue: QUEUES.backfill,
    args: [{ jobId }],
    workflowIdConflictPolicy: 'USE_EXISTING',
  });

/** False if it has ended meanwhile. */
const hastened = (client: Client, { jobId }: OpenJob): Promise<boolean> =>
  client.workflow
    .getHandle(backfillWorkflowId(jobId))
    .signal(hasten)
    .then(
      () => true,
      () => false,
    );
