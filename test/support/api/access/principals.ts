// Who sends requests: one principal for each property of a caller that the service checks (A 5, A 7, D7, D14, D38,
// D68).

export interface Principal {
  readonly name: string;
  /** The content of `X-API-Key`. `ended`: its last day as a replaced key is over; `replaced`: it is not over yet. */
  readonly key: 'none' | 'mistyped' | 'never issued' | 'revoked' | 'ended' | 'replaced' | 'good';
  readonly session: 'none' | 'good' | 'ended';
  /** A browser sends the request from a page of another site. */
  readonly isForeignPage: boolean;
  readonly plan: string;
  readonly role: 'customer' | 'internal' | 'pusher';
  /** The scope of a pusher's key. */
  readonly book: string | null;
  readonly isPrimary: boolean;
  /** The scopes of a team key; null: everything. */
  readonly scopes: readonly string[] | null;
  /** The allow-list of the key contains other addresses. */
  readonly isElsewhere: boolean;
  readonly isOverLimit: boolean;
  readonly isSpent: boolean;
  /** Issued before the end of the grandfathered rights (D11). */
  readonly isOld: boolean;
  /** The account has a key of a team. */
  readonly hasTeam: boolean;
  /** Names things that belong to another account. */
  readonly isStranger: boolean;
}

const USUAL: Omit<Principal, 'name'> = {
  key: 'good',
  session: 'none',
  isForeignPage: false,
  plan: 'platform',
  role: 'customer',
  book: null,
  isPrimary: true,
  scopes: null,
  isElsewhere: false,
  isOverLimit: false,
  isSpent: false,
  isOld: false,
  hasTeam: false,
  isStranger: false,
};

const SOLD = ['free', 'hobby', 'standard', 'plus', 'business', 'platform', 'scale', 'enterprise'];
const LEGACY = ['starter', 'growth', 'pro'];
const OF_BUSINESS = ['pro', 'business', 'platform', 'scale', 'enterprise'];

const plans: Principal[] = [...SOLD, ...LEGACY].map((plan) => ({
  ...USUAL,
  name: plan,
  plan,
  hasTeam: OF_BUSINESS.includes(plan),
}));

const called = (name: string, more: Partial<Principal>): Principal => ({ ...USUAL, name, ...more });
const team = (name: string, scopes: Principal['scopes'], more: Partial<Principal> = {}): Principal =>
  called(name, { isPrimary: false, scopes, hasTeam: true, ...more });
const signedIn = (name: string, more: Partial<Principal>): Principal =>
  called(name, { key: 'none', session: 'good', ...more });

/** Owns the things in requests without a key. */
export const BUYER: Principal = called('buyer', { plan: 'free' });

export const PRINCIPALS: readonly Principal[] = [
  ...plans,
  called('standard_old', { plan: 'standard', isOld: true }),
  // Was once on Business.
  called('with_team', { plan: 'free', hasTeam: true }),
  called('no_key', { key: 'none' }),
  called('mistyped', { key: 'mistyped' }),
  called('never_issued', { key: 'never issued' }),
  called('revoked', { key: 'revoked' }),
  called('ended', { key: 'ended' }),
  called('replaced', { key: 'replaced', hasTeam: true }),
  called('replaced_free', { key: 'replaced', plan: 'free' }),
  called('elsewhere', { isElsewhere: true }),
  called('elsewhere_ended', { isElsewhere: true, key: 'ended' }),
  called('elsewhere_over_limit', { isElsewhere: true, isOverLimit: true }),
  called('over_limit', { isOverLimit: true }),
  called('over_limit_free', { isOverLimit: true, plan: 'free' }),
  called('spent', { isSpent: true, hasTeam: true }),
  called('spent_free', { isSpent: true, plan: 'free' }),
  called('stranger', { isStranger: true, hasTeam: true }),
  team('team', null),
  team('team_read', ['read']),
  team('team_archive', ['archive']),
  team('team_webhooks', ['webhooks']),
  team('team_backfill', ['backfill']),
  team('team_of_free', ['read'], { plan: 'free' }),
  team('team_spent', ['archive'], { isSpent: true }),
  team('team_stranger', ['webhooks'], { isStranger: true }),
  called('operator', { role: 'internal', plan: 'enterprise', hasTeam: true }),
  called('pusher', { role: 'pusher', plan: 'enterprise', book: 'boostbet' }),
  called('pusher_of_other', { role: 'pusher', plan: 'enterprise', book: 'dabble_au' }),
  signedIn('session_free', { plan: 'free' }),
  signedIn('session_business', { plan: 'business' }),
  signedIn('session_ended', { session: 'ended' }),
  signedIn('session_foreign', { isForeignPage: true }),
  signedIn('foreign_page', { session: 'none', isForeignPage: true }),
  signedIn('session_and_bad_key', { key: 'never issued' }),
];
