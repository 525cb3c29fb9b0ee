// Looks for second and third attempts that are due, of all endpoints in turn, and has the lanes make them (D65). Temporal is not asked.
import type { Log } from '../log';
import type { Claimed } from '../store/webhooks/claims';
import type { DeliveryStore } from '../store/webhooks/deliveries';
import { type Loop, startLoop } from './loop';

export interface LaterAttemptsDeps {
  readonly deliveries: Pick<DeliveryStore, 'claimRetries'>;
  readonly plans: readonly string[];
  readonly wallMs: () => number;
  readonly log: Pick<Log, 'warn'>;
  /** Wall, between two looks that find nothing. */
  readonly idleMs: number;
  /** For more of them at once, and of failing endpoints. */
  readonly room: () => { readonly most: number; readonly failing: number };
  readonly begin: (claimed: Claimed) => void;
}

/** Wall. */
const SPACING_MS = 20;
/** With something that waits, in one look. */
const ENDPOINTS = 500;

export function startLaterAttempts({ deliveries, plans, wallMs, log, idleMs, room, begin }: LaterAttemptsDeps): Loop {
  let after = '';
  const work = async (): Promise<boolean> => {
    const { most, failing } = room();
    if (most <= 0) return false;
    const now = new Date(wallMs()).toISOString();
    const { claimed, last } = await deliveries.claimRetries({ after, endpoints: ENDPOINTS, most, failing, plans, now });
    claimed.forEach(begin);
    after = last ?? '';
    return last !== null;
  };
  return startLoop({ idleMs, spacingMs: SPACING_MS, log, failed: 'later attempts were not claimed', work });
}
