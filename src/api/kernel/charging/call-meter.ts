// What a keyed call is judged and charged by: the rate limit of its key, and the credits of its account.
import { type Billing, NO_BILLING } from '../../../accounts/billing/billing';
import { FREE_METER, type Meter } from '../endpoint/meter';
import type { Callers } from '../keys/callers';
import type { KeyCount } from '../limits/key-count';
import { createRateLimit } from '../limits/rate-limit';
import type { Balances } from './balances';
import type { Charger } from './charger';
import { createCredits } from './credits';

interface MeterParts {
  /** Absent: every call is free. */
  readonly charger?: Charger;
  readonly balances?: Balances;
  readonly baseUrl: string;
  readonly billing?: Billing;
  readonly wallMs?: () => number;
}

/** `keyCount` null: no key is limited. */
export function createCallMeter(parts: MeterParts, callers: Callers, keyCount: KeyCount | null): Meter {
  const { charger, balances = null, baseUrl, billing = NO_BILLING, wallMs = Date.now } = parts;
  const seller = { baseUrl, sells: billing.sells };
  return {
    ...FREE_METER,
    admit: createRateLimit(keyCount),
    ...(charger && createCredits({ charger, balances, callers, seller, wallMs })),
  };
}
