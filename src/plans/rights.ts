// Operations that only some keys may call (A 4, A 4.13, A 5.3, B 4), and rights that older keys keep from their sale
// (D11). Pure.
import { namesOf, PLANS, type Plan, type PlanId, reaches } from './plans';

export interface Right {
  /** Its name in the problem's detail. */
  readonly title: string;
  /** The cheapest plan that has it. */
  readonly least: PlanId;
  /** A lower plan keeps it for keys issued before an instant. */
  readonly kept?: { readonly plan: PlanId; readonly issuedBefore: string };
  /** A lower plan has the last days of it, on a rolling window. */
  readonly window?: { readonly plan: PlanId; readonly days: number };
}

const STANDARD_BEFORE = { plan: 'standard', issuedBefore: '2026-09-20T00:00:00Z' } as const;

export const RIGHTS = {
  clv: { title: 'Scoring bets against the closing line', least: 'plus' },
  scan: { title: 'The intelligence scan', least: 'plus' },
  markets: { title: 'Every market on one race', least: 'plus', kept: STANDARD_BEFORE },
  /** Closing lines and market summary (B 4.1, B 4.2). */
  archive: {
    title: 'The archive',
    least: 'plus',
    kept: STANDARD_BEFORE,
    window: { plan: 'standard', days: 90 },
  },
  price_paths: { title: 'Price paths', least: 'plus', kept: STANDARD_BEFORE },
  backfill: { title: 'Form backfill', least: 'plus' },
  stream: { title: 'The stream of changes', least: 'standard' },
  sports_history: { title: 'Odds history and movements', least: 'standard' },
  /** Delivery too; the contract calls the lower of its two thresholds unconfirmed (D13). */
  webhooks: { title: 'Creating, testing and replaying webhooks and listing their events', least: 'plus' },
  bulk_days: { title: 'Bulk files of a day', least: 'business' },
  bulk_months: { title: 'Bulk files of a month', least: 'platform' },
  widgets: { title: 'White-label widgets', least: 'platform' },
  team_keys: { title: 'Managing team keys', least: 'business' },
} as const satisfies Record<string, Right>;

export type RightName = keyof typeof RIGHTS;

interface Access {
  /** How many days back, rolling; null: all of it. */
  readonly days: number | null;
}

/** How much of the right a key of this plan, issued at this instant, has; null: none. */
export function accessTo(name: RightName, plan: Plan, issuedAt: string): Access | null {
  const { least, kept, window }: Right = RIGHTS[name];
  if (reaches(plan, least)) return { days: null };
  if (kept && reaches(plan, kept.plan) && Date.parse(issuedAt) < Date.parse(kept.issuedBefore)) return { days: null };
  return window && reaches(plan, window.plan) ? { days: window.days } : null;
}

/** Stored names of the plans that have the right whatever the key: for work without a key. */
export const plansWith = (name: RightName): readonly string[] =>
  namesOf(PLANS.filter((plan) => reaches(plan, RIGHTS[name].least)));

/** Whether a key of this plan, issued at this instant, has the right, wholly or in part. */
export function mayUse(name: RightName, plan: Plan, issuedAt: string): boolean {
  return accessTo(name, plan, issuedAt) !== null;
}
