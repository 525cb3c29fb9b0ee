// What an account pays: links to the pages of the payment provider, and the end of a subscription (shapes 3.7).
import { Type } from '@sinclair/typebox';
import { INTERVALS, PRICED_PLANS } from '../../../plans/prices';
import { amount, instant, link, named, nullable, oneOf, text, yes } from '../../wire/vocabulary';

const STRICT = { additionalProperties: false } as const;

const PLAN_NAMES = PRICED_PLANS.map(({ id }) => id);

export const PaidPlan = named('PaidPlan', oneOf(PLAN_NAMES, { description: 'A plan that can be bought.' }));
export const BillingInterval = named(
  'BillingInterval',
  oneOf(INTERVALS, { description: 'How a plan is paid: by the month, or by the year for the price of ten months.' }),
);

const expiresAt = (description: string) => Type.Integer({ minimum: 0, description });

export const BillingPortal = named(
  'BillingPortal',
  Type.Object({
    url: link(
      'A page of Stripe for your account: invoices, card, plan and cancellation. For one person to open now; never pass it on.',
    ),
    expires_at: expiresAt('Until when the page can be opened, in Unix seconds.'),
    note: text('What the page is for.'),
  }),
);

export const UpgradeLinkRequest = named(
  'UpgradeLinkRequest',
  Type.Object(
    {
      plan: Type.Unsafe<string>({ ...oneOf(PLAN_NAMES), 'x-shown-as': PaidPlan }),
      interval: Type.Optional(
        Type.Unsafe<(typeof INTERVALS)[number]>({
          ...oneOf(INTERVALS),
          default: 'month',
          'x-shown-as': BillingInterval,
        }),
      ),
      email: Type.Optional(
        nullable(Type.String({ maxLength: 254, description: 'Not used: invoices go to the address of the account.' })),
      ),
    },
    { ...STRICT, examples: [{ plan: 'plus', interval: 'month' }] },
  ),
);

export const UpgradeLink = named(
  'UpgradeLink',
  Type.Object({
    url: link(
      'Leads to the page of Stripe on which the upgrade is paid. It changes nothing by itself. Open it in a browser.',
    ),
    expires_at: expiresAt('Until when it works, in Unix seconds.'),
    plan: PaidPlan,
    interval: BillingInterval,
    price_aud: amount('Price of one interval in A$, GST included.'),
    prorated: yes('True: an existing subscription changes in place, and what is left of it counts.'),
    note: text('What happens when it is opened.'),
    due_now_aud: Type.Optional(
      amount(
        'Of a new subscription: what is paid now in A$, GST included, for the time until `renews_at`. It falls by the second until it is paid; less than A$0.50 is 0 here and comes with the next invoice.',
      ),
    ),
    renews_at: Type.Optional(
      instant(
        'Of a new subscription: the first of a month, 00:00 UTC, from which on whole intervals are paid, as credits are counted.',
      ),
    ),
  }),
);

export const UpgradePage = named(
  'UpgradePage',
  Type.Object({
    url: link('The page of Stripe on which the upgrade is paid.'),
    expires_at: expiresAt('Until when the page can be opened, in Unix seconds.'),
  }),
);

export const Cancelled = named(
  'SubscriptionCancelled',
  Type.Object({
    status: oneOf(['cancelled'], { description: 'The subscription is not renewed.' }),
    plan: PaidPlan,
    interval: BillingInterval,
    ends_at: instant('The end of the period that was invoiced last. A plan that is paid stays as it is until then.'),
    note: text('What happens then.'),
  }),
);
