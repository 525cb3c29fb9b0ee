// Waiting inside a long activity. Not `context.sleep`: each call of it hangs promises on the activity's own "cancelled", which lives as long
// as the activity does; twenty minutes of 120 live races left 1.4 million of them.
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '@temporalio/activity';

/** Wall milliseconds. Rejects as soon as the activity is cancelled, as the SDK's own sleep does. */
export const waitInActivity = (
  { cancellationSignal, cancelled }: Pick<Context, 'cancellationSignal' | 'cancelled'>,
  ms: number,
): Promise<void> => delay(ms, undefined, { signal: cancellationSignal }).catch(() => cancelled);
