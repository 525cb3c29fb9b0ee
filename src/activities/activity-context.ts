// The current work: workflow, run and attempt, in every log line and every poll's trace; and whether it is still
// wanted. Outside an activity, as in an operator's command, there is none.
import { asyncLocalStorage } from '@temporalio/activity';

interface ActivityFields {
  readonly activity?: string;
  readonly workflowId?: string;
  readonly runId?: string;
  readonly attempt?: number;
}

export function activityFields(): ActivityFields {
  const info = asyncLocalStorage.getStore()?.info;
  if (!info) return {};
  const { activityType: activity, workflowExecution, attempt } = info;
  return workflowExecution ? { activity, ...workflowExecution, attempt } : { activity, attempt };
}

/** The same as attributes of a span. */
export const activityAttributes = (): Record<string, string | number> =>
  Object.fromEntries(Object.entries(activityFields()).map(([name, value]) => [`temporal.${name}`, value]));

/** Aborted when the activity is cancelled or its worker stops. */
export const activitySignal = (): AbortSignal | undefined => asyncLocalStorage.getStore()?.cancellationSignal;

/** Throws when the activity was cancelled: for use between the steps of a long one. */
export const stillWanted = (): void => activitySignal()?.throwIfAborted();

/** Rejects as soon as the activity is cancelled: for shared work, which continues for the others. */
export async function unlessCancelled<T>(work: Promise<T>): Promise<T> {
  const signal = activitySignal();
  if (!signal) return work;
  work.catch(() => undefined);
  let cancelled = (): void => undefined;
  const cancelling = new Promise<never>((_, reject) => {
    cancelled = () => reject(signal.reason);
    signal.addEventListener('abort', cancelled, { once: true });
    if (signal.aborted) cancelled();
  });
  try {
    return await Promise.race([work, cancelling]);
  } finally {
    signal.removeEventListener('abort', cancelled);
  }
}
