// The past of the simulated day, built while the service runs, one part after another and with a lower priority: the
// live board comes first. Each part gets its check mark when it is complete; until then none of it is served. The
// service also runs without a past.
import { constants } from 'node:os';
import { Missing } from '../command/outcome.mjs';
import { Problem } from '../command/problem.mjs';

const parts = [
  ['first-hour', 'The first races have their last hour'],
  ['past-days', 'Three past days are archived'],
];
export const pastPriority = constants.priority.PRIORITY_LOW;
/** These calls are not urgent. */
export const pastEnvironment = { FEED_TIMEOUT_MS: '30000' };

/** `operate`: runs an operator's command and resolves to its outcome. Rejects only when the session ends. */
export async function buildPast({ progress, signal }, operate) {
  progress.note('The past is built beside the running service; each part is there when it has its check mark.');
  for (const [name, title] of parts) await progress.step(title, () => unlessItFails(() => operate(name), signal));
}

async function unlessItFails(operate, signal) {
  try {
    return await operate();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Problem)) throw error;
    return new Missing(error.message);
  }
}
