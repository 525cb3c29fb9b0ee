// The API as a Koa application. Everything it needs is an argument; it never reads the environment or a clock or opens a connection.
import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import type { Accounts } from '../accounts/accounts';
import { type Billing, NO_BILLING } from '../accounts/billing/billing';
import type { Referrals } from '../accounts/referral/referrals';
import { type RaceClock, REAL_TIME } from '../domain/time/clock';
import { ownOrigins } from '../own-origin';
import type { SessionStore } from '../store/accounts/sessions';
import type { HealthStore } from '../store/health';
import type { IngestStore } from '../store/ingest';
import { type KeyChanges, NO_KEY_CHANGES } from '../store/key-changes';
import type { KeyStore } from '../store/keys';
import type { Reads } from '../store/reads/reads';
import type { AddressBudget } from '../store/redis/address-budget';
import type { KeyLimit } from '../store/redis/key-limit';
import { createSharedAnswers, type SharedAnswers } from '../store/redis/shared-answers';
import type { SportIngestStore } from '../store/sports/push';
import type { UsageStore } from '../store/usage';
import type { TrustedProxies } from '../trusted-proxies';
import type { Site } from '../web/site/pages';
import { siteRoutes } from './discovery/routes';
import { healthRoute } from './health-route';
import type { Balances } from './kernel/charging/balances';
import { createCallMeter } from './kernel/charging/call-meter';
import type { Charger } from './kernel/charging/charger';
import type { Endpoint } from './kernel/endpoint/endpoint';
import type { Meter } from './kernel/endpoint/meter';
import { clientGone } from './kernel/http/client-gone';
import { compressed } from './kernel/http/compression';
import { preflight } from './kernel/http/cross-origin';
import { methodNotAllowed, methodsAt } from './kernel/http/methods';
import { type ProblemLog, problemEdge } from './kernel/http/problem';
import { localAddress, readableHead } from './kernel/http/request-head';
import { requestMetrics } from './kernel/http/request-metrics';
import { createOpenStreams } from './kernel/http/response/open-streams';
import { BOUNDS, createResponseCache } from './kernel/http/response/response-cache';
import { STALLED_AFTER_MS } from './kernel/http/response/streamed';
import { responseHeaders } from './kernel/http/response-headers';
import { retired } from './kernel/http/retired';
import { createLargeBodies, type JudgeLarge } from './kernel/input/large/large-bodies';
import { createCallers } from './kernel/keys/callers';
import { createAddressCount } from './kernel/limits/address-count';
import { createIpLimit, type IpLimit, keylessLimited } from './kernel/limits/ip-limit';
import { createKeyCount } from './kernel/limits/key-count';
import { createPushLimit } from './kernel/limits/push-limit';
import { limitState } from './kernel/limits/rate-limit';
import { mount } from './kernel/mount';
import { clientAddress } from './kernel/session/client-address';
import { createSessions } from './kernel/session/session';
import { unknownAddress } from './kernel/unknown-address';
import { createFairTurns } from './kernel/work/fair-turns';
import { NO_WORK_LIMITS, type WorkLimits } from './kernel/work/work-limits';
import { docsRoutes } from './openapi/docs';
import { openApiDocument } from './openapi/document';
import { ENDPOINTS, type Services } from './operations';
import { createAccountReader } from './operations/account/account-reader';
import { type BackfillDeps, type Backfills, createBackfills } from './operations/backfill/backfill';
import { createBetslipBoard } from './operations/betslip/betslip-links';
import { stripeEvents } from './operations/billing/stripe-events';
import { type BulkStores, createBulkShelf } from './operations/bulk/bulk';
import { createBoardFeed } from './operations/changes/board-feed';
import { createChangesStream } from './operations/changes/changes-stream';
import { type FormReader, NO_FORM_READER } from './operations/form/form-reader';
import { createIngest } from './operations/ingest/ingest';
import { createSportsIngest } from './operations/ingest/sports-ingest';
import { createIntelligence } from './operations/intelligence/analysis';
import { createIntelligenceScanner } from './operations/intelligence/scanner';
import { createKeyServices, type KeyStores } from './operations/keys/keys';
import { createBestOddsBoard } from './operations/prices/best-odds-board';
import { type AuditRunner, NO_AUDIT_RUNNER } from './operations/quality/audit-runner';
import { createPushAudit, NO_PUSH_AUDIT, type PushAuditDeps } from './operations/quality/push-audit';
import { createDemoBoard } from './operations/sandbox/demo-board';
import { createRacingDemo } from './operations/sandbox/racing-demo';
import { createSportsDemo } from './operations/sandbox/sports-demo';
import { createCoverageReport } from './operations/site/measure-coverage';
import { createPlatformFacts } from './operations/site/measure-facts';
import { createSportsBoard } from './operations/sports/sports-board';
import { createWebhooks, type WebhookDeps, type WebhookService } from './operations/webhooks/webhooks';
import { createWidgets, type WidgetDeps, type WidgetService } from './operations/widgets/widgets';
import { type StreamOptions, streamDepsOf } from './stream-options';

export interface ApiDeps extends StreamOptions {
  readonly reads: Reads;
  readonly keys: KeyStore;
  /** Announces new, changed and revoked keys. Default: nothing does, so unknown keys are not cached. */
  readonly keyChanges?: KeyChanges;
  readonly ingest: IngestStore;
  /** Default: pushes are not audited. */
  readonly pushAudits?: Pick<PushAuditDeps, 'audits' | 'warn'>;
  /** Default: pushes of sports fail. */
  readonly sportIngest?: SportIngestStore;
  readonly health: Pick<HealthStore, 'recordPolls'>;
  /** Cached results that all API processes share for some seconds. Default: not shared. */
  readonly sharedAnswers?: SharedAnswers;
  /** Counts calls of addresses for all API processes. Default: each process counts its own. */
  readonly addressBudget?: AddressBudget;
  /** Requests of one address to all that needs no key and has no limit of its own. */
  readonly keylessPerMinute?: number;
  /** Measures and limits processor time. Default: nothing does. */
  readonly work?: WorkLimits;
  /** Judges large bodies. Default: in a thread of its own. */
  readonly judgeLarge?: JudgeLarge;
  /** Templates of betslip links, by bookmaker key. Default: none. */
  readonly betslipTemplates?: Readonly<Record<string, string>>;
  /** Racing time, epoch milliseconds. */
  now(): number;
  /** The clock that `now` follows. Default: real time. */
  readonly clock?: RaceClock;
  /** Proxies before the API. Default: none. */
  readonly trustedProxies?: TrustedProxies;
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
  /** Where the service's own pages are opened. Default: at `baseUrl`. */
  readonly ownOrigins?: readonly string[];
  readonly log: ProblemLog;
  /** Counts the requests of keys for all API processes. Default: no key is limited. */
  readonly keyLimit?: KeyLimit;
  /** How many API processes share it, as last seen. Default: this one. */
  readonly processes?: () => number;
  /** Charges calls. Default: every call is free. */
  readonly charger?: Charger;
  /** Default: responses that charge nothing state no balance. */
  readonly balances?: Balances;
  /** Reads what accounts have used. Default: the operations that show it fail. */
  readonly usage?: UsageStore;
  /** Sign-up and sign-in. Default: their operations fail. */
  readonly accounts?: Accounts;
  /** Default: no one can sign in. */
  readonly sessions?: SessionStore;
  /** Makes, changes and ends keys. Default: the operations that do so fail. */
  readonly keyStores?: KeyStores;
  /** Default: no payments are taken (D15). */
  readonly billing?: Billing;
  /** Default: the operations that show them fail. */
  readonly referrals?: Referrals;
  /** Has form pages read from the registry. Default: none is read. */
  readonly formReader?: FormReader;
  /** Has workers audit prices. Default: none does. */
  readonly auditRunner?: AuditRunner;
  /** Backfill jobs. Default: their operations fail. */
  readonly backfills?: BackfillDeps;
  /** Webhooks of customers. Default: their operations fail. */
  readonly webhooks?: WebhookDeps;
  /** Widgets of customers. Default: their operations fail. */
  readonly widgets?: WidgetDeps;
  /** Bulk files. Default: none is built. */
  readonly bulk?: BulkStores;
  /** How long a client of a stream may take nothing, wall time. Default: a minute. */
  readonly stalledAfterMs?: number;
  /** Aborted before the server closes connections that are in use. Default: never. */
  readonly cutOff?: AbortSignal;
  /** Wall clock, epoch milliseconds: months of credits, sessions. Default: this machine's. */
  wallMs?(): number;
  /** Monotonic, milliseconds: how long keys are cached. Default: this process's. */
  elapsedMs?(): number;
  /** Replaces limits and charges in tests. */
  readonly meter?: Meter;
  /** How long the responses of one second are cached at most, in wall time; 0: not at all. Default: one second. */
  readonly responsesCachedMs?: number;
  /** Pages and widgets, matched after the operations. */
  readonly pages?: Router;
  /** Which of them search engines and models should find. Default: none. */
  readonly site?: Site;
  /** Where weaknesses are reported, as a URI. Default: nowhere. */
  readonly securityContact?: string | null;
  /** Answers a person at an address that nothing serves. */
  readonly missingPage?: Middleware;
  /** Replaces the contract's operations in tests. */
  readonly endpoints?: readonly Endpoint<Services>[];
}

export function createApi(deps: ApiDeps): Koa {
  const app = new Koa();
  app.on('error', (error: unknown, ctx?: Context) => {
    if (!ctx || !clientGone(ctx)) deps.log.error({ err: error }, 'response failed');
  });
  const work = deps.work ?? NO_WORK_LIMITS;
  app.use(work.measured);
  app.use(requestMetrics);
  app.use(localAddress);
  app.use(responseHeaders(deps.baseUrl));
  app.use(clientAddress(deps.trustedProxies ?? 0));
  app.use(problemEdge(deps.baseUrl, deps.log));
  app.use(readableHead);
  const addresses = createAddressCount(deps.addressBudget ?? null);
  const ipLimit = createIpLimit(addresses, deps.keylessPerMinute);
  const { router, direct } = createRouter(deps, addresses, ipLimit, work);
  const routers = deps.pages ? [router, deps.pages] : [router];
  app.use(preflight(routers));
  app.use(direct);
  const isOperation = ({ path, method }: Context) =>
    path.startsWith('/v1/') && methodsAt([router], path).includes(method);
  app.use(keylessLimited(ipLimit, isOperation, work));
  app.use(compressed);
  app.use(retired);
  // Before the routes: `DELETE /v1/webhooks/events` is no `DELETE /v1/webhooks/{webhook_id}`.
  app.use(methodNotAllowed(routers));
  for (const one of routers) app.use(one.routes());
  if (deps.missingPage) app.use(deps.missingPage);
  app.use(unknownAddress(deps.endpoints ?? ENDPOINTS));
  return app;
}

const NO_SESSIONS: SessionStore = {
  find: async () => null,
  start: () => Promise.reject(new Error('this API has no sessions')),
  remove: async () => {},
  removeAll: async () => {},
};

/** Every method rejects. */
const absent = <T extends object>(what: string): T =>
  new Proxy({} as T, { get: () => () => Promise.reject(new Error(`this API has no ${what}`)) });

function createRouter(
  deps: ApiDeps,
  attempts: AddressBudget,
  ipLimit: IpLimit,
  work: WorkLimits,
): { router: Router; direct: Middleware } {
  const router = new Router({ sensitive: true, strict: true });
  const endpoints: readonly Endpoint<Services>[] = deps.endpoints ?? ENDPOINTS;
  const keyCount = deps.keyLimit ? createKeyCount(deps.keyLimit, deps.processes) : null;
  const betslip = createBetslipBoard(deps.reads, deps.betslipTemplates ?? {});
  const sharedAnswers = deps.sharedAnswers ?? createSharedAnswers(null, 'alone');
  const intelligence = createIntelligence(deps.reads);
  const sports = createSportsBoard(deps.reads, sharedAnswers);
  const clock = deps.clock ?? REAL_TIME;
  const { reads, baseUrl, wallMs = Date.now } = deps;
  const pushAudit = deps.pushAudits ? createPushAudit({ ...deps.pushAudits, reads, wallMs }) : NO_PUSH_AUDIT;
  const feed = deps.boardFeed ?? createBoardFeed({ ...deps, clock });
  const services = {
    accounts: deps.accounts ?? absent<Accounts>('accounts'),
    account: createAccountReader(deps.usage, wallMs),
    sessions: deps.sessions ?? NO_SESSIONS,
    ...createKeyServices(deps.keyStores, wallMs),
    billing: deps.billing ?? NO_BILLING,
    referrals: deps.referrals ?? absent<Referrals>('referrals'),
    reads: deps.reads,
    auditRunner: deps.auditRunner ?? NO_AUDIT_RUNNER,
    backfills: deps.backfills
      ? createBackfills(deps.backfills, deps.reads, deps.responsesCachedMs)
      : absent<Backfills>('backfill jobs'),
    bestOdds: createBestOddsBoard(deps.reads, betslip, sharedAnswers),
    betslip,
    bulk: createBulkShelf(deps.bulk, deps.now),
    demo: createDemoBoard(deps.reads, sharedAnswers),
    formReader: deps.formReader ?? NO_FORM_READER,
    ingest: createIngest(deps.ingest, deps.health, pushAudit),
    intelligence,
    scanner: createIntelligenceScanner({ reads: deps.reads, intelligence, sharedAnswers }),
    sharedAnswers,
    sports,
    sportsDemo: createSportsDemo(sports, sharedAnswers),
    racingDemo: createRacingDemo(reads, sharedAnswers),
    sportsIngest: createSportsIngest(
      deps.sportIngest ?? absent<SportIngestStore>('store of sports'),
      deps.health,
      pushAudit,
    ),
    webhooks: deps.webhooks ? createWebhooks(deps.webhooks, attempts, wallMs) : absent<WebhookService>('webhooks'),
    widgets: deps.widgets ? createWidgets(deps.widgets, wallMs) : absent<WidgetService>('widgets'),
    coverageReport: createCoverageReport(deps.reads, sharedAnswers),
    platformFacts: createPlatformFacts({ reads, shared: sharedAnswers, operations: endpoints.length }),
    changesStream: createChangesStream(feed),
    clock,
    rateLimits: () => limitState(keyCount),
    baseUrl,
  };
  const callers = createCallers({ ...deps, changes: deps.keyChanges ?? NO_KEY_CHANGES, attempts, wallMs });
  const meter = deps.meter ?? createCallMeter(deps, callers, keyCount);
  const direct = mount(router, endpoints, {
    callers,
    sessions: createSessions(services.sessions, deps.baseUrl, deps.ownOrigins ?? ownOrigins(deps.baseUrl), wallMs),
    meter,
    openStreams: createOpenStreams(),
    stalledAfterMs: deps.stalledAfterMs ?? STALLED_AFTER_MS,
    cutOff: deps.cutOff ?? new AbortController().signal,
    streams: streamDepsOf(deps),
    ipLimit,
    work,
    turns: createFairTurns(),
    judgeLarge: deps.judgeLarge ?? createLargeBodies(),
    pushLimit: createPushLimit(keyCount),
    responseCache: createResponseCache({ ...BOUNDS, cachedMs: deps.responsesCachedMs ?? BOUNDS.cachedMs }),
    services,
    baseUrl,
    now: deps.now,
  });
  stripeEvents(router, services.billing);
  const document = openApiDocument(endpoints, deps.baseUrl);
  docsRoutes(router, document);
  siteRoutes(router, { ...deps, endpoints, document, wallMs });
  router.get('/healthz', healthRoute(deps.reads, keyCount));
  return { router, direct };
}
