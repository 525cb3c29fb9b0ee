// Sign-up, sign-in and their mail in an API process: the parts that `main` starts and stops.
import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Accounts, createAccounts } from '../../../accounts/accounts';
import { keepPriceAlerts } from '../../../accounts/alerts/pass';
import { createReceivesMail, DNS_WITHIN_MS, type ReceivesMail } from '../../../accounts/email/mail-domain';
import { mailboxOf } from '../../../accounts/email/mailbox';
import { startHousekeeping } from '../../../accounts/housekeeping';
import { type MailSender, startMailSender } from '../../../accounts/mail/sender';
import {
  createFolderTransport,
  createSmtpTransport,
  failureOf,
  type MailTransport,
  removeMailFiles,
} from '../../../accounts/mail/transport';
import { mailCreditLevels } from '../../../accounts/notices/credit-notices';
import { mailPayments } from '../../../accounts/notices/payment-notices';
import { mailDisabledWebhooks } from '../../../accounts/notices/webhook-notices';
import { mailNearMonthLimits } from '../../../accounts/notices/widget-notices';
import { createPasswords } from '../../../accounts/passwords';
import type { RaceClock } from '../../../domain/time/clock';
import type { LegalVersions } from '../../../store/accounts/links';
import type { AddressBudget } from '../../../store/redis/address-budget';
import type { Stores } from '../../../store/stores';

export interface ApiAccountsDeps {
  readonly stores: Pick<
    Stores,
    | 'owners'
    | 'sessions'
    | 'links'
    | 'redemptions'
    | 'passkeys'
    | 'passkeyChallenges'
    | 'addressChanges'
    | 'closures'
    | 'accountExport'
    | 'mailboxes'
    | 'mailBudget'
    | 'mails'
    | 'expired'
    | 'ownedWebhooks'
    | 'widgetMonths'
    | 'paymentNotices'
    | 'creditNotices'
    | 'creditDays'
    | 'reachedAlerts'
    | 'billedAccounts'
  >;
  /** Counts the actions of addresses. */
  readonly counts: AddressBudget;
  /** Of the texts that customers accept now. */
  readonly versions: LegalVersions;
  readonly config: {
    readonly api: { readonly baseUrl: string; readonly otherOrigins?: readonly string[] };
    readonly clock: RaceClock;
    readonly mail: { readonly smtpUrl: string | null; readonly from: string; readonly folder: string | null };
  };
  wallMs(): number;
  /** Race time, epoch milliseconds. */
  now(): number;
  readonly log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
}

/** At the end, a mail in progress gets this long; another process sends it again after its lease. */
const DRAIN_MS = 10_000;

/** Nothing is sent before `start`. */
export function createApiAccounts({ stores, counts, versions, config, wallMs, now, log }: ApiAccountsDeps): {
  readonly accounts: Accounts;
  mailWritten(): void;
  start(): void;
  stop(): Promise<void>;
} {
  let sender: MailSender | null = null;
  let housekeeping: { stop(): void } | null = null;
  let alerts: { stop(): Promise<void> } | null = null;
  const mailWritten = (): void => sender?.nudge();
  const accounts = createAccounts({
    ...stores,
    passwords: createPasswords(),
    receivesMail: receivesMailOf(config.mail),
    counts,
    random: randomBytes,
    wallMs,
    baseUrl: config.api.baseUrl,
    otherOrigins: config.api.otherOrigins,
    versions,
    mailWritten,
  });
  return {
    ...{ accounts, mailWritten },
    start() {
      sender = startMailSender({ mails: stores.mails, transport: transportOf(config.mail, log), wallMs, log });
      // Without it the first account that is opened does so.
      stores.mailboxes
        .fill(mailboxOf)
        .catch((error: unknown) =>
          log.warn({ failure: failureOf(error) }, 'mailboxes of older accounts were not computed'),
        );
      const notices = { baseUrl: config.api.baseUrl, mailWritten };
      const { linkSecret } = stores.billedAccounts;
      housekeeping = startHousekeeping({
        expired: stores.expired,
        folder: mailFiles(config.mail),
        wallMs,
        log,
        notices: (nowMs) =>
          all([
            mailDisabledWebhooks({ ...notices, store: stores.ownedWebhooks }, nowMs),
            mailNearMonthLimits({ ...notices, store: stores.widgetMonths }, nowMs),
            mailPayments({ ...notices, store: stores.paymentNotices }, nowMs),
            mailCreditLevels({ ...notices, linkSecret, store: stores.creditNotices }, nowMs),
          ]),
      });
      alerts = keepPriceAlerts({
        ...{ ...notices, store: stores.reachedAlerts, linkSecret },
        ...{ clock: config.clock, now, wallMs, log },
      });
    },
    async stop() {
      housekeeping?.stop();
      await Promise.race([alerts?.stop().then(() => sender?.stop()), delay(DRAIN_MS, undefined, { ref: false })]);
    },
  };
}

/** None waits for another one that fails. */
async function all(notices: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(notices)).find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}

/** Mails written to a folder need no existing domain: sign-up works on a laptop without a network (D16). */
function receivesMailOf({ smtpUrl, folder }: ApiAccountsDeps['config']['mail']): ReceivesMail {
  if (smtpUrl === null && folder !== null) return async () => 'unsure';
  return createReceivesMail(new Resolver({ timeout: DNS_WITHIN_MS, tries: 1 }));
}

/** Including those from before a mail server was configured. */
const mailFiles = ({ folder }: ApiAccountsDeps['config']['mail']) =>
  folder === null ? null : { removeBefore: (at: string) => removeMailFiles(folder, at) };

/** Null: mails wait in the database. */
function transportOf(
  { smtpUrl, from, folder }: ApiAccountsDeps['config']['mail'],
  log: ApiAccountsDeps['log'],
): MailTransport | null {
  if (smtpUrl !== null) {
    log.info({ host: new URL(smtpUrl).host }, 'mails go to a mail server');
    return createSmtpTransport(smtpUrl, from);
  }
  if (folder !== null) {
    log.info({ folder: resolve(folder) }, 'mails are written to a folder: SMTP_URL is not set');
    return createFolderTransport(folder, from);
  }
  log.warn({}, 'mails wait in the database: neither SMTP_URL nor MAIL_FOLDER is set, and no one can sign up');
  return null;
}
