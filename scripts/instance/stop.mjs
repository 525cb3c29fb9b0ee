// Ends what an instance started, and nothing else: its own programs, its local servers, its servers in Docker. The data
// stays.

import { stopAll } from '../process/stop.mjs';
import { composeStop } from '../servers/compose.mjs';

export async function stopInstance(ctx) {
  const { processes, compose } = ctx.instance.read();
  const stopped = await stopAll(processes);
  // Not the session's signal: it is already aborted when this runs.
  if (compose) await composeStop({ ...ctx, signal: new AbortController().signal });
  ctx.instance.forgetProcesses();
  return stopped + (compose ? 1 : 0);
}

export function hasStarted(instance) {
  const { processes, compose } = instance.read();
  return processes.length > 0 || compose !== null;
}
