// The API as a Koa application. Everything it needs is an argument: it creates nothing that pages share, opens no
// connection, and reads neither the environment nor a clock.
import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import type { Reads } from '../store/reads/reads';
import type { TrustedProxies } from '../trusted-proxies';
import type { Site } from '../web/site/pages';
import { siteRoutes } from './discovery/routes';
import { healthRoute } from './health-route';
import type { Endpoint } from './kernel/endpoint/endpoint';
import { clientGone } from './kernel/http/client-gone';
import { compressed } from './kernel/http/compression';
import { preflight } from './kernel/http/cross-origin';
import { onlyJudged } from './kernel/http/judged';
import { methodNotAllowed, methodsAt } from './kernel/http/methods';
import { type ProblemLog, problemEdge } from './kernel/http/problem';
import { localAddress, readableHead } from './kernel/http/request-head';
import { requestMetrics } from './kernel/http/request-metrics';
import { BOUNDS, createResponseCache } from './kernel/http/response/response-cache';
import { responseHeaders } from './kernel/http/response-headers';
import { retired } from './kernel/http/retired';
import type { JudgeLarge } from './kernel/input/large/large-bodies';
import { keylessLimited } from './kernel/limits/ip-limit';
import { createPushLimit } from './kernel/limits/push-limit';
import { type MountDeps, mount } from './kernel/mount';
import type { RefusedCalls } from './kernel/refusals/refused-calls';
import { clientAddress } from './kernel/session/client-address';
import { unknownAddress } from './kernel/unknown-address';
import { createFairTurns } from './kernel/work/fair-turns';
import type { WorkLimits } from './kernel/work/work-limits';
import { inProcess } from './mcp/in-process';
import { MCP_PATH, mcpRoutes } from './mcp/routes';
import { docsRoutes } from './openapi/docs';
import type { ApiDocuments } from './openapi/documents';
import type { Services } from './operations';
import { stripeEvents } from './operations/billing/stripe-events';
import type { Parts } from './parts';

export interface ApiDeps {
  readonly parts: Parts;
  readonly endpoints: readonly Endpoint<Services>[];
  /** Of these endpoints. */
  readonly documents: ApiDocuments;
  readonly reads: Pick<Reads, 'ping'>;
  /** Whether the database is one that may be served from. */
  readonly isJudged: () => boolean;
  /** Measures and limits processor time. */
  readonly work: WorkLimits;
  readonly judgeLarge: JudgeLarge;
  readonly streams: MountDeps['streams'];
  /** Racing time, epoch milliseconds. */
  now(): number;
  /** Wall clock, epoch milliseconds. */
  wallMs(): number;
  /** Proxies before the API. */
  readonly trustedProxies: TrustedProxies;
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
  /** Where the service's own pages are opened. */
  readonly ownOrigins: readonly string[];
  readonly log: ProblemLog;
  readonly refusals: RefusedCalls;
  /** Wall time after which a client that reads nothing of a stream is cut off. */
  readonly stalledAfterMs: number;
  /** Aborted before the server closes connections that are in use. */
  readonly cutOff: AbortSignal;
  /** How long the responses of one second are cached at most, in wall time; 0 disables caching. */
  readonly responsesCachedMs: number;
  /** Pages and widgets, matched after the operations; null: none. */
  readonly pages: Router | null;
  /** The pages that search engines and models should find; null: none. */
  readonly site: Site | null;
  /** Answers a browser at an unknown address; null: it is answered like a client. */
  readonly missingPage: Middleware | null;
  /** Where vulnerabilities are reported, as a URI; null: nowhere. */
  readonly securityContact: string | null;
}

export function createApi(deps: ApiDeps): Koa {
  const app = new Koa();
  app.on('error', (error: unknown, ctx?: Context) => {
    if (!ctx || !clientGone(ctx)) deps.log.error({ err: error }, 'response failed');
  });
  const { work, endpoints, parts } = deps;
  app.use(work.measured);
  app.use(requestMetrics);
  app.use(localAddress);
  app.use(responseHeaders(deps.baseUrl));
  app.use(clientAddress(deps.trustedProxies));
  app.use(problemEdge(deps.baseUrl, deps.log, deps.refusals));
  app.use(readableHead);
  app.use(onlyJudged(deps.isJudged));
  const { router, direct } = createRouter(deps);
  let handle: ReturnType<Koa['callback']> | undefined;
  const ask = inProcess(() => (handle ??= app.callback()));
  mcpRoutes(router, { ...deps, ...parts, ask });
  const routers = deps.pages ? [router, deps.pages] : [router];
  app.use(preflight(routers));
  app.use(direct);
  // A message to /mcp is counted by what it asks for.
  const isOperation = ({ path, method }: Context) =>
    (path.startsWith('/v1/') || path === MCP_PATH) && methodsAt([router], path).includes(method);
  app.use(keylessLimited(parts.ipLimit, isOperation, work));
  app.use(compressed);
  app.use(retired);
  // Before the routes, so that `DELETE /v1/webhooks/events` does not match `DELETE /v1/webhooks/{webhook_id}`.
  app.use(methodNotAllowed(routers));
  for (const one of routers) app.use(one.routes());
  if (deps.missingPage) app.use(deps.missingPage);
  app.use(unknownAddress(endpoints, parts.callers));
  return app;
}

function createRouter(deps: ApiDeps): { router: Router; direct: Middleware } {
  const { parts, endpoints, documents, pages } = deps;
  const router = new Router({ sensitive: true, strict: true });
  const direct = mount(router, endpoints, {
    ...deps,
    ...parts,
    turns: createFairTurns(),
    pushLimit: createPushLimit(parts.keyCount),
    responseCache: createResponseCache({ ...BOUNDS, cachedMs: deps.responsesCachedMs }),
  });
  stripeEvents(router, parts.services.billing);
  docsRoutes(router, documents);
  siteRoutes(router, { ...deps, pages, document: documents.document });
  router.get('/healthz', healthRoute(deps.reads, parts.keyCount));
  return { router, direct };
}
