// GET /v1/usage (A 4.13; shapes 3.7). Free.
import type { AccountReader } from '../../../accounts/billing/account-reader';
import type { Billing } from '../../../accounts/billing/billing';
import { PLANS } from '../../../plans/plans';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { presentUsage } from './present-account';
import { Usage } from './usage-schema';

const byEndpoint = [{ endpoint: '/v1/racing/next-to-go', calls: 620, credits: 1240 }];
const activity = [{ endpoint: '/v1/racing/next-to-go', credits: 2, ts: '2026-11-21T02:59:58.412Z' }];

export const usage = endpoint<{ account: AccountReader; baseUrl: string; billing: Billing }>()({
  method: 'get',
  path: '/v1/usage',
  operationId: 'usage',
  tag: 'Account',
  summary: 'Credits used and left',
  description:
    'The credits of the account in this UTC month, by operation, and the rate at which they are used. All keys of an account share ' +
    'them. The figures are those of the last charged call: the same as in its `X-Credits-*` headers. Only charged calls are listed.',
  auth: 'key',
  cost: flat(0),
  ofAccount: true,
  ok: {
    description: 'The use of the account.',
    schema: Usage,
    example: {
      plan: 'free',
      account_email_masked: 'j…@example.com',
      credits_used: 1240,
      credits_limit: 3000,
      credits_remaining: 1760,
      credits_overage: 0,
      reset_at: '2026-12-01T00:00:00.000Z',
      period_start: '2026-11-01T00:00:00.000Z',
      next_reset_at: '2026-12-01T00:00:00.000Z',
      burn_rate_per_day: 61.62,
      projected_month_end_credits: 1849,
      projected_exhaustion_date: null,
      warning: null,
      upgrade: null,
      all_time: { calls: 620, credits: 1240, endpoints: 1 },
      all_time_by_endpoint: byEndpoint,
      usage_by_endpoint: byEndpoint,
      recent_activity: activity,
      usage_by_endpoint_period: byEndpoint,
      recent_activity_period: activity,
      plans: Object.fromEntries(
        PLANS.map(({ id, monthlyCredits, monthlyPriceAud }) => [
          id,
          { credits_per_month: monthlyCredits, price_aud: monthlyPriceAud },
        ]),
      ),
    },
  },
  async handler({ caller, services }) {
    const { account, baseUrl, billing } = services;
    const seller = { baseUrl, sells: billing.sells };
    return { body: presentUsage(caller!, await account.read(caller!), account.wallMs(), seller) };
  },
});
