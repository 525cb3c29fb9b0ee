// Builds what an API process needs: connections, the parts that operations and pages share, the pages, and the
// application over them.
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type Koa from 'koa';
import { type Billing, createBilling, NO_BILLING } from '../accounts/billing/billing';
import { type BillingDeps, billingStores } from '../accounts/billing/deps';
import { keepBilling } from '../accounts/billing/keep';
import { createReferrals } from '../accounts/referral/referrals';
import { type ApiDeps, createApi } from '../api/app';
import { createBalances } from '../api/kernel/charging/balances';
import { type Charger, createCharger } from '../api/kernel/charging/charger';
import { BOUNDS } from '../api/kernel/http/response/response-cache';
import { STALLED_AFTER_MS } from '../api/kernel/http/response/streamed';
import { createLargeBodies } from '../api/kernel/input/large/large-bodies';
import { createAddressCount } from '../api/kernel/limits/address-count';
import { createKeyCount } from '../api/kernel/limits/key-count';
import { createRefusedCalls } from '../api/kernel/refusals/refused-calls';
import { createWorkLimits, workBounds } from '../api/kernel/work/work-limits';
import { createWorkMeter } from '../api/kernel/work/work-meter';
import { createApiDocuments } from '../api/openapi/documents';
import { ENDPOINTS } from '../api/operations';
import { createBackfillStarter } from '../api/operations/backfill/backfill-starter';
import { createBoardFeed } from '../api/operations/changes/board-feed';
import { createFormReader } from '../api/operations/form/form-reader';
import { createAuditRunner } from '../api/operations/quality/audit-runner';
import { createPushAudit } from '../api/operations/quality/push-audit';
import { WALL_PACE } from '../api/operations/replay/paced';
import { createApiAccounts } from '../api/operations/session/accounts';
import { createParts, type Parts } from '../api/parts';
import { streamDepsOf } from '../api/stream-options';
import { createSigner } from '../bulk/manifest/signer';
import type { Config } from '../config';
import { createFileStore } from '../file-store/create-file-store';
import { ownOrigins } from '../own-origin';
import { createPayments } from '../payments/stripe/create-payments';
import { observeBilling } from '../store/accounts/billing-overdue';
import { followKeyChanges } from '../store/keys/key-changes';
import { watchLiveRaces } from '../store/polls/live-races';
import { withOutageCache } from '../store/reads/outage-cache';
import { createAddressBudget } from '../store/redis/address-budget';
import { followNotices } from '../store/redis/board-notices';
import { createKeyLimit } from '../store/redis/key-limit';
import { createPaidPlays } from '../store/redis/paid-plays';
import { createProcessCount } from '../store/redis/process-count';
import { createRedis, observeRedis } from '../store/redis/redis';
import { createSharedAnswers } from '../store/redis/shared-answers';
import { createStreamLeases } from '../store/redis/stream-leases';
import { openTemporal } from '../temporal-client';
import { LEGAL_VERSIONS } from '../web/plain/legal-pages';
import { createMissingPage, createWeb } from '../web/routes';
import { siteOf } from '../web/site/routes';
import { createResolver } from '../webhooks/address/resolver';
import { createApiReads } from './api-reads';
import { type Over, pagesOf } from './pages';
import type { Wiring } from './service';

/** For refunding the charges of failed calls. */
const SETTLE_WITHIN_MS = 10_000;
/** Everything in Redis can be computed, so a caller does not wait long for it. */
const REDIS_WITHIN_MS = 250;
/** Tens of kilobytes each. */
const MOST_FILLS_CACHED = 1000;

export interface Serving {
  readonly app: Koa;
  /** Sends mail, cleans up, reads purchases from the payment provider, makes documents before they are requested. */
  start(): void;
  /** Ends that, and refunds the charges of failed calls. */
  stop(): Promise<void>;
  /** Closes what this opened; the wiring's own pool stays open. */
  close(): Promise<void>;
}

/**
 * `ending`: aborted when the process begins to stop. `cutOff`: before the server closes connections that are in use.
 */
interface Ends {
  readonly ending: AbortSignal;
  readonly cutOff: AbortSignal;
  /** Until then nothing is served. */
  readonly isJudged: () => boolean;
}

export function createServing(wiring: Wiring, ends: Ends): Serving {
  const { config, log, pool, stores, now, wallMs, closing } = wiring;
  closing.push(watchLiveRaces(pool, now).stop);
  const reading = createApiReads(wiring);
  const { reads: fresh } = reading;
  const over = { fresh, reads: withOutageCache(fresh), own: ownOrigins(config.api.baseUrl, config.api.otherOrigins) };
  const shared = sharedOf(wiring);
  const temporal = openTemporal(config, 'once');
  const keyChanges = followedKeyChanges(wiring);
  const bought = billingOf(config, { ...billingStores(stores, wallMs), log, wallMs });
  observeBilling(pool, bought && wallMs);
  const mailing = createApiAccounts({
    ...{ stores, counts: shared.addresses, config, wallMs, now, log },
    versions: LEGAL_VERSIONS,
  });
  const charger = createCharger(stores.credits, log);
  const own = {
    keyChanges,
    temporal,
    charger,
    mailing,
    billing: bought ? createBilling(bought) : NO_BILLING,
  };
  const parts = partsOf(wiring, over, shared, own);
  const documents = createApiDocuments(ENDPOINTS, config.api.baseUrl);
  const refusals = createRefusedCalls({ store: stores.refusedCalls, process: randomUUID(), wallMs, log });
  let endBilling: (() => void) | null = null;
  return {
    app: appOf(wiring, over, shared, { parts, documents, refusals }, ends),
    start() {
      mailing.start();
      refusals.start();
      endBilling = bought && keepBilling(bought);
      void documents.yaml();
    },
    async stop() {
      endBilling?.();
      await Promise.all([mailing.stop(), refusals.stop(), charger.settled(SETTLE_WITHIN_MS)]);
    },
    async close() {
      await Promise.all([keyChanges.close(), temporal.close(), reading.close()]);
    },
  };
}

type Shared = ReturnType<typeof sharedOf>;

/** What all API processes of a deployment share in Redis. */
function sharedOf({ config, closing }: Wiring) {
  const redis: Redis = createRedis(config.redisUrl, REDIS_WITHIN_MS);
  observeRedis(redis, 'responses');
  const deployment = deploymentOf(config);
  const processes = createProcessCount(redis, deployment, randomUUID());
  const end = processes.follow();
  const listening = createRedis(config.redisUrl);
  observeRedis(listening, 'notices');
  closing.push(
    end,
    () => redis.disconnect(),
    () => listening.disconnect(),
  );
  return {
    notices: followNotices(listening, config),
    addresses: createAddressCount(createAddressBudget(redis, deployment)),
    keyCount: createKeyCount(createKeyLimit(redis, deployment), processes.seen),
    answers: createSharedAnswers(redis, deployment),
    fillAnswers: createSharedAnswers(redis, deployment, { most: MOST_FILLS_CACHED }),
    leases: createStreamLeases(redis, deployment),
    plays: createPaidPlays(redis, deployment),
  };
}

/** API processes with the same database and clock share cached results, behind whichever pooler they are. */
function deploymentOf({ databaseDirectUrl, clock }: Config): string {
  const { host, pathname } = new URL(databaseDirectUrl);
  return JSON.stringify([host, pathname, clock]);
}

function followedKeyChanges({ config, log }: Wiring): ReturnType<typeof followKeyChanges> {
  const keyChanges = followKeyChanges(config.databaseDirectUrl);
  keyChanges.watch({
    following: () => log.info('changes of keys are announced'),
    lost: () => log.info('changes of keys are not announced'),
    changed: () => {},
  });
  return keyChanges;
}

/** Null: no payments are taken. */
function billingOf(
  { stripe, api: { baseUrl } }: Config,
  parts: Omit<BillingDeps, 'payments' | 'baseUrl'>,
): BillingDeps | null {
  return stripe && { ...parts, baseUrl, payments: createPayments({ ...stripe, returnUrl: `${baseUrl}/account` }) };
}

interface OfProcess {
  readonly keyChanges: ReturnType<typeof followKeyChanges>;
  readonly temporal: ReturnType<typeof openTemporal>;
  readonly charger: Charger;
  readonly mailing: ReturnType<typeof createApiAccounts>;
  readonly billing: Billing;
}

function partsOf(
  { config, log, stores, now, wallMs }: Wiring,
  { fresh, reads, own }: Over,
  shared: Shared,
  of: OfProcess,
): Parts {
  const {
    keyChanges,
    charger,
    billing,
    temporal: { client },
    mailing: { accounts, mailWritten },
  } = of;
  const { addresses, keyCount, answers: sharedAnswers } = shared;
  const {
    clock,
    betslip: betslipTemplates,
    api: { baseUrl, keylessPerMinute },
  } = config;
  const warn = (err: unknown, message: string): void => log.warn({ err }, message);
  const notStarted = (err: unknown, jobId: string): void =>
    log.warn({ err, jobId }, 'a backfill job could not be started: the sweep starts it');
  const { keys, ingest, sportIngest, health, usage, sessions } = stores;
  return createParts({
    ...{
      reads,
      keys,
      keyChanges,
      ingest,
      sportIngest,
      health,
      usage,
      sessions,
      accounts,
      billing,
      charger,
      mailWritten,
    },
    ...{ addresses, keyCount, sharedAnswers, betslipTemplates, baseUrl, keylessPerMinute, now, clock, wallMs },
    keyStores: stores,
    ownOrigins: own,
    pushAudit: createPushAudit({ audits: stores.audits, reads, wallMs, warn }),
    referrals: createReferrals(stores.referralCodes, randomBytes),
    formReader: createFormReader(client),
    auditRunner: createAuditRunner(client, warn),
    backfills: { store: stores.backfill, start: createBackfillStarter(client, notStarted), random: randomInt },
    webhooks: { store: stores.ownedWebhooks, rules: config.webhooks, resolve: createResolver(), random: randomBytes },
    widgets: { store: stores.ownedWidgets, random: randomBytes },
    bulk: {
      manifest: stores.bulkFiles,
      files: createFileStore(config.bulk),
      keys: createSigner(config.bulk.signingKeys).publicKeys,
    },
    playClock: WALL_PACE,
    boardFeed: createBoardFeed({ reads: fresh, betslipTemplates, clock, log, now, notices: shared.notices }),
    balances: createBalances(stores.credits),
    elapsedMs: () => performance.now(),
    responsesCachedMs: BOUNDS.cachedMs,
  });
}

type Serves = Pick<ApiDeps, 'parts' | 'documents' | 'refusals'>;

function appOf(wiring: Wiring, over: Over, shared: Shared, serves: Serves, { ending, cutOff, isJudged }: Ends): Koa {
  const { config, log, now, wallMs, closing } = wiring;
  const { baseUrl, trustedProxies, securityContact, keylessPerMinute } = config.api;
  const workMeter = createWorkMeter();
  closing.push(() => workMeter.close());
  const sending = {
    work: createWorkLimits(workMeter, log, workBounds(keylessPerMinute)),
    judgeLarge: createLargeBodies(),
    stalledAfterMs: STALLED_AFTER_MS,
    cutOff,
  };
  const web = pagesOf(wiring, over, shared, { ...serves, sending }, ending);
  const timing = { wallMs, elapsedMs: () => performance.now() };
  return createApi({
    ...{ ...serves, reads: over.reads, now, wallMs, trustedProxies, baseUrl, log, securityContact },
    ...sending,
    isJudged,
    endpoints: ENDPOINTS,
    ownOrigins: over.own,
    streams: streamDepsOf({ leases: shared.leases, plays: shared.plays, stopping: ending, ...timing, log, baseUrl }),
    responsesCachedMs: BOUNDS.cachedMs,
    pages: createWeb(web),
    site: siteOf(web),
    missingPage: createMissingPage(web),
  });
}
