// Every operation, in the order of the contract's list. A test compares this list with the files of the folder.
import type { Endpoint, NeedsOf } from '../kernel/endpoint/endpoint';
import { account } from './account/account';
import { accountMarketing } from './account/account-marketing';
import { accountPassword } from './account/account-password';
import { keyInfo } from './account/key-info';
import { usage } from './account/usage';
import { usageAnalytics } from './account/usage-analytics';
import { bestOdds } from './arbitrage/best-odds';
import { bestPrices } from './arbitrage/best-prices';
import { linesArb } from './arbitrage/lines-arb';
import { sportsArb } from './arbitrage/sports-arb';
import { closingLines } from './archive/closing-lines';
import { closingLinesCoverage } from './archive/closing-lines-coverage';
import { marketSummary } from './archive/market-summary';
import { pricePaths } from './archive/price-paths';
import { backfillResults } from './backfill/backfill-results';
import { backfillStatus } from './backfill/backfill-status';
import { cancelBackfill } from './backfill/cancel-backfill';
import { submitBackfill } from './backfill/submit-backfill';
import { cancel } from './billing/billing-cancel';
import { overage } from './billing/billing-overage';
import { overageSwitch } from './billing/billing-overage-switch';
import { billingPortal } from './billing/billing-portal';
import { upgrade } from './billing/billing-upgrade';
import { upgradeLink } from './billing/billing-upgrade-link';
import { referral } from './billing/referral';
import { referralPayout } from './billing/referral-payout';
import { bulkDatasets } from './bulk/bulk-datasets';
import { bulkFile } from './bulk/bulk-file';
import { bulkKeys } from './bulk/bulk-keys';
import { bulkManifest } from './bulk/bulk-manifest';
import { racingChanges } from './changes/racing-changes';
import { racingChangesStream } from './changes/racing-changes-stream';
import { raceClv } from './clv/race-clv';
import { connectorHealth } from './connectors/connector-health';
import { connectors } from './connectors/connectors';
import { uptimeStats } from './connectors/uptime-stats';
import { consensus } from './consensus/consensus';
import { horseForm } from './form/horse-form';
import { horseRuns } from './form/horse-runs';
import { greyhoundForm } from './greyhounds/greyhound-form';
import { greyhoundStats } from './greyhounds/greyhound-stats';
import { ingestPrices } from './ingest/ingest-prices';
import { ingestSportPrices } from './ingest/ingest-sport-prices';
import { intelligence } from './intelligence/intelligence';
import { intelligenceScan } from './intelligence/intelligence-scan';
import { createKey } from './keys/create-key';
import { resendKey } from './keys/resend-key';
import { revealKey } from './keys/reveal-key';
import { rotateKey } from './keys/rotate-key';
import { setIpWhitelist } from './keys/set-ip-whitelist';
import { acceptances } from './meetings/acceptances';
import { racingVenues } from './meetings/racing-venues';
import { trackConditions } from './meetings/track-conditions';
import { movers } from './movements/movers';
import { priceHistory } from './movements/price-history';
import { jockeyStats } from './premierships/jockey-stats';
import { trainerStats } from './premierships/trainer-stats';
import { nextToGo } from './prices/next-to-go';
import { raceMarkets } from './prices/race-markets';
import { racingBestOdds } from './prices/racing-best-odds';
import { auditResults } from './quality/audit-results';
import { dataQualitySummary } from './quality/data-quality-summary';
import { latestAudits } from './quality/latest-audits';
import { runAudit } from './quality/run-audit';
import { racingReplay } from './replay/racing-replay';
import { raceEvents } from './results/race-events';
import { raceForm } from './results/race-form';
import { raceResults } from './results/race-results';
import { resultsCoverage } from './results/results-coverage';
import { demoBestOdds } from './sandbox/demo-best-odds';
import { demoBookSport } from './sandbox/demo-book-sport';
import { demoRacingNextToGo } from './sandbox/demo-racing-next-to-go';
import { login } from './session/login';
import { loginExchange } from './session/login-exchange';
import { loginRequest } from './session/login-request';
import { logout } from './session/logout';
import { logoutAll } from './session/logout-all';
import { passwordForgot } from './session/password-forgot';
import { passwordReset } from './session/password-reset';
import { signup } from './session/signup';
import { coverageReport } from './site/coverage-report';
import { platformFacts } from './site/platform-facts';
import { getEventOdds } from './sports/get-event-odds';
import { getSportOdds } from './sports/get-sport-odds';
import { listSports } from './sports/list-sports';
import { getClosingLines } from './sports-history/get-closing-lines';
import { getOddsHistory } from './sports-history/get-odds-history';
import { getOddsMovements } from './sports-history/get-odds-movements';
import { createTeamKey } from './team-keys/create-team-key';
import { deleteTeamKey } from './team-keys/delete-team-key';
import { listTeamKeys } from './team-keys/list-team-keys';
import { updateTeamKey } from './team-keys/update-team-key';
import { createWebhook } from './webhooks/create-webhook';
import { deleteWebhook } from './webhooks/delete-webhook';
import { listWebhookDeliveries } from './webhooks/list-webhook-deliveries';
import { listWebhookEvents } from './webhooks/list-webhook-events';
import { listWebhooks } from './webhooks/list-webhooks';
import { replayWebhook } from './webhooks/replay-webhook';
import { replayWebhookDelivery } from './webhooks/replay-webhook-delivery';
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret';
import { testWebhook } from './webhooks/test-webhook';
import { updateWebhook } from './webhooks/update-webhook';
import { createWidget } from './widgets/create-widget';
import { deleteWidget } from './widgets/delete-widget';
import { getWidget } from './widgets/get-widget';
import { listWidgets } from './widgets/list-widgets';
import { updateWidget } from './widgets/update-widget';

export const ENDPOINTS = [
  raceEvents,
  nextToGo,
  racingBestOdds,
  consensus,
  intelligence,
  intelligenceScan,
  movers,
  racingChanges,
  racingChangesStream,
  racingReplay,
  trackConditions,
  racingVenues,
  raceResults,
  resultsCoverage,
  acceptances,
  raceForm,
  jockeyStats,
  trainerStats,
  raceClv,
  raceMarkets,
  priceHistory,
  horseForm,
  horseRuns,
  submitBackfill,
  backfillStatus,
  cancelBackfill,
  backfillResults,
  greyhoundForm,
  greyhoundStats,
  closingLines,
  closingLinesCoverage,
  marketSummary,
  pricePaths,
  bulkDatasets,
  bulkFile,
  bulkManifest,
  bulkKeys,
  listSports,
  getSportOdds,
  getEventOdds,
  getOddsHistory,
  getOddsMovements,
  getClosingLines,
  bestOdds,
  bestPrices,
  linesArb,
  sportsArb,
  connectors,
  connectorHealth,
  uptimeStats,
  dataQualitySummary,
  latestAudits,
  runAudit,
  auditResults,
  usage,
  usageAnalytics,
  account,
  accountMarketing,
  accountPassword,
  signup,
  keyInfo,
  createKey,
  rotateKey,
  revealKey,
  setIpWhitelist,
  listTeamKeys,
  createTeamKey,
  updateTeamKey,
  deleteTeamKey,
  overage,
  overageSwitch,
  billingPortal,
  upgradeLink,
  upgrade,
  cancel,
  referral,
  referralPayout,
  resendKey,
  login,
  loginRequest,
  loginExchange,
  logout,
  logoutAll,
  passwordForgot,
  passwordReset,
  listWebhooks,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  listWebhookEvents,
  listWebhookDeliveries,
  replayWebhookDelivery,
  replayWebhook,
  testWebhook,
  listWidgets,
  createWidget,
  getWidget,
  updateWidget,
  deleteWidget,
  demoBestOdds,
  demoBookSport,
  demoRacingNextToGo,
  ingestPrices,
  ingestSportPrices,
  coverageReport,
  platformFacts,
] as const satisfies readonly Endpoint[];

/** The services that a process serving all of them must have. */
export type Services = NeedsOf<typeof ENDPOINTS>;
