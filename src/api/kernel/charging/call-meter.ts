// Judges and charges a keyed call: by the rate limit of its key, and the credits of its account.
import type { Billing } from '../../../accounts/billing/billing';
import { FREE_METER, type Meter } from '../endpoint/meter';
import type { Callers } from '../keys/callers';
import type { KeyCount } from '../limits/key-count';
import { createRateLimit } from '../limits/rate-limit';
import type { Balances } from './balances';
import type { Charger } from './charger';
import { createCredits } from './credits';

interface MeterParts {
  /** Null: every call is free. */
  readonly charger: Charger | null;
  readonly balances: Balances | null;
  readonly baseUrl: string;
  readonly billing: Pick<Billing, 'sells'>;
  wallMs(): number;
}

/** `keyCount` null: no key is limited. */
export function createCallMeter(parts: MeterParts, callers: Callers, keyCount: KeyCount | null): Meter {
  const { charger, balances, baseUrl, billing, wallMs } = parts;
  const seller = { baseUrl, sells: billing.sells };
  return {
    ...FREE_METER,
    admit: createRateLimit(keyCount),
    ...(charger && createCredits({ charger, balances, callers, seller, wallMs })),
  };
}
