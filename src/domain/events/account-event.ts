// What happened to an account, as its owner is mailed about it, for the webhooks that its primary key had named it
// (D65). No body has a secret, a label, an e-mail address or a network address. Pure.
import type { Instant } from '../race/race';

interface KeyNamed {
  /** Public. */
  readonly key_id: string;
  readonly last4: string;
}

interface KeyReplaced extends KeyNamed {
  readonly previous_valid_until: Instant | null;
}

interface PasskeyNamed {
  readonly passkey_id: string;
}

/** The members of each kind, but for those that every event has. */
export interface AccountFacts {
  readonly 'account.payment_failed': {
    readonly plan: string;
    readonly unpaid_since: Instant;
    readonly plan_ends_at: Instant;
  };
  readonly 'account.plan_changed': {
    readonly plan: string;
    readonly previous_plan: string;
    readonly unpaid_since: Instant | null;
  };
  readonly 'account.credits_used': {
    readonly threshold_pct: 80 | 100;
    readonly month: string;
    readonly plan: string;
    readonly credits_used: number;
    readonly credits_included: number;
    readonly overage: boolean;
    readonly resets_at: Instant;
  };
  readonly 'account.overage_begun': {
    readonly month: string;
    readonly plan: string;
    readonly overage_credits: number;
  };
  readonly 'account.overage_ended': { readonly unpaid_month: string; readonly invoiced_at: Instant | null };
  readonly 'account.key_rotated': KeyReplaced;
  readonly 'account.key_revealed': KeyReplaced;
  readonly 'account.key_added': KeyNamed;
  readonly 'account.key_deleted': KeyNamed;
  readonly 'account.key_addresses_changed': KeyNamed & { readonly is_restricted: boolean };
  readonly 'account.password_changed': Readonly<Record<never, never>>;
  readonly 'account.email_changed': { readonly is_undo: boolean };
  readonly 'account.new_browser': { readonly browser: string | null };
  readonly 'account.passkey_added': PasskeyNamed;
  readonly 'account.passkey_removed': PasskeyNamed;
  readonly 'account.passkey_refused': PasskeyNamed;
  readonly 'account.webhook_disabled': { readonly webhook_id: string; readonly reason: 'gone' | 'failing' };
  readonly 'account.widget_near_limit': {
    readonly month: string;
    readonly widget_id: string;
    readonly fills: number;
    readonly max_fills_per_month: number;
  };
}

export type AccountEventKind = keyof AccountFacts;

export interface AccountEvent<K extends AccountEventKind = AccountEventKind> {
  readonly kind: K;
  /** Of the fact. */
  readonly at: Instant;
  readonly facts: AccountFacts[K];
}

/** Its members fit its kind. */
export const accountEvent = <K extends AccountEventKind>(
  kind: K,
  at: Instant,
  facts: AccountFacts[K],
): AccountEvent => ({
  kind,
  at,
  facts,
});

const EVERY: Readonly<Record<AccountEventKind, true>> = {
  'account.payment_failed': true,
  'account.plan_changed': true,
  'account.credits_used': true,
  'account.overage_begun': true,
  'account.overage_ended': true,
  'account.key_rotated': true,
  'account.key_revealed': true,
  'account.key_added': true,
  'account.key_deleted': true,
  'account.key_addresses_changed': true,
  'account.password_changed': true,
  'account.email_changed': true,
  'account.new_browser': true,
  'account.passkey_added': true,
  'account.passkey_removed': true,
  'account.passkey_refused': true,
  'account.webhook_disabled': true,
  'account.widget_near_limit': true,
};

/** All of them begin with `account.`, and no other kind does: `webhook_wants` and the list of events rely on it. */
export const ACCOUNT_EVENT_KINDS = Object.keys(EVERY) as readonly AccountEventKind[];

export const isAccountEvent = (kind: string): boolean => kind.startsWith('account.');
