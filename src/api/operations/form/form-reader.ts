// Has a worker read a horse's form page from the registry (D49): requests for one horse share one short workflow, over
// all processes. A reading that takes longer than the caller can wait continues, and its page is stored.
import { type Client, WorkflowFailedError } from '@temporalio/client';
import { type FormRead, formWorkflowId, QUEUES, WORKFLOWS } from '../../../workflows/contract';

export interface FormReader {
  /** `code`: one that the horse has or had at any meeting, digits only. Wall. Never rejects. */
  read(code: string, withinMs: number): Promise<FormRead>;
}

/** Wall. */
const STILL_READING: FormRead = { kind: 'away', retryAfterMs: 10_000 };
const NOT_REACHED: FormRead = { kind: 'away', retryAfterMs: 60_000 };

/** Longer than any reading: a request still waiting for a worker by then is no longer wanted by any customer. */
const LONGEST = '5m';

/** `client`: one that does not retry failed calls. */
export function createFormReader(client: Client): FormReader {
  return {
    async read(code, withinMs) {
      const timeUp = AbortSignal.timeout(withinMs);
      try {
        return await client.withAbortSignal(timeUp, () =>
          client.workflow.execute<(code: string) => Promise<FormRead>>(WORKFLOWS.form, {
            workflowId: formWorkflowId(code),
            taskQueue: QUEUES.forms,
            args: [code],
            workflowIdConflictPolicy: 'USE_EXISTING',
            workflowExecutionTimeout: LONGEST,
          }),
        );
      } catch (error) {
        if (timeUp.aborted) return STILL_READING;
        return error instanceof WorkflowFailedError ? { kind: 'failed' } : NOT_REACHED;
      }
    },
  };
}

export const NO_FORM_READER: FormReader = { read: async () => NOT_REACHED };
