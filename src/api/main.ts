// The API process. On SIGTERM or SIGINT it accepts no new connection, finishes the responses in flight and closes the database pool.
import '../telemetry/start';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context } from 'koa';
import { createBilling } from '../accounts/billing/billing';
import { type BillingDeps, billingStores } from '../accounts/billing/deps';
import { keepBilling } from '../accounts/billing/keep';
import { createReferrals } from '../accounts/referral/referrals';
import { type Config, ConfigError, loadConfig } from '../config';
import { toRaceMs } from '../domain/time/clock';
import { createFileStore } from '../file-store/create-file-store';
import { createLog } from '../log';
import { ownOrigins } from '../own-origin';
import { createPayments } from '../payments/stripe/create-payments';
import { serveOperatorPages } from '../process/operator-pages';
import { afterwards, stopSignal } from '../process/stop-signal';
import { judgeLogin } from '../process/superuser';
import { orStopped, StartProblem, untilReady } from '../process/until-ready';
import { observeBilling } from '../store/accounts/billing-overdue';
import { createStores } from '../store/create-stores';
import { followKeyChanges } from '../store/key-changes';
import { askDatabase } from '../store/pg/answering';
import { createPool, observePool, readClock } from '../store/pg/pool';
import { createSchemaCheck, unlessBehind } from '../store/pg/schema';
import { isSuperuser } from '../store/pg/superuser';
import { keepWallClock } from '../store/pg/wall-clock';
import { watchLiveRaces } from '../store/polls/live-races';
import { createLiveReads } from '../store/reads/live-board';
import { withOutageCache } from '../store/reads/outage-cache';
import { createReads } from '../store/reads/reads';
import { createAddressBudget } from '../store/redis/address-budget';
import { createKeyLimit } from '../store/redis/key-limit';
import { createProcessCount } from '../store/redis/process-count';
import { createRedis, observeRedis } from '../store/redis/redis';
import { createSharedAnswers } from '../store/redis/shared-answers';
import { createStreamLeases } from '../store/redis/stream-leases';
import { createSealer } from '../store/secrets/sealer';
import { METRICS_TYPE, metricsPage } from '../telemetry/metrics';
import { stopTraces } from '../telemetry/traces';
import { openTemporal } from '../temporal-client';
import { createLiveBoard } from '../web/board/live-board';
import { createPastRaces } from '../web/past/past-races';
import { createRunners } from '../web/past/runners';
import { createMissingPage, createWeb } from '../web/routes';
import { siteOf } from '../web/site/routes';
import { createResolver } from '../webhooks/address/resolver';
import { createApi } from './app';
import { createBalances } from './kernel/charging/balances';
import { createCharger } from './kernel/charging/charger';
import { createApiServer, LIMITS } from './kernel/http/connection/server';
import { clientOf } from './kernel/session/client-address';
import { createWorkLimits, workBounds } from './kernel/work/work-limits';
import { createWorkMeter } from './kernel/work/work-meter';
import { createBackfillStarter } from './operations/backfill/backfill-starter';
import { createBoardFeed } from './operations/changes/board-feed';
import { createChangesFeed } from './operations/changes/feed';
import { movesOf } from './operations/changes/moves';
import { createFormReader } from './operations/form/form-reader';
import { createAuditRunner } from './operations/quality/audit-runner';
import { createApiAccounts } from './operations/session/accounts';
import { createCoverageReport } from './operations/site/measure-coverage';
import { createSportsBoard } from './operations/sports/sports-board';
import { createWidgetEmbeds } from './operations/widgets/fills/embeds';
import { recordFill } from './operations/widgets/fills/fill-metrics';
import { createAccountPages } from './pages/account-pages';
import { createBoardSource } from './pages/board-source';
import { createPastSource } from './pages/past-source';
import { createQualitySource } from './pages/quality-source';
import { createRunnerSource } from './pages/runner-source';

const DRAIN_MS = 10_000;
const SCHEMA_WITHIN_MS = 2000;
/** For charges of failed calls to be given back. */
const SETTLE_WITHIN_MS = 10_000;
/** Everything in Redis can be computed, so a caller does not wait long for it. */
const REDIS_WITHIN_MS = 250;
/** Tens of kilobytes each. */
const MOST_FILLS_CACHED = 1000;

/** Wall. What does not close by then ends with the process. */
const CLOSE_WITHIN_MS = 5000;

async function main(): Promise<void> {
  const stop = stopSignal();
  const config = loadConfig();
  const log = createLog('api', config.log.level);
  const ending = afterwards(stop, config.api.stopDelayMs);
  const { databaseUrl, databaseTimeouts: timeouts } = config;
  const pool = createPool(databaseUrl, config.databasePoolMax, { timeouts });
  const streamPool = createPool(databaseUrl, config.databaseStreamPoolMax, { timeouts });
  const wall = keepWallClock({ readDatabase: () => readClock(pool) });
  const now = (): number => toRaceMs(config.clock, wall.now());
  observePool(pool, 'api');
  observePool(streamPool, 'api streams');
  const liveWatch = watchLiveRaces(pool, now);
  const fresh = createReads(pool, streamPool);
  const reads = withOutageCache(fresh);
  const changesFeed = createChangesFeed({ reads: fresh, now, log });
  const boardFeed = createBoardFeed({ reads: fresh, betslipTemplates: config.betslip, clock: config.clock, log, now });
  const liveReads = createLiveReads(pool);
  const live = createLiveBoard({ source: createBoardSource({ reads, liveReads }), now });
  const past = createPastRaces({ source: createPastSource({ reads, liveReads }), now });
  const quality = createQualitySource(reads, config.clock.speed);
  const runners = createRunners({ source: createRunnerSource(reads), now });
  const { host, port, baseUrl } = config.api;
  const own = ownOrigins(baseUrl, config.api.otherOrigins);
  const stores = createStores(pool, createSealer(config.secretKeys));
  const { keys, ingest, sportIngest, health, credits, usage, sessions, bulkFiles } = stores;
  const billing = billingOf(config, { ...billingStores(stores, wall.now), log, wallMs: wall.now });
  observeBilling(pool, billing && wall.now);
  const redis = createRedis(config.redisUrl, REDIS_WITHIN_MS);
  observeRedis(redis, 'responses');
  const processes = createProcessCount(redis, deploymentOf(config), randomUUID());
  const endProcesses = processes.follow();
  const keyChanges = followKeyChanges(databaseUrl);
  keyChanges.watch({
    following: () => log.info('changes of keys are announced'),
    lost: () => log.info('changes of keys are not announced'),
    changed: () => {},
  });
  const addressBudget = createAddressBudget(redis, deploymentOf(config));
  const accounts = createApiAccounts({ stores, addressBudget, config, wallMs: wall.now, log });
  const payments = billing ? createBilling(billing) : undefined;
  const accountPages = createAccountPages({
    stores,
    accounts: accounts.accounts,
    billing: payments,
    baseUrl,
    ownOrigins: own,
    log,
    addressBudget,
    wallMs: wall.now,
  });
  const streams = { moves: movesOf(changesFeed), networkOf: (ctx: Context) => clientOf(ctx).network, stopping: ending };
  const sharedAnswers = createSharedAnswers(redis, deploymentOf(config));
  const report = createCoverageReport(reads, sharedAnswers);
  const coverage = () => report(now());
  const embeds = createWidgetEmbeds({
    store: stores.widgetFills,
    reads: fresh,
    sports: createSportsBoard(fresh, sharedAnswers),
    ownOrigins: own,
    fillAnswers: createSharedAnswers(redis, deploymentOf(config), { most: MOST_FILLS_CACHED }),
    now,
    wallMs: wall.now,
    record: recordFill,
  });
  const pagesOf = { live, past, coverage, runners, quality, accounts: accountPages, widgets: embeds };
  const web = { ...pagesOf, now, speed: config.clock.speed, streams };
  const charger = createCharger(credits, log);
  const temporal = openTemporal(config, 'once');
  const notStarted = (err: unknown, jobId: string): void =>
    log.warn({ err, jobId }, 'a backfill job could not be started: the sweep starts it');
  const cutOff = new AbortController();
  const workMeter = createWorkMeter();
  const app = createApi({
    reads,
    sharedAnswers,
    addressBudget,
    keyLimit: createKeyLimit(redis, deploymentOf(config)),
    processes: processes.seen,
    keys,
    keyChanges,
    ingest,
    sportIngest,
    pushAudits: { audits: stores.audits, warn: (err, message) => log.warn({ err }, message) },
    health,
    charger,
    balances: createBalances(credits),
    cutOff: cutOff.signal,
    stopping: ending,
    boardFeed,
    streamLeases: createStreamLeases(redis, deploymentOf(config)),
    usage,
    sessions,
    formReader: createFormReader(temporal.client),
    auditRunner: createAuditRunner(temporal.client, (err, message) => log.warn({ err }, message)),
    backfills: { store: stores.backfill, start: createBackfillStarter(temporal.client, notStarted), random: randomInt },
    webhooks: { store: stores.ownedWebhooks, rules: config.webhooks, resolve: createResolver(), random: randomBytes },
    widgets: { store: stores.ownedWidgets, random: randomBytes },
    bulk: { manifest: bulkFiles, files: createFileStore(config.bulk) },
    keyStores: stores,
    billing: payments,
    referrals: createReferrals(stores.referralCodes, randomBytes),
    accounts: accounts.accounts,
    wallMs: wall.now,
    betslipTemplates: config.betslip,
    now,
    clock: config.clock,
    trustedProxies: config.api.trustedProxies,
    keylessPerMinute: config.api.keylessPerMinute,
    work: createWorkLimits(workMeter, log, workBounds(config.api.keylessPerMinute)),
    securityContact: config.api.securityContact,
    baseUrl,
    ownOrigins: own,
    log,
    pages: createWeb(web),
    site: siteOf(web),
    missingPage: createMissingPage(web),
  });
  const { limits, trustedProxies } = config.api;
  const server = createApiServer(app, { baseUrl, trustedProxies }, { ...LIMITS, ...limits });
  const hasSchema = createSchemaCheck(pool);
  const { apiMetricsHost, apiMetricsPort } = config.telemetry;
  const operator = await serveOperatorPages(
    { host: apiMetricsHost, port: apiMetricsPort, setting: 'API_METRICS_PORT', log },
    [
      { name: 'database', ask: (ms) => askDatabase(pool, ms) },
      { name: 'schema', ask: hasSchema },
      { name: 'listener', ask: () => listens(server) },
    ],
    async () => ({ status: 200, type: METRICS_TYPE, body: await metricsPage() }),
    stop,
  );
  const login = await judgeLogin(config, () => isSuperuser(pool), { log, stop });
  const patience = { log, stop, withinMs: config.startWithinMs };
  await untilReady('the schema', () => unlessBehind(hasSchema(SCHEMA_WITHIN_MS)), patience);
  await once(server.listen(port, host), 'listening');
  log.info({ ...(server.address() as AddressInfo), baseUrl }, 'listening');
  log.info({ metrics: operator.url && `${operator.url}/metrics` }, 'metrics');
  accounts.start();

  const endBilling = billing && keepBilling(billing);
  await orStopped(Promise.all([failed(server), login.judged]), ending).catch((error) => {
    if (!ending.aborted) throw error;
  });
  log.info({ signal: stop.reason }, 'stopping');
  await drained(server, cutOff);
  endBilling?.();
  await Promise.all([accounts.stop(), charger.settled(SETTLE_WITHIN_MS)]);
  operator.close();
  wall.close();
  liveWatch.stop();
  endProcesses();
  redis.disconnect();
  workMeter.close();
  // Connections to a database that does not answer would keep the process alive.
  setTimeout(() => process.exit(0), CLOSE_WITHIN_MS).unref();
  await Promise.all([keyChanges.close(), temporal.close(), streamPool.end(), pool.end()]);
  await stopTraces();
}

/** Null: no payments are taken. */
function billingOf(
  { stripe, api: { baseUrl } }: Config,
  parts: Omit<BillingDeps, 'payments' | 'baseUrl'>,
): BillingDeps | null {
  return stripe && { ...parts, baseUrl, payments: createPayments({ ...stripe, returnUrl: `${baseUrl}/account` }) };
}

/** API processes with the same database and clock share cached results. */
function deploymentOf({ databaseUrl, clock }: Config): string {
  const { host, pathname } = new URL(databaseUrl);
  return JSON.stringify([host, pathname, clock]);
}

async function listens(server: Server): Promise<void> {
  if (!server.listening) throw new Error('it does not listen');
}

/** Rejects if the server fails, so that the process ends with the reason. */
const failed = (server: Server): Promise<never> => new Promise((_, reject) => server.once('error', reject));

function drained(server: Server, cutOff: AbortController): Promise<void> {
  // A connection that is in use now would get further requests, one of which the cut-off would end in the middle.
  server.keepAliveTimeout = 1;
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive = false;
  });
  return new Promise((done) => {
    const late = setTimeout(() => {
      cutOff.abort();
      server.closeAllConnections();
    }, DRAIN_MS);
    server.close(() => {
      clearTimeout(late);
      done();
    });
  });
}

// Connections to other servers may be open, and would keep the process alive.
main().catch((error: unknown) => {
  // Ordered to stop while it waited for its schema.
  if (error === 'SIGTERM' || error === 'SIGINT') process.exit(0);
  const log = createLog('api', 'error');
  const { code, port } = (error ?? {}) as { code?: unknown; port?: unknown };
  if (error instanceof StartProblem || error instanceof ConfigError)
    log.fatal(`the API did not start: ${error.message}`);
  else if (code === 'EADDRINUSE') log.fatal(`the API did not start: port ${port} is in use`);
  else log.fatal({ err: error }, 'the API did not start');
  process.exit(1);
});
