// Has workers audit a sport (A 4.13): orders for one sport share one run, and a run that takes longer than the caller waits goes on.
import type { Client } from '@temporalio/client';
import { auditRunId } from '../../../domain/quality/audit';
import type { RacingSport } from '../../../domain/race/sport';
import { auditWorkflowId, QUEUES, WORKFLOWS } from '../../../workflows/contract';

export interface AuditRunner {
  /** Resolves to the id of the run that is under way or has ended; null: Temporal does not answer. Wall. */
  run(sport: RacingSport, withinMs: number): Promise<string | null>;
}

/** Longer than any run: what waits for a worker by then is wanted by no operator any more. */
const LONGEST = '20m';

/** `client`: one that does not repeat failed calls. */
export function createAuditRunner(client: Client): AuditRunner {
  return {
    async run(sport, withinMs) {
      const timeUp = AbortSignal.timeout(withinMs);
      const runId = await started(client, sport, timeUp);
      if (runId === null) return null;
      const handle = client.workflow.getHandle(auditWorkflowId(sport), runId);
      // Time is up, Temporal went away, or the run failed: what became of it stands in the database.
      await client.withAbortSignal(timeUp, () => handle.result()).catch(() => undefined);
      return auditRunId(runId, sport);
    },
  };
}

async function started(client: Client, sport: RacingSport, timeUp: AbortSignal): Promise<string | null> {
  try {
    const handle = await client.withAbortSignal(timeUp, () =>
      client.workflow.start<(sports: readonly RacingSport[]) => Promise<void>>(WORKFLOWS.audit, {
        workflowId: auditWorkflowId(sport),
        taskQueue: QUEUES.workflows,
        args: [[sport]],
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowExecutionTimeout: LONGEST,
      }),
    );
    return handle.firstExecutionRunId;
  } catch {
    return null;
  }
}

export const NO_AUDIT_RUNNER: AuditRunner = { run: async () => null };
