// Has workers audit a sport (A 4.13): orders for one sport share one run, and a run that takes longer than the caller
// waits continues.
import { type Client, WorkflowFailedError } from '@temporalio/client';
import { type AuditedSport, auditRunId } from '../../../domain/quality/audit';
import { auditWorkflowId, QUEUES, WORKFLOWS } from '../../../workflows/contract';

interface OrderedAudit {
  readonly runId: string;
  /** Its workflow has failed: what the run has not written yet is never written. */
  readonly failed: boolean;
}

export interface AuditRunner {
  /** Resolves to the run in progress or ended; null: it could not be ordered. Wall time. */
  run(sport: AuditedSport, withinMs: number): Promise<OrderedAudit | null>;
}

/** Longer than any run: an order still waiting for a worker by then is no longer wanted by any operator. */
const LONGEST = '20m';

/**
 * `client`: one that does not retry failed calls. `warn`: gets the reason why a run could not be ordered, or failed.
 */
export function createAuditRunner(client: Client, warn: (err: unknown, message: string) => void): AuditRunner {
  return {
    async run(sport, withinMs) {
      const timeUp = AbortSignal.timeout(withinMs);
      try {
        const runId = await client.withAbortSignal(timeUp, () => started(client, sport));
        const handle = client.workflow.getHandle(auditWorkflowId(sport), runId);
        const failed = await client
          .withAbortSignal(timeUp, () => handle.result())
          .then(
            () => false,
            (err: unknown) => {
              if (!timeUp.aborted) warn(err, 'an ordered audit did not end well');
              return err instanceof WorkflowFailedError;
            },
          );
        return { runId: auditRunId(runId, sport), failed };
      } catch (err) {
        warn(err, 'an audit could not be ordered');
        return null;
      }
    },
  };
}

async function started(client: Client, sport: AuditedSport): Promise<string> {
  const handle = await client.workflow.start<(sports: readonly AuditedSport[]) => Promise<void>>(WORKFLOWS.audit, {
    workflowId: auditWorkflowId(sport),
    taskQueue: QUEUES.workflows,
    args: [[sport]],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowExecutionTimeout: LONGEST,
  });
  return handle.firstExecutionRunId;
}

export const NO_AUDIT_RUNNER: AuditRunner = { run: async () => null };
