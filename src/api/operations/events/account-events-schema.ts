// Events of an account (D65): what its owner is mailed about, for the webhooks that its primary key had named them.
import { type TProperties, Type } from '@sinclair/typebox';
import type { AccountEventKind, AccountFacts } from '../../../domain/events/account-event';
import { count, instant, named, nullable, oneOf, text, whole, yes } from '../../wire/vocabulary';
import { exampleEvent, otherEventMembers, type PublishedEvent } from './members-schema';

const ONLY = 'Sent only to webhooks that name it in `events` with the primary key.';

interface Published<K extends AccountEventKind> {
  /** Of its component. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly members: Readonly<Record<keyof AccountFacts[K], TProperties[string]>>;
  readonly example: AccountFacts[K];
}

function published<K extends AccountEventKind>(kind: K, { name, members, ...one }: Published<K>): PublishedEvent {
  return {
    summary: one.summary,
    description: `${one.description} ${ONLY}`,
    schema: named(name, Type.Object({ ...otherEventMembers(kind), ...members })),
    example: { ...exampleEvent(kind), sequence: null, ...one.example },
  };
}

const month = text('The UTC month, `YYYY-MM`.');
const plan = text('Plan of the account.');
const keyMembers = {
  key_id: text('Names the key, as in `GET /v1/keys/team`; stays when the key is replaced.'),
  last4: text('The last four characters of the key.'),
};
const replacedMembers = {
  ...keyMembers,
  last4: text('The last four characters of the new key.'),
  previous_valid_until: nullable(instant('Until when the key before it works (UTC). Null: it does not work any more.')),
};
const passkeyMembers = { passkey_id: text('Id of the passkey.') };
const examplePasskey = { passkey_id: '0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10' };
const exampleKey = { key_id: 'tk_mfrggzdfmztwq2lknnwg23tpoa', last4: 'Lk2w' };
const exampleReplaced = { ...exampleKey, previous_valid_until: '2026-11-22T05:02:11.480Z' };

export const ACCOUNT_EVENTS: Readonly<Record<AccountEventKind, PublishedEvent>> = {
  'account.payment_failed': published('account.payment_failed', {
    name: 'AccountPaymentFailedEvent',
    summary: 'A payment failed',
    description: 'An invoice of the plan is not paid. The payment provider tries the card again; the plan goes on.',
    members: {
      plan,
      unpaid_since: instant('When the first unpaid invoice was issued (UTC).'),
      plan_ends_at: instant('When the plan ends if the invoice is still not paid (UTC).'),
    },
    example: { plan: 'plus', unpaid_since: '2026-11-21T05:02:11.480Z', plan_ends_at: '2026-12-21T05:02:11.480Z' },
  }),
  'account.plan_changed': published('account.plan_changed', {
    name: 'AccountPlanChangedEvent',
    summary: 'The plan changed or ended',
    description:
      'The account is on another plan; on `free` if its plan has ended. What a plan without webhooks misses can be replayed later.',
    members: {
      plan,
      previous_plan: text('The plan before.'),
      unpaid_since: nullable(
        instant('If the plan ended because an invoice is not paid: when it was issued (UTC). Otherwise null.'),
      ),
    },
    example: { plan: 'business', previous_plan: 'plus', unpaid_since: null },
  }),
  'account.credits_used': published('account.credits_used', {
    name: 'AccountCreditsUsedEvent',
    summary: '80 or 100 % of the month’s credits are used',
    description: 'Once for each threshold, and again if credits were added since. After 100 no 80 follows.',
    members: {
      threshold_pct: Type.Unsafe<80 | 100>({
        type: 'integer',
        enum: [80, 100],
        description: 'The threshold that was reached, in percent of the included credits.',
      }),
      month,
      plan,
      credits_used: count('Credits used in the month, overage apart.'),
      credits_included: count('Credits of the plan and granted ones. Use beyond them is overage, or refused (402).'),
      overage: yes('Whether overage is switched on.'),
      resets_at: instant('When the next month begins (UTC).'),
    },
    example: {
      ...{ threshold_pct: 80, month: '2026-11', plan: 'plus', credits_used: 112_400, credits_included: 140_000 },
      ...{ overage: false, resets_at: '2026-12-01T00:00:00.000Z' },
    },
  }),
  'account.overage_begun': published('account.overage_begun', {
    name: 'AccountOverageBegunEvent',
    summary: 'Overage has begun in a month',
    description: 'Once for each UTC month in which credits beyond the allowance are used. They are invoiced after it.',
    members: { month, plan, overage_credits: count('Credits used beyond the allowance when it was found.') },
    example: { month: '2026-11', plan: 'business', overage_credits: 1200 },
  }),
  'account.overage_ended': published('account.overage_ended', {
    name: 'AccountOverageEndedEvent',
    summary: 'Overage was switched off',
    description: 'The service switched overage off, because overage of a month is not paid. The plan stays.',
    members: {
      unpaid_month: text('The UTC month of the overage that is not paid, `YYYY-MM`.'),
      invoiced_at: nullable(instant('When it was invoiced (UTC). Null: it could not be invoiced.')),
    },
    example: { unpaid_month: '2026-10', invoiced_at: '2026-11-02T02:00:00.000Z' },
  }),
  'account.key_rotated': published('account.key_rotated', {
    name: 'AccountKeyRotatedEvent',
    summary: 'A key was replaced',
    description: 'The key itself is in no event.',
    members: replacedMembers,
    example: exampleReplaced,
  }),
  'account.key_revealed': published('account.key_revealed', {
    name: 'AccountKeyRevealedEvent',
    summary: 'A new key was shown in place of a lost one',
    description:
      'Somebody who was signed in, or had a mailed link, was shown a new key. The key itself is in no event.',
    members: replacedMembers,
    example: exampleReplaced,
  }),
  'account.key_added': published('account.key_added', {
    name: 'AccountKeyAddedEvent',
    summary: 'A key was added to the team',
    description: 'The key itself is in no event.',
    members: keyMembers,
    example: exampleKey,
  }),
  'account.key_deleted': published('account.key_deleted', {
    name: 'AccountKeyDeletedEvent',
    summary: 'A key of the team was deleted',
    description: 'Calls with it fail from then on.',
    members: keyMembers,
    example: exampleKey,
  }),
  'account.key_addresses_changed': published('account.key_addresses_changed', {
    name: 'AccountKeyAddressesChangedEvent',
    summary: 'The allowed addresses of a key changed',
    description: 'The addresses are in no event.',
    members: { ...keyMembers, is_restricted: yes('False: every address may use the key.') },
    example: { ...exampleKey, is_restricted: true },
  }),
  'account.password_changed': published('account.password_changed', {
    name: 'AccountPasswordChangedEvent',
    summary: 'The password changed',
    description: 'Every other device was signed out.',
    members: {},
    example: {},
  }),
  'account.email_changed': published('account.email_changed', {
    name: 'AccountEmailChangedEvent',
    summary: 'The email address of the account changed',
    description: 'The addresses are in no event.',
    members: { is_undo: yes('Whether an earlier address took a change back.') },
    example: { is_undo: false },
  }),
  'account.new_browser': published('account.new_browser', {
    name: 'AccountNewBrowserEvent',
    summary: 'A sign-in from a new browser',
    description: 'At most once a day for each network and kind of browser.',
    members: { browser: nullable(text('Browser and system, such as `Firefox on Windows`. Null: unknown.')) },
    example: { browser: 'Firefox on Windows' },
  }),
  'account.passkey_added': published('account.passkey_added', {
    name: 'AccountPasskeyAddedEvent',
    summary: 'A passkey was added',
    description: 'It signs in to the console.',
    members: passkeyMembers,
    example: examplePasskey,
  }),
  'account.passkey_removed': published('account.passkey_removed', {
    name: 'AccountPasskeyRemovedEvent',
    summary: 'A passkey was removed',
    description: 'It signs in no more.',
    members: passkeyMembers,
    example: examplePasskey,
  }),
  'account.passkey_refused': published('account.passkey_refused', {
    name: 'AccountPasskeyRefusedEvent',
    summary: 'A sign-in with a passkey was refused',
    description: 'Its signature was right, and it counts fewer sign-ins than before, as a copy of it would.',
    members: passkeyMembers,
    example: examplePasskey,
  }),
  'account.webhook_disabled': published('account.webhook_disabled', {
    name: 'AccountWebhookDisabledEvent',
    summary: 'A webhook was disabled',
    description: 'Sent to the other webhooks.',
    members: {
      webhook_id: text('`id` of the webhook.'),
      reason: oneOf(['gone', 'failing'], {
        description: '`gone`: its receiver responded with 410. `failing`: attempts failed for five days.',
      }),
    },
    example: { webhook_id: 'wh_3f9a1c07b2d4', reason: 'failing' },
  }),
  'account.widget_near_limit': published('account.widget_near_limit', {
    name: 'AccountWidgetNearLimitEvent',
    summary: 'A widget has used 80 % of its month',
    description: 'Once for each `max_fills_per_month` of a month.',
    members: {
      month,
      widget_id: text('`id` of the widget.'),
      fills: count('Fills in the month when it was found.'),
      max_fills_per_month: whole('Its limit.'),
    },
    example: { month: '2026-11', widget_id: 'wg_r4hfygr4k5fh5hyonmpqxgrnce', fills: 800, max_fills_per_month: 1000 },
  }),
};
