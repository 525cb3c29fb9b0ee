// After the database was restored from a backup: every running race stores its whole state again. The next sweep
// restarts races that had ended and that the backup has as unfinished.
import { WorkflowNotFoundError } from '@temporalio/client';
import { resync, WORKFLOWS } from '../../workflows/contract';
import type { ActivityDeps } from '../deps';

export interface ResyncReport {
  readonly signalled: number;
  readonly failed: number;
}

const IN_FLIGHT = 20;

export async function resyncRaces({ client, log }: Pick<ActivityDeps, 'client' | 'log'>): Promise<ResyncReport> {
  const query = `WorkflowType = "${WORKFLOWS.race}" AND ExecutionStatus = "Running"`;
  const running: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query })) running.push(workflowId);
  const report = { signalled: 0, failed: 0 };
  const next = running.values();
  const lane = async (): Promise<void> => {
    for (const workflowId of next) {
      try {
        await client.workflow.getHandle(workflowId).signal(resync);
        report.signalled += 1;
      } catch (err) {
        // It ended meanwhile: the sweep judges it by the database.
        if (err instanceof WorkflowNotFoundError) continue;
        report.failed += 1;
        log.warn({ err, workflowId }, 'a race was not signalled to store its state again');
      }
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  return report;
}
