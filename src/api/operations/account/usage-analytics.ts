// GET /v1/usage/analytics (A 4.13; shapes 3.7). Free.

import { Type } from '@sinclair/typebox';
import type { AccountReader } from '../../../accounts/billing/account-reader';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { choice } from '../../wire/parameters';
import { presentAnalytics } from './present-account';
import { UsageAnalytics, UsagePeriod } from './usage-schema';

export const usageAnalytics = endpoint<{ account: AccountReader }>()({
  method: 'get',
  path: '/v1/usage/analytics',
  operationId: 'usage_analytics',
  tag: 'Account',
  summary: 'Credits by operation',
  description:
    'Charged calls of the account and their credits, by operation, over the last days or over this UTC month.',
  auth: 'key',
  cost: flat(0),
  ofAccount: true,
  query: {
    days: Type.Integer({
      default: 30,
      minimum: 1,
      maximum: 90,
      description: 'UTC days, today included. Ignored with `period=billing`.',
    }),
    period: choice(UsagePeriod, {
      default: 'rolling',
      description: '`rolling`: the last `days` days; `billing`: this UTC month.',
    }),
  },
  ok: {
    description: 'The use of the account by operation.',
    schema: UsageAnalytics,
    example: {
      period: 'rolling',
      period_days: 30,
      period_start: '2026-10-23T00:00:00.000Z',
      period_end: '2026-11-21T03:00:00.000Z',
      credits_limit: 3000,
      credits_used_this_period: 1240,
      credits_remaining: 1760,
      total_calls: 700,
      total_credits: 1400,
      by_endpoint: [{ endpoint: '/v1/racing/next-to-go', calls: 700, credits: 1400 }],
    },
  },
  async handler({ caller, query, services: { account } }) {
    const use = await account.read(caller!, query.days);
    return { body: presentAnalytics(query.period, use, query.days, account.wallMs()) };
  },
});
