// Everything the rest of the service does with the database. Each interface stands beside its implementation; the API's read models are in
// `reads/`. Every instant is an argument (ISO 8601 Z): the store never reads a clock.

import type { BillingStore } from './accounts/billing';
import type { DailyUsageStore } from './accounts/daily-usage';
import type { ExpiredStore } from './accounts/expired';
import type { KeyReplacement } from './accounts/key-replacement';
import type { LinkStore } from './accounts/links';
import type { MailStore } from './accounts/mails';
import type { NewAccounts } from './accounts/new-accounts';
import type { OverageInvoiceStore } from './accounts/overage-invoices';
import type { OwnerStore } from './accounts/owners';
import type { RedemptionStore } from './accounts/redemptions';
import type { ReferralStore } from './accounts/referrals';
import type { SessionStore } from './accounts/sessions';
import type { TeamKeyStore } from './accounts/team-keys';
import type { BetslipStore } from './betslip';
import type { DownloadStore } from './bulk/downloads';
import type { BulkFileStore } from './bulk/files';
import type { RaceStore } from './card/races';
import type { CreditStore } from './credits';
import type { ExchangeStore } from './exchange';
import type { HealthStore } from './health';
import type { IngestStore } from './ingest';
import type { KeyRegister } from './key-register';
import type { KeyStore } from './keys';
import type { OverageStore } from './overage';
import type { ControlStore } from './polls/control';
import type { QuoteStore } from './polls/quotes';
import type { PublishedStore } from './registry/published-results';
import type { RegistryStore } from './registry/registry';
import type { ResultStore } from './results/results';
import type { UsageStore } from './usage';

export interface Stores {
  readonly races: RaceStore;
  readonly control: ControlStore;
  readonly quotes: QuoteStore;
  readonly results: ResultStore;
  readonly health: HealthStore;
  readonly exchange: ExchangeStore;
  readonly keys: KeyStore;
  readonly keyRegister: KeyRegister;
  readonly keyReplacement: KeyReplacement;
  readonly teamKeys: TeamKeyStore;
  readonly newAccounts: NewAccounts;
  readonly credits: CreditStore;
  readonly overage: OverageStore;
  readonly usage: UsageStore;
  readonly dailyUsage: DailyUsageStore;
  readonly sessions: SessionStore;
  readonly billedAccounts: BillingStore;
  readonly overageInvoices: OverageInvoiceStore;
  readonly referralCodes: ReferralStore;
  readonly owners: OwnerStore;
  readonly links: LinkStore;
  readonly redemptions: RedemptionStore;
  readonly mails: MailStore;
  readonly expired: ExpiredStore;
  readonly ingest: IngestStore;
  readonly betslip: BetslipStore;
  readonly bulkFiles: BulkFileStore;
  readonly downloads: DownloadStore;
  readonly registry: RegistryStore;
  readonly published: PublishedStore;
}
