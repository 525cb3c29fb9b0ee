// Starts the workflow of a backfill job (D50). The job stands in the database already: a start that fails is made up
// for by the sweep.
import type { Client } from '@temporalio/client';
import { backfillWorkflowId, QUEUES, WORKFLOWS } from '../../../workflows/contract';

/** `client`: one that does not repeat failed calls. */
export const createBackfillStarter =
  (client: Client, onFailed: (error: unknown, jobId: string) => void) =>
  (jobId: string): void => {
    const options = { workflowId: backfillWorkflowId(jobId), taskQueue: QUEUES.backfill, args: [{ jobId }] };
    client.workflow
      .start(WORKFLOWS.backfill, { ...options, workflowIdConflictPolicy: 'USE_EXISTING' })
      .catch((error) => onFailed(error, jobId));
  };
