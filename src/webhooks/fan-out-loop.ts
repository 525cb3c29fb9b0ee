// Creates deliveries of new events continuously, as fast as they come: a few events at a time if each has many
// webhooks. Only one worker does so at a time.
import { eventBody } from '../domain/events/event';
import type { Log } from '../log';
import type { DeliveryStore } from '../store/webhooks/deliveries';
import { recordFanOut } from './delivery-metrics';
import { type Loop, startLoop } from './loop';

export interface FanOutDeps {
  readonly deliveries: Pick<DeliveryStore, 'fanOut'>;
  /** Plans whose accounts get webhooks. */
  readonly plans: readonly string[];
  readonly wallMs: () => number;
  /** Called when there are deliveries. */
  readonly made: () => void;
  readonly log: Pick<Log, 'warn'>;
}

const IDLE_MS = 200;
/** The target number of deliveries of one transaction. */
const DELIVERIES = 2000;
const FIRST = 10;
const MOST = 200;

export function startFanOut({ deliveries, plans, wallMs, made, log }: FanOutDeps): Loop {
  let most = FIRST;
  const work = async (): Promise<boolean> => {
    const now = new Date(wallMs()).toISOString();
    const fanned = await deliveries.fanOut({ most, plans, now, bodyOf: eventBody }).catch((error) => {
      // It may have been too much for one statement.
      most = Math.max(1, most >> 2);
      throw error;
    });
    if (fanned === null || fanned.events === 0) return false;
    recordFanOut(fanned);
    made();
    const each = Math.max(1, fanned.made / fanned.events);
    most = Math.min(MOST, Math.max(1, Math.floor(DELIVERIES / each)));
    return true;
  };
  return startLoop({ work, idleMs: IDLE_MS, log, failed: 'events were not made into deliveries' });
}
