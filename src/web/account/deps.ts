// The dependencies of the account pages: the services of accounts, and the HTTP of a request, which the API brings.
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { Accounts } from '../../accounts/accounts';
import type { PasswordChange } from '../../accounts/credentials';
import type { MailStops } from '../../accounts/mail/stop-links';
import type { PasskeyTry } from '../../accounts/passkeys/passkeys';
import type { SignupToken } from '../../accounts/signup';
import type { Session, SessionCookies, Visitor } from '../../accounts/visitor';
import type { AppError } from '../../errors';
import type { SessionStore } from '../../store/accounts/sessions';
import type { BookmakerChoiceStore } from '../../store/bookmaker-choices';
import type { StoredWebhook } from '../../store/webhooks/webhooks';
import type { DeliveryPage, StoredDelivery, TestOutcome } from '../../store/webhooks/webhooks-deliveries';
import type { OwnedJobs } from './backfill/source';
import type { OwnedFiles } from './files/source';
import type { OwnAccountDeps } from './own-account';

/** The browser that sends a request: its address, its cookies, and the session that they open. */
export interface AccountBrowser {
  readonly address: string;
  /** The same browser without HTTP. */
  readonly visitor: Visitor;
  /** Whether it sends a session, without reading it. */
  readonly hasSession: boolean;
  cookie(name: string): string | undefined;
  setCookie(name: string, value: string, seconds: number): void;
  /** Null: there is no session, or it has ended. */
  session(): Promise<Session | null>;
  keepSignup(pending: SignupToken): void;
  keepPasskeyTry(wanted: Pick<PasskeyTry, 'token' | 'seconds'>): void;
  keepSignedIn(signedIn: SessionCookies): void;
  /** Deletes the cookie of the session. */
  forgetSession(): void;
  /** Counts a call of the payment provider. Throws `rate_limit` beyond the limit of the address. */
  countProviderCall(): Promise<void>;
}

/** A document that is saved as a file. */
export interface Download {
  readonly name: string;
  readonly type: 'application/json; charset=utf-8' | 'text/csv; charset=utf-8';
  readonly pieces: AsyncIterable<string> | Iterable<string>;
}

/** Judges a form as the operation that does the same judges its body. Every method throws `validation`. */
interface FormJudge {
  label(text: string): string;
  /** Returns the CIDR form. The list may leave this browser out, because no key is used from it. */
  addresses(texts: readonly string[]): readonly string[];
  password(change: Pick<PasswordChange, 'current' | 'password'>): void;
}

type Owner = Pick<Session, 'accountId'>;

/** The account's webhooks as operations change them. All but `create` throw `not_found` for one of another account. */
interface OwnedWebhooks {
  /** Resolves to the webhook and its secret. */
  create(
    owner: Pick<Session, 'accountId' | 'plan'>,
    url: string,
    filters: object,
  ): Promise<readonly [StoredWebhook, string]>;
  change(owner: Owner, webhookId: string, filters: object, more: { readonly paused: boolean }): Promise<unknown>;
  rotateSecret(owner: Owner, webhookId: string, immediate: boolean): Promise<readonly [StoredWebhook, string]>;
  remove(owner: Owner, webhookId: string): Promise<void>;
  test(owner: Owner, webhookId: string): Promise<{ readonly outcome: TestOutcome }>;
  replay(owner: Owner, webhookId: string, deliveryId: string): Promise<unknown>;
  deliveries(owner: Owner, webhookId: string, page: DeliveryPage): Promise<readonly StoredDelivery[]>;
}

export interface AccountPagesDeps extends OwnAccountDeps {
  readonly accounts: Accounts;
  readonly webhookService: OwnedWebhooks;
  readonly mailStops: MailStops;
  readonly jobs: OwnedJobs;
  readonly files: OwnedFiles;
  readonly bookmakers: BookmakerChoiceStore;
  readonly sessions: Pick<SessionStore, 'remove' | 'removeAll'>;
  /** Whose forms are the service's own. */
  readonly ownOrigins: readonly string[];
  readonly judge: FormJudge;
  browserOf(ctx: Context): AccountBrowser;
  /** Throws an `AppError` for what is no form, or too large. */
  readForm(request: IncomingMessage): Promise<URLSearchParams>;
  /**
   * No more is read than the client takes. What fails ends the connection, so that no part is taken for the whole.
   * Rejects if nothing was sent.
   */
  sendDownload(ctx: Context, download: Download): Promise<void>;
  /** What a person may read of an error. */
  refusalOf(ctx: Context, error: unknown): AppError;
}
