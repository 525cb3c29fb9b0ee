// What the account pages need from outside: the services of accounts, in plain values. Every method may throw an
// `AppError`, whose sentences the pages show beside their fields. Nothing here returns a key that was shown before.

import type { Webhooks } from './webhooks';
import type { Widgets } from './widgets';

/** The browser that sends a request: its address and its cookies. */
export interface Visitor {
  readonly address: string;
  /** What limits count: the address, or the /64 of an IPv6 address. */
  readonly network: string;
  cookie(name: string): string | undefined;
  setCookie(name: string, value: string, seconds: number): void;
}

interface SignUp {
  readonly email: string;
  /** Null: the owner signs in by mailed links. */
  readonly password: string | null;
  readonly termsAccepted: boolean;
  readonly marketingOptIn: boolean;
  /** The plan that the visitor came for; null: none. */
  readonly plan: string | null;
  /** Of the account that recommended the service; null: none. */
  readonly referral: string | null;
}

/** A key that was just minted: it is shown in one response and never again. */
export interface NewKey {
  readonly key: string;
  /** Until when the key that was in use works; null: that key has ended, or there was none. */
  readonly previousValidUntilMs: number | null;
}

export interface Verified extends NewKey {
  /** The plan that the visitor came for; null: none but Free. */
  readonly wantedPlan: PlanCard | null;
  /** False: none was given, or another browser signed up. */
  readonly hasPassword: boolean;
}

export type LinkPurpose = 'verify' | 'login' | 'reset' | 'replace_key';

/** A mailed link, before its button is pressed. */
export interface LinkView {
  /** Null: the link does not exist. */
  readonly purpose: LinkPurpose | null;
  readonly state: 'open' | 'used' | 'expired' | 'unknown';
  /** Masked. */
  readonly email: string | null;
}

export interface PlanCard {
  readonly id: string;
  readonly title: string;
  /** A$; null by agreement. */
  readonly monthlyPriceAud: number | null;
  readonly monthlyCredits: number;
  readonly requestsPerMinute: number;
  readonly horizonHours: number;
  /** Keys of the account, the primary one included. */
  readonly keys: number;
}

export interface NextPlan extends PlanCard {
  /** What it may do that the present plan may not. */
  readonly adds: readonly string[];
}

export interface KeyCard {
  readonly id: string;
  readonly label: string;
  /** Its last four characters: no more of it is stored. */
  readonly last4: string;
  readonly isPrimary: boolean;
  readonly createdMs: number;
  readonly rotatedMs: number | null;
  readonly previousValidUntilMs: number | null;
  readonly lastUsedMs: number | null;
  /** Of this month. */
  readonly calls: number;
  readonly credits: number;
  /** Addresses and CIDR ranges that may use it; empty: all. */
  readonly allowed: readonly string[];
}

/** Charged calls of one operation on one UTC day. */
export interface DayUse {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly endpoint: string;
  readonly calls: number;
  readonly credits: number;
}

export interface CreditUse {
  readonly startMs: number;
  /** The first instant of the next month. */
  readonly resetMs: number;
  readonly used: number;
  /** Of the month, granted credits included. */
  readonly limit: number;
  /** From 80 % of what needs no overage on. */
  readonly isNear: boolean;
  readonly remaining: number;
  /** Of the remaining ones, those that do not expire. */
  readonly granted: number;
  /** Of the whole month at the present rate; null: too early to measure. */
  readonly projected: number | null;
  readonly days: readonly DayUse[];
}

/** What may be paid for, and how. */
export interface Billing {
  /** What the account may change to at once. */
  readonly offers: readonly {
    readonly plan: string;
    readonly title: string;
    readonly interval: 'month' | 'year';
    /** Of one interval. */
    readonly priceAud: number;
  }[];
  /** Whether there is a page with invoices and cards. */
  readonly hasPortal: boolean;
  readonly canCancel: boolean;
  /** A subscription that gives no plan, because it is not paid, is still invoiced. */
  readonly hasLapsed: boolean;
  /** The plan that an operator set: it stays when the subscription ends. Null: Free follows. */
  readonly agreedTitle: string | null;
  /** When the paid plan ends after a cancellation; null: it goes on. */
  readonly endsMs: number | null;
  /** Null: the plan has no overage. */
  readonly overage: { readonly isOn: boolean; readonly pct: number; readonly audPerThousand: number } | null;
}

/** What recommending the service brings. */
export interface ReferralView {
  readonly link: string;
  /** Of each side. */
  readonly creditsEach: number;
  readonly payout: 'credits' | 'none';
  /** Accounts that signed up with the link. */
  readonly signedUp: number;
  /** Of them, those that have paid. */
  readonly paid: number;
  readonly creditsEarned: number;
}

export interface AccountView {
  /** Null: an operator made the account. */
  readonly email: string | null;
  readonly plan: PlanCard;
  /** Null: there is none above. */
  readonly next: NextPlan | null;
  /** Null: every key of the account was withdrawn. */
  readonly key: KeyCard | null;
  readonly team: readonly KeyCard[];
  readonly credits: CreditUse;
  readonly hasPassword: boolean;
  readonly marketingOptIn: boolean;
  /** Null: this service takes no payments. */
  readonly billing: Billing | null;
  /** Null like `billing`: rewards come with payments. */
  readonly referral: ReferralView | null;
  readonly webhooks: Webhooks;
  readonly widgets: Widgets;
}

interface PasswordChange {
  /** Null: the account has none. */
  readonly current: string | null;
  readonly password: string;
}

interface TeamKeyDraft {
  readonly label: string;
  readonly allowed: readonly string[];
}

/** The account whose owner is signed in. */
export interface OwnerConsole {
  /** `webhook`: the id of the one whose deliveries are wanted, as the address has it. */
  view(webhook?: string | null): Promise<AccountView>;
  /** `immediate`: the present key ends at once, not after a day. */
  rotateKey(immediate: boolean): Promise<NewKey>;
  /** Mints a replacement for a key that is lost, because no key is stored. */
  revealKey(): Promise<NewKey>;
  /** Of the primary key. */
  allow(ranges: readonly string[]): Promise<void>;
  addTeamKey(draft: TeamKeyDraft): Promise<NewKey>;
  changeTeamKey(id: string, draft: TeamKeyDraft): Promise<void>;
  endTeamKey(id: string): Promise<void>;
  setPassword(change: PasswordChange): Promise<void>;
  setMarketing(optIn: boolean): Promise<void>;
  /** The payment provider's page where the plan is bought or changed. */
  upgradeUrl(plan: string, interval: string): Promise<string>;
  /** The payment provider's page of invoices and cards. */
  portalUrl(): Promise<string>;
  cancelPlan(): Promise<void>;
  setOverage(isOn: boolean): Promise<void>;
  choosePayout(payout: ReferralView['payout']): Promise<void>;
  signOut(): Promise<void>;
  signOutEverywhere(): Promise<void>;
}

export interface AccountSource {
  /** Public address of the API, without a trailing slash. */
  readonly baseUrl: string;
  /** Whose forms are the service's own. */
  readonly ownOrigins: readonly string[];
  readonly freePlan: PlanCard;
  /** Characters of a password. */
  readonly passwordLength: { readonly least: number; readonly most: number };
  /** Resolves alike for an address with and without an account. `suggestion`: the address that was perhaps meant. */
  signUp(visitor: Visitor, draft: SignUp): Promise<{ readonly suggestion: string | null }>;
  /** Changes nothing. */
  viewLink(token: string): Promise<LinkView>;
  /** Opens the account and signs its owner in. */
  verify(visitor: Visitor, token: string): Promise<Verified>;
  logIn(visitor: Visitor, email: string, password: string): Promise<void>;
  /** Resolves alike for an address with and without an account, as the next two do. */
  mailLoginLink(visitor: Visitor, email: string): Promise<void>;
  mailResetLink(visitor: Visitor, email: string): Promise<void>;
  logInByLink(visitor: Visitor, token: string): Promise<void>;
  resetPassword(visitor: Visitor, token: string, password: string): Promise<void>;
  /** By the mailed link. */
  replaceKey(visitor: Visitor, token: string): Promise<NewKey>;
  /** Whether the browser sends a session, without reading it. */
  hasSession(visitor: Visitor): boolean;
  /** Null: there is no session, or it has ended. */
  signedIn(visitor: Visitor): Promise<OwnerConsole | null>;
}
