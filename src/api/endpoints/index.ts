// Every operation, in the order of the contract's list. A test compares this list with the files of the folder.
import type { Endpoint } from '../endpoint';
import { account } from './account/account';
import { accountMarketing } from './account/account-marketing';
import { accountPassword } from './account/account-password';
import { referral } from './account/referral';
import { referralPayout } from './account/referral-payout';
import { usage } from './account/usage';
import { usageAnalytics } from './account/usage-analytics';
import { bestPrices } from './arbitrage/best-prices';
import { linesArb } from './arbitrage/lines-arb';
import { sportsArb } from './arbitrage/sports-arb';
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
import { bulkDatasets } from './bulk/bulk-datasets';
import { bulkFile } from './bulk/bulk-file';
import { auditResults } from './data-quality/audit-results';
import { dataQualitySummary } from './data-quality/data-quality-summary';
import { latestAudits } from './data-quality/latest-audits';
import { runAudit } from './data-quality/run-audit';
import { greyhoundForm } from './form/greyhound-form';
import { greyhoundStats } from './form/greyhound-stats';
import { horseForm } from './form/horse-form';
import { horseRuns } from './form/horse-runs';
import { connectorHealth } from './health/connector-health';
import { connectors } from './health/connectors';
import { uptimeStats } from './health/uptime-stats';
import { ingestPrices } from './ingest/ingest-prices';
import { ingestSportPrices } from './ingest/ingest-sport-prices';
import { createKey } from './keys/create-key';
import { createTeamKey } from './keys/create-team-key';
import { deleteTeamKey } from './keys/delete-team-key';
import { keyInfo } from './keys/key-info';
import { listTeamKeys } from './keys/list-team-keys';
import { resendKey } from './keys/resend-key';
import { revealKey } from './keys/reveal-key';
import { rotateKey } from './keys/rotate-key';
import { setIpWhitelist } from './keys/set-ip-whitelist';
import { updateTeamKey } from './keys/update-team-key';
import { consensus } from './market/consensus';
import { intelligence } from './market/intelligence';
import { intelligenceScan } from './market/intelligence-scan';
import { raceClv } from './market/race-clv';
import { acceptances } from './meetings/acceptances';
import { racingVenues } from './meetings/racing-venues';
import { trackConditions } from './meetings/track-conditions';
import { jockeyStats } from './premierships/jockey-stats';
import { trainerStats } from './premierships/trainer-stats';
import { movers } from './prices/movers';
import { nextToGo } from './prices/next-to-go';
import { priceHistory } from './prices/price-history';
import { raceMarkets } from './prices/race-markets';
import { racingBestOdds } from './prices/racing-best-odds';
import { racingChanges } from './prices/racing-changes';
import { racingChangesStream } from './prices/racing-changes-stream';
import { closingLines } from './racing-archive/closing-lines';
import { closingLinesCoverage } from './racing-archive/closing-lines-coverage';
import { marketSummary } from './racing-archive/market-summary';
import { pricePaths } from './racing-archive/price-paths';
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
import { signup } from './signup/signup';
import { coverageReport } from './site/coverage-report';
import { platformFacts } from './site/platform-facts';
import { bestOdds } from './sports/best-odds';
import { getClosingLines } from './sports/get-closing-lines';
import { getEventOdds } from './sports/get-event-odds';
import { getOddsHistory } from './sports/get-odds-history';
import { getOddsMovements } from './sports/get-odds-movements';
import { getSportOdds } from './sports/get-sport-odds';
import { listSports } from './sports/list-sports';
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

export const ENDPOINTS: readonly Endpoint[] = [
  raceEvents,
  nextToGo,
  racingBestOdds,
  consensus,
  intelligence,
  intelligenceScan,
  movers,
  racingChanges,
  racingChangesStream,
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
];
