// Looks for due second and third attempts, of all endpoints in turn, and has the lanes make them (D65). Does not use
// Temporal.
import type { Log } from '../log';
import type { Claimed, Unsigned } from '../store/webhooks/claims';
import type { DeliveryStore } from '../store/webhooks/deliveries';
import { type Loop, startLoop } from './loop';

export interface LaterAttemptsDeps {
  readonly deliveries: Pick<DeliveryStore, 'claimRetries'>;
  readonly plans: readonly string[];
  readonly wallMs: () => number;
  readonly log: Pick<Log, 'warn'>;
  /** Wall time, between two checks that find nothing. */
  readonly idleMs: number;
  /** For more of them at once, and of failing endpoints. */
  readonly room: () => { readonly most: number; readonly failing: number };
  readonly begin: (claimed: Claimed) => void;
  readonly setAside: (unsigned: Unsigned) => void;
}

/** Wall. */
const SPACING_MS = 20;
/** With something that waits, per check. */
const ENDPOINTS = 500;

export function startLaterAttempts(deps: LaterAttemptsDeps): Loop {
  const { deliveries, plans, wallMs, log, idleMs, room, begin, setAside } = deps;
  let after = '';
  const work = async (): Promise<boolean> => {
    const { most, failing } = room();
    if (most <= 0) return false;
    const now = new Date(wallMs()).toISOString();
    const order = { after, endpoints: ENDPOINTS, most, failing, plans, now };
    const { claimed, unsigned, last } = await deliveries.claimRetries(order);
    claimed.forEach(begin);
    unsigned.forEach(setAside);
    after = last ?? '';
    return last !== null;
  };
  return startLoop({ idleMs, spacingMs: SPACING_MS, log, failed: 'later attempts were not claimed', work });
}
