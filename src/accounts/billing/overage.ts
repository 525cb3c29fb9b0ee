// Overage as its owner sees it: switched on or off, its price, and what this month would be invoiced now (A 8, D39).
import { AppError } from '../../errors';
import { periodAt } from '../../plans/credits';
import { hasOverage, monthlyCredits, overageCents, overagePrice, type PlanOverage } from '../../plans/overage';
import { PLANS, type Plan, planNamed } from '../../plans/plans';
import type { OverageStore } from '../../store/credits/overage';
import type { BillingDeps, Payer } from './deps';
import { readLevel } from './reading';
import { requirePaidOverage } from './unpaid-overage';

export interface OverageView {
  readonly plan: Plan;
  readonly isOn: boolean;
  /** Credits at which calls stop. */
  readonly ceiling: number;
  readonly audPer1000: number;
  /** Of this month. */
  readonly credits: number;
  readonly cents: number;
  readonly periodStart: string;
}

export async function readOverage(deps: BillingDeps, { accountId, plan }: Payer): Promise<OverageView> {
  requireOverage(plan);
  const { id: period } = periodAt(deps.wallMs());
  const now = await deps.overage.overage(accountId, period);
  const isOn = now?.on ?? false;
  const used = usedOf(now?.used ?? []);
  const { allowance, overage } = monthlyCredits({ plan, overage: isOn });
  return {
    plan,
    isOn,
    ceiling: allowance + overage,
    audPer1000: overagePrice(plan)!,
    credits: used.reduce((sum, { credits }) => sum + credits, 0),
    cents: overageCents(used),
    periodStart: `${period}T00:00:00.000Z`,
  };
}

export async function switchOverage(deps: BillingDeps, payer: Payer, on: boolean): Promise<OverageView> {
  requireOverage(payer.plan);
  if (on && !(await readLevel(deps, payer.accountId)))
    throw new AppError('conflict', 'Overage is invoiced with a subscription, and the account has none.');
  if (on) await requirePaidOverage(deps, payer.accountId);
  // The reading of the subscription may have taken the plan away.
  const plans = WITH_OVERAGE.map(({ id }) => id);
  const plan = planNamed(await deps.overage.setOverage(payer.accountId, on, plans));
  if (on && plan) requireOverage(plan);
  return readOverage(deps, payer);
}

const WITH_OVERAGE = PLANS.filter(hasOverage);
/** Public, and the text of the 403. */
export const OVERAGE_PLANS = `Overage is available on the ${WITH_OVERAGE.map(({ title }) => title).join(' and ')} plans.`;

/** Throws a 403. */
export function requireOverage(plan: Plan): void {
  if (hasOverage(plan)) return;
  throw new AppError('plan_required', `${OVERAGE_PLANS} This account is on the ${plan.title} plan.`, {
    required_plan: WITH_OVERAGE[0]!.id,
  });
}

/** With the plan table. */
export function usedOf(used: NonNullable<Awaited<ReturnType<OverageStore['overage']>>>['used']): PlanOverage[] {
  return used.map(({ plan, credits }) => {
    const known = planNamed(plan);
    if (!known) throw new Error(`the ledger has overage on the unknown plan '${plan}'`);
    return { plan: known, credits };
  });
}
