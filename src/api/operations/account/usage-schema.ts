// GET /v1/usage and /v1/usage/analytics (shapes 3.7).
import { Type } from '@sinclair/typebox';
import { aged, amount, count, day, instant, link, named, nullable, oneOf, text, yes } from '../../wire/vocabulary';

const credits = (description: string) => count(description);
export const creditsLimit = nullable(
  credits(
    'Credits that may be used in this month, granted ones and overage that is switched on included. Null: unlimited.',
  ),
);
export const creditsRemaining = nullable(credits('Credits that are left in this month. Null: unlimited.'));

const EndpointUse = named(
  'EndpointUse',
  Type.Object({
    endpoint: text('Path of the operation.'),
    calls: count('Charged calls.'),
    credits: credits('Credits that they cost.'),
  }),
);

const Activity = named(
  'CreditActivity',
  Type.Object({
    endpoint: text('Path of the operation.'),
    credits: credits('Its cost.'),
    ts: instant('When it was charged.'),
  }),
);

const CheckoutBody = named(
  'UpgradeCheckoutBody',
  Type.Object({
    email: nullable(text('Null: the address of the account is used.')),
    plan: text('The recommended plan.'),
  }),
);

const Checkout = named(
  'UpgradeCheckout',
  Type.Object({
    method: text('Of the request.'),
    endpoint: link('Its address.'),
    body: CheckoutBody,
  }),
);

const UsageUpgrade = named(
  'UsageUpgrade',
  Type.Object({
    recommended_plan: text(
      'The cheapest plan that has the credits that your measured use needs, otherwise the largest.',
    ),
    credits_per_month: credits('Its credits.'),
    price_aud: amount('Its price per month in A$.'),
    url: link('Where plans are described.'),
    covers_projected_need: yes('False: even the largest plan on sale has fewer credits.'),
    sized_for_credits_per_month: nullable(credits('A month at your measured rate. Null on the first day of a month.')),
    checkout: nullable(Checkout),
  }),
);

const UsagePlan = named(
  'UsagePlan',
  Type.Object({
    credits_per_month: credits('Credits per month.'),
    price_aud: nullable(amount('Price per month in A$. Null: by agreement.')),
  }),
);

const UsageTotals = named(
  'UsageTotals',
  Type.Object({
    calls: count('Charged calls.'),
    credits: credits('Credits that they cost.'),
    endpoints: count('Operations that were called.'),
  }),
);

/** Shared with the parameter. */
export const UsagePeriod = named(
  'UsagePeriod',
  oneOf(['rolling', 'billing'], {
    description: '`rolling`: the last `days` days; `billing`: this UTC month.',
  }),
);

export const Usage = named(
  'Usage',
  Type.Object({
    plan: text('Plan of the account.'),
    account_email_masked: nullable(text('Address of the owner, masked. Null: an operator made the account.')),
    credits_used: credits('Credits used in this UTC month.'),
    credits_limit: creditsLimit,
    credits_remaining: creditsRemaining,
    credits_overage: credits('Of `credits_used`, those beyond the allowance that are billed.'),
    reset_at: instant('The first instant of the next month.'),
    period_start: instant('The first instant of this month.'),
    next_reset_at: instant('Equal to `reset_at`.'),
    burn_rate_per_day: amount(
      'Credits per day, since the month began or the account exists; until the last charge once fewer than 20 credits are left.',
    ),
    projected_month_end_credits: credits(
      'Credits of the whole month at this rate. On the first day of the month, or of the account, what is used counts as the use of a whole day.',
    ),
    projected_exhaustion_date: nullable(
      day('UTC day on which the credits run out at this rate. Null: not in this month.'),
    ),
    warning: nullable(oneOf(['approaching-limit'], { description: 'From 80 % of what needs no overage on.' })),
    upgrade: nullable(UsageUpgrade),
    all_time: UsageTotals,
    all_time_by_endpoint: Type.Array(EndpointUse, { description: 'Most credits first.' }),
    usage_by_endpoint: Type.Array(EndpointUse, { description: 'Equal to `all_time_by_endpoint`.' }),
    recent_activity: Type.Array(Activity, { description: 'The last 20 charges, newest first.' }),
    usage_by_endpoint_period: Type.Array(EndpointUse, { description: 'This month; adds up to `credits_used`.' }),
    recent_activity_period: Type.Array(Activity, { description: 'The last 20 charges of this month, newest first.' }),
    plans: Type.Record(Type.String(), UsagePlan, { description: 'Every plan by its id.' }),
  }),
);

export const UsageAnalytics = named(
  'UsageAnalytics',
  Type.Object({
    period: UsagePeriod,
    period_days: aged(amount('Of `rolling` the UTC days, today included; of `billing` the days since `period_start`.')),
    period_start: instant('Included.'),
    period_end: aged(instant('Now.')),
    credits_limit: creditsLimit,
    credits_used_this_period: credits('Credits used in this UTC month, whatever `period` is.'),
    credits_remaining: creditsRemaining,
    total_calls: count('Charged calls of the period.'),
    total_credits: credits('Credits of the period.'),
    by_endpoint: Type.Array(EndpointUse, { description: 'Most credits first.' }),
  }),
);
