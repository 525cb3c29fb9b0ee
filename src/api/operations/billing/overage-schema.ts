// GET and POST /v1/billing/overage (A 4.13, A 8; shapes 11).
import { Type } from '@sinclair/typebox';
import { amount, count, instant, named, text, yes } from '../../wire/vocabulary';

export const OverageChoice = named(
  'OverageChoice',
  Type.Object(
    { enabled: yes('True: calls go on beyond the allowance, up to the ceiling, and are billed.') },
    { additionalProperties: false, examples: [{ enabled: true }] },
  ),
);

export const Overage = named(
  'Overage',
  Type.Object({
    enabled: yes('Whether calls go on beyond the allowance.'),
    plan: text('Plan of the account.'),
    credits_per_month: count('Allowance of the plan.'),
    ceiling: count('Credits of a month at which calls stop, without granted ones: the allowance if overage is off.'),
    rate_per_1000_credits: amount('A$ for 1,000 credits beyond the allowance: the plan’s own price.'),
    currency: text('`AUD`.'),
    period_start: instant('The first instant of this UTC month.'),
    overage_credits: count('Credits of this month beyond the allowance.'),
    invoice_now: amount('A$ that this month would be invoiced now.'),
  }),
);
