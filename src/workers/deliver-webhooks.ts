// The work of the role `webhooks` beside its queue: turns new events into deliveries and posts them, until the process
// must end. Work in progress then continues to its end.
import type { ActivityDeps } from '../activities/deps';
import type { Log } from '../log';
import { startFanOut } from '../webhooks/fan-out-loop';
import { startLanes } from '../webhooks/lanes';
import { startLoop } from '../webhooks/loop';
import { createHandOver } from './hand-over';

export interface Delivering {
  readonly deps: Pick<ActivityDeps, 'webhooks' | 'wallMs' | 'random' | 'client'> & {
    readonly stores: Pick<ActivityDeps['stores'], 'deliveries'>;
  };
  /** Compares prices with the last announced ones; resolves to the number of events that it wrote. */
  readonly followPrices: (plans: readonly string[]) => Promise<number>;
  /** Simultaneous posts. */
  readonly slots: number;
  readonly log: Log;
  readonly stop: AbortSignal;
}

/** Wall. */
const FOLLOW_EVERY_MS = 250;
const DAYS_EVERY_MS = 600_000;

/** Resolves when it was stopped and nothing is in progress. */
export async function deliverWebhooks({ deps, followPrices, slots, log, stop }: Delivering): Promise<void> {
  const { webhooks, wallMs, random, client, stores } = deps;
  if (!webhooks) return;
  const { deliveries } = stores;
  const { sender, plans } = webhooks;
  const retry = createHandOver(client, deliveries, log);
  const lanes = startLanes({ deliveries, sender, plans, wallMs, random, slots, retry, log });
  const fanOut = startFanOut({ deliveries, plans, wallMs, made: lanes.ring, log });
  const prices = startLoop({
    idleMs: FOLLOW_EVERY_MS,
    log,
    failed: 'price moves were not announced',
    work: async () => {
      if ((await followPrices(plans)) > 0) fanOut.ring();
      return false;
    },
  });
  // Also while Temporal, and with it the sweep, is away.
  const days = startLoop({
    idleMs: DAYS_EVERY_MS,
    log,
    failed: 'the next days of events were not made',
    work: async () => {
      await deliveries.keepDays(new Date(wallMs()).toISOString());
      return false;
    },
  });
  await new Promise<void>((resolve) => {
    if (stop.aborted) return resolve();
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.all([prices.close(), fanOut.close(), lanes.close(), days.close()]);
}
