// Creates every store over one pool, for `wiring.ts` and the tests.
import type { Pool } from 'pg';
import { createAccountExport } from './accounts/account-export';
import { createAddressChanges } from './accounts/address-changes';
import { createPriceAlertStore } from './accounts/alerts/price-alerts';
import { createReachedAlertStore } from './accounts/alerts/reached-alerts';
import { createBillingStore } from './accounts/billing';
import { createClosureStore } from './accounts/closures';
import { createExpiredStore } from './accounts/expired';
import { createLinkStore } from './accounts/links';
import { createMailBudget } from './accounts/mailboxes/mail-budget';
import { createMailboxStore } from './accounts/mailboxes/mailboxes';
import { createMailStore } from './accounts/mails';
import { createNewAccounts } from './accounts/new-accounts';
import { createCreditNoticeStore } from './accounts/notices/credit-notices';
import { createPaymentNoticeStore } from './accounts/notices/payment-notices';
import { createOwnerStore } from './accounts/owners';
import { createPasskeyChallengeStore } from './accounts/passkeys/challenges';
import { createPasskeyStore } from './accounts/passkeys/passkeys';
import { createRedemptionStore } from './accounts/redemptions';
import { createReferralStore } from './accounts/referrals';
import { createSessionStore } from './accounts/sessions';
import { createArchiveStore } from './archive/archive';
import { createRetentionStore } from './archive/retention/retention';
import { createAuditStore } from './audits';
import { createBackfillStore } from './backfill/backfill';
import { createBetslipStore } from './betslip';
import { createBookmakerChoiceStore } from './bookmaker-choices';
import { createBulkFileStore } from './bulk-files';
import { createBookListStore } from './card/book-lists';
import { createRaceStore } from './card/races';
import { createCreditAuditStore } from './credits/credit-audit';
import { createCreditStore } from './credits/credits';
import { createDailyUsageStore } from './credits/daily-usage';
import { createOverageStore } from './credits/overage';
import { createOverageInvoiceStore } from './credits/overage-invoices';
import { createCreditDayStore } from './credits/statement/days';
import { createUsageStore } from './credits/usage';
import { createExchangeStore } from './exchange';
import { createFormStore } from './forms';
import { createHealthStore } from './health';
import { createIngestStore } from './ingest';
import { createKeyRegister } from './keys/key-register';
import { createKeyReplacement } from './keys/key-replacement';
import { createKeyStore } from './keys/keys';
import { createRefusedCallStore } from './keys/refused-calls';
import { createTeamKeyStore } from './keys/team-keys';
import { createControlStore } from './polls/control';
import { createQuoteStore } from './polls/quotes';
import { createDoorStore } from './registry/doors';
import { createPremiershipStore } from './registry/premierships';
import { createPublishedStore } from './registry/published-results';
import { createRegistryStore } from './registry/registry';
import { createResultStore } from './results/results';
import { createHistoryStore } from './runs/history';
import { createRunStore } from './runs/runs';
import { NO_KEYS, type Sealer } from './secrets/sealer';
import { createAliasStore } from './sports/aliases';
import { createFeedLevelStore } from './sports/feed-levels';
import { createSportFeedStore } from './sports/feed-reply';
import { createSportIdentityStore } from './sports/identity/identity';
import { createSportIngestStore } from './sports/push';
import type { Stores } from './stores';
import { createDeliveryStore } from './webhooks/deliveries';
import { createWebhookStore } from './webhooks/webhooks';
import { createWidgetFillStore } from './widgets/fills';
import { createWidgetMonthStore } from './widgets/month-notices';
import { createWidgetStore } from './widgets/widgets';

/** `sealer`: without one, sealed values in the database cannot be read, and nothing is sealed. */
export function createStores(pool: Pool, sealer = NO_KEYS): Stores {
  const races = createRaceStore(pool);
  const quotes = createQuoteStore(pool);
  return {
    races,
    lists: createBookListStore(pool),
    control: createControlStore(pool),
    quotes,
    results: createResultStore(pool),
    health: createHealthStore(pool),
    audits: createAuditStore(pool),
    exchange: createExchangeStore(pool),
    ...storesOfAccounts(pool, sealer),
    ingest: createIngestStore(pool, { races, quotes }),
    sportIngest: createSportIngestStore(pool),
    sportIdentity: createSportIdentityStore(pool),
    sportAliases: createAliasStore(pool),
    sportFeed: createSportFeedStore(pool),
    feedLevels: createFeedLevelStore(pool),
    betslip: createBetslipStore(pool),
    bulkFiles: createBulkFileStore(pool),
    registry: createRegistryStore(pool),
    premierships: createPremiershipStore(pool),
    doors: createDoorStore(pool),
    published: createPublishedStore(pool),
    archive: createArchiveStore(pool),
    retention: createRetentionStore(pool),
    runs: createRunStore(pool),
    history: createHistoryStore(pool),
    forms: createFormStore(pool),
    backfill: createBackfillStore(pool),
    ownedWebhooks: createWebhookStore(pool, sealer),
    deliveries: createDeliveryStore(pool, sealer),
    ownedWidgets: createWidgetStore(pool),
    widgetFills: createWidgetFillStore(pool),
    widgetMonths: createWidgetMonthStore(pool, sealer),
  };
}

/** Keys, credits, payments and owners. */
function storesOfAccounts(pool: Pool, sealer: Sealer) {
  return {
    keys: createKeyStore(pool),
    keyRegister: createKeyRegister(pool),
    keyReplacement: createKeyReplacement(pool, sealer),
    teamKeys: createTeamKeyStore(pool, sealer),
    newAccounts: createNewAccounts(pool),
    credits: createCreditStore(pool),
    creditAudits: createCreditAuditStore(pool),
    creditDays: createCreditDayStore(pool),
    overage: createOverageStore(pool),
    usage: createUsageStore(pool),
    dailyUsage: createDailyUsageStore(pool),
    refusedCalls: createRefusedCallStore(pool),
    sessions: createSessionStore(pool, sealer),
    billedAccounts: createBillingStore(pool, sealer),
    overageInvoices: createOverageInvoiceStore(pool),
    referralCodes: createReferralStore(pool),
    owners: createOwnerStore(pool, sealer),
    links: createLinkStore(pool, sealer),
    redemptions: createRedemptionStore(pool, sealer),
    passkeys: createPasskeyStore(pool, sealer),
    bookmakerChoices: createBookmakerChoiceStore(pool),
    passkeyChallenges: createPasskeyChallengeStore(pool),
    addressChanges: createAddressChanges(pool, sealer),
    closures: createClosureStore(pool, sealer),
    accountExport: createAccountExport(pool),
    mailboxes: createMailboxStore(pool),
    mailBudget: createMailBudget(pool),
    mails: createMailStore(pool, sealer),
    creditNotices: createCreditNoticeStore(pool, sealer),
    paymentNotices: createPaymentNoticeStore(pool, sealer),
    priceAlerts: createPriceAlertStore(pool),
    reachedAlerts: createReachedAlertStore(pool, sealer),
    expired: createExpiredStore(pool),
  };
}
