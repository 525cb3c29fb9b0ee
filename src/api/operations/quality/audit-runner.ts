// Has workers audit a sport (A 4.13): orders for one sport share one run, and a run that takes longer than the caller
// waits goes on.
import { type Client, WorkflowFailedError } from '@temporalio/client';
import { type AuditedSport, auditRunId } from '../../../domain/quality/audit';
import { auditWorkflowId, QUEUES, WORKFLOWS } from '../../../workflows/contract';

interface OrderedAudit {
  readonly runId: string;
  /** Its workflow has failed: what the run has not written by now is never written. */
  readonly failed: boolean;
}

export interface AuditRunner {
  /** Resolves to the run that is under way or has ended; null: it could not be ordered. Wall. */
  run(sport: AuditedSport, withinMs: number): Promise<OrderedAudit | null>;
}

/** Longer than any run: what waits for a worker by then is wanted by no operator any more. */
const LONGEST = '20m';

/** `client`: one that does not repeat failed calls. `warn`: gets why a run could not be ordered, or failed. */
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
