// Operations that only some keys may call (A 4, A 4.13), and rights that older keys keep from their sale (D11). Pure.
import { type Plan, type PlanId, reaches } from './plans';

interface Right {
  /** Its name in the problem's detail. */
  readonly title: string;
  /** The cheapest plan that has it. */
  readonly least: PlanId;
  /** A lower plan keeps it for keys issued before an instant. */
  readonly kept?: { readonly plan: PlanId; readonly issuedBefore: string };
}

export const RIGHTS = {
  clv: { title: 'Scoring bets against the closing line', least: 'plus' },
  scan: { title: 'The intelligence scan', least: 'plus' },
  markets: {
    title: 'Every market on one race',
    least: 'plus',
    kept: { plan: 'standard', issuedBefore: '2026-09-20T00:00:00Z' },
  },
} as const satisfies Record<string, Right>;

export type RightName = keyof typeof RIGHTS;

/** Whether a key of this plan, issued at this instant, has the right. */
export function mayUse(name: RightName, plan: Plan, issuedAt: string): boolean {
  const { least, kept }: Right = RIGHTS[name];
  if (reaches(plan, least)) return true;
  return kept !== undefined && reaches(plan, kept.plan) && Date.parse(issuedAt) < Date.parse(kept.issuedBefore);
}
