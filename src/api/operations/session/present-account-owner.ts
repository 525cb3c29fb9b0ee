// An owner's view of the account, and the sentences that follow sign-up and mailed links.
import type { Static } from '@sinclair/typebox';
import type { ReplacedKey } from '../../../accounts/credentials';
import { maskAddress } from '../../../accounts/email/address';
import type { VerifiedAccount } from '../../../accounts/signup';
import type { SessionCookies as SignedInBrowser } from '../../../accounts/visitor';
import { planNamed } from '../../../plans/plans';
import type { OwnedAccount } from '../../../store/accounts/owners';
import type { AccountView } from './account-schema';
import type { LinkRedeemed, SignedIn } from './credentials-schema';
import type { PendingSignup } from './signup-schema';

export function presentSignup(plan: string, suggestion: string | null): Static<typeof PendingSignup> {
  const sentences = [
    'Open the link in the mail and press the button: the page shows your key.',
    ...(plan === 'free' ? [] : [`The account starts on the Free plan; choose ${planNamed(plan)!.title} there.`]),
    ...(suggestion === null ? [] : [`If no mail arrives: did you mean ${suggestion}?`]),
  ];
  return {
    status: 'pending_verification',
    plan: 'free',
    requested_plan: plan,
    api_key: null,
    suggestion,
    message: sentences.join(' '),
  };
}

export const presentSignedIn = ({ expiresAt }: SignedInBrowser): Static<typeof SignedIn> => ({
  status: 'signed_in',
  expires_at: expiresAt,
});

export function presentVerified({
  signedIn,
  key,
  wantedPlan,
  hasPassword,
}: VerifiedAccount): Static<typeof LinkRedeemed> {
  const sentences = [
    'Keep the key: it is not shown again.',
    ...(hasPassword ? [] : ['You sign in with mailed links until you set a password.']),
    ...(wantedPlan === 'free'
      ? []
      : [`The account is on the Free plan; ${planNamed(wantedPlan)!.title} is bought on its page.`]),
  ];
  return {
    status: 'verified',
    expires_at: signedIn.expiresAt,
    api_key: key,
    previous_key_valid_until: null,
    message: sentences.join(' '),
  };
}

export const presentLoginByLink = ({ expiresAt }: SignedInBrowser): Static<typeof LinkRedeemed> => ({
  status: 'signed_in',
  expires_at: expiresAt,
  api_key: null,
  previous_key_valid_until: null,
  message: 'You are signed in.',
});

export const presentReplacedKey = ({ key, previousValidUntil }: ReplacedKey): Static<typeof LinkRedeemed> => ({
  status: 'key_replaced',
  expires_at: null,
  api_key: key,
  previous_key_valid_until: previousValidUntil,
  message: 'Keep the key: it is not shown again.',
});

/** `byKey`: the address is only shown to a session. */
export function presentAccount(account: OwnedAccount, byKey: boolean): Static<typeof AccountView> {
  const { email, termsAcceptedAt, termsVersion, privacyVersion, passwordHash, marketingOptIn, marketingChangedAt } =
    account;
  return {
    account_id: account.accountId,
    plan: planNamed(account.plan)?.id ?? account.plan,
    created_at: account.createdAt,
    email: byKey ? null : email,
    email_masked: email && maskAddress(email),
    has_password: email === null ? null : passwordHash !== null,
    marketing_opt_in: marketingOptIn,
    marketing_changed_at: marketingChangedAt,
    terms_accepted_at: termsAcceptedAt,
    terms_version: termsVersion,
    privacy_version: privacyVersion,
  };
}
