// Which workflow, run and attempt the code at hand works for: in every log line and every poll's trace. Empty outside an activity.
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
