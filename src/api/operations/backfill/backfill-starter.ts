// Starts the workflow of a backfill job (D50). The job is already stored in the database: the sweep makes up for a
// failed start.
import type { Client } from '@temporalio/client';
import { backfillWorkflowId, QUEUES, WORKFLOWS } from '../../../workflows/contract';

/** `client`: one that does not retry failed calls. */
export const createBackfillStarter =
  (client: Client, onFailed: (error: unknown, jobId: string) => void) =>
  (jobId: string): void => {
    const options = { workflowId: backfillWorkflowId(jobId), taskQueue: QUEUES.backfill, args: [{ jobId }] };
    client.workflow
      .start(WORKFLOWS.backfill, { ...options, workflowIdConflictPolicy: 'USE_EXISTING' })
      .catch((error) => onFailed(error, jobId));
  };
