// Turns declarations into routes. Every call is checked in the same order (D7): key, the meter's limits, parameters,
// plan, scopes of the key, balance; it is then handled, charged and sent.
import type Router from '@koa/router';
import { context } from '@opentelemetry/api';
import { getRPCMetadata } from '@opentelemetry/core';
import type { Context, Middleware } from 'koa';
import { invalid } from '../../errors';
import { type AuthenticateDeps, authenticate } from './authenticate';
import { stateBalanceOfRefusal } from './charging/uncharged';
import { brokenBodyRules } from './endpoint/body-rules';
import { type Caller, rightsOf } from './endpoint/caller';
import { type Call, type Endpoint, isChargedOnce } from './endpoint/endpoint';
import type { MeteredCall, OnceCall, SetHeader } from './endpoint/meter';
import { requireScope } from './endpoint/scopes';
import { type Audience, audienceOf } from './endpoint/visibility';
import { goneSignal } from './http/client-gone';
import { type PreparedResponse, prepareResponse, type Tagging } from './http/response/prepared';
import { isEvents, isFile } from './http/response/reply';
import type { ResponseCache } from './http/response/response-cache';
import { headersOf } from './http/response-headers';
import { taggerOf } from './http/tag';
import { bodyReader, hasBody } from './input/body';
import { readIdempotencyKey } from './input/idempotency-key';
import type { ReadBody } from './input/judge-body';
import type { JudgeLarge, Sender } from './input/large/large-bodies';
import type { LargeBody } from './input/verdict';
import { type ReadRequest, requestReader } from './request';
import { type RespondDeps, respond, respondAs, respondFile, respondHead } from './respond';
import { browserOf } from './session/browser';
import { clientOf } from './session/client-address';
import { respondStream, type StreamDeps } from './stream/respond-stream';
import type { FairTurns } from './work/fair-turns';

/** `N`: the services that the operations are bound to. */
export interface MountDeps<N = unknown> extends Omit<AuthenticateDeps, 'meter'>, RespondDeps {
  readonly responseCache: ResponseCache;
  readonly turns: FairTurns;
  readonly judgeLarge: JudgeLarge;
  readonly services: N;
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
  readonly streams: Omit<StreamDeps, 'callers' | 'meter'>;
  /** Racing time, epoch milliseconds. */
  now(): number;
}

type Handle = (ctx: Context) => Promise<void>;

/**
 * Registers the operations with the router, and returns a middleware that finds GETs without path parameters in a map,
 * because the router tries one pattern after the other.
 */
export function mount<N>(router: Router, endpoints: readonly Endpoint<N>[], deps: MountDeps<N>): Middleware {
  const direct = new Map<string, { path: string; handle: Handle }>();
  for (const one of endpoints) {
    const path = routePath(one.path);
    const handle = withBalance(routeOf(one)(one, deps), deps);
    router[one.method](path, handle);
    if (one.method === 'get' && path === one.path) direct.set(path, { path, handle });
  }
  return (ctx, next) => {
    const { method } = ctx.req;
    const found = method === 'GET' || method === 'HEAD' ? direct.get(ctx.path) : undefined;
    if (!found) return next();
    ctx._matchedRoute = found.path;
    traceRoute(found.path);
    return found.handle(ctx);
  };
}

function routeOf({
  method,
  ofAccount,
  servesFile,
  sendsEvents,
}: Endpoint): (endpoint: Endpoint, deps: MountDeps) => Handle {
  if (sendsEvents) return eventsRoute;
  if (servesFile) return fileRoute;
  return method === 'get' && !ofAccount ? cachedRoute : uncachedRoute;
}

/** Refusals state the balance too (D6). */
function withBalance(handle: Handle, { meter }: MountDeps): Handle {
  return async (ctx) => {
    try {
      await handle(ctx);
    } catch (error) {
      await stateBalanceOfRefusal(ctx, meter, error);
      throw error;
    }
  };
}

/** `/v1/sports/{sport_key}/odds` in the router's syntax. */
function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

const SECOND_MS = 1000;

/** A GET sees the time rounded down to the second, so that equal queries within a second share a response. */
function cachedRoute(endpoint: Endpoint, deps: MountDeps): Handle {
  const admit = admission(endpoint, deps, () => Math.floor(deps.now() / SECOND_MS) * SECOND_MS);
  const { turns } = deps;
  const { forSecond, coalesce } = deps.responseCache;
  const tagOf = taggerOf(endpoint.ok.schema);
  return async (ctx) => {
    const { cacheKey, call, metered } = await admit(ctx);
    if (isHeadAlone(ctx, endpoint, call)) return respondHead(ctx, deps, !endpoint.neverCached);
    if (endpoint.streamed?.(call.query as never)) {
      return respondAs(ctx, deps, metered, await endpoint.handler(call as never), 'never_stored');
    }
    const inTurn = (tagging: Tagging) => () =>
      turns(metered?.caller.accountId ?? clientOf(ctx).network, () => run(endpoint, call, tagging));
    const response = endpoint.neverCached
      ? coalesce(cacheKey, inTurn('never_stored'))
      : forSecond(cacheKey, call.nowMs, inTurn(tagOf));
    await respond(ctx, deps, metered, await response);
  };
}

/**
 * HEAD runs the handler too: a GET that depends on the account is free, and its handler may refuse the account or id. A
 * HEAD that is not refused as the GET is would reveal more than the GET.
 */
function uncachedRoute(endpoint: Endpoint, deps: MountDeps): Handle {
  const admit = admission(endpoint, deps, deps.now);
  return async (ctx) => {
    const { call, metered } = await admit(ctx);
    const tagging = endpoint.ofAccount ? 'never_stored' : 'none';
    await respondAs(ctx, deps, metered, await endpoint.handler(call as never), tagging, endpoint.ok.status);
  };
}

/**
 * HEAD of an operation that costs credits is free, so it does no work. Streams have their own headers, which cost
 * nothing either.
 */
const isHeadAlone = (ctx: Context, { streamed }: Endpoint, { query }: Call): boolean =>
  ctx.method === 'HEAD' && !streamed?.(query as never);

/**
 * A stored file: a version that the client already has is free, and this is decided before the balance is checked
 * (D47).
 */
function fileRoute(endpoint: Endpoint, deps: MountDeps): Handle {
  const admit = admission(endpoint, deps, deps.now);
  return async (ctx) => {
    const { call, metered } = await admit(ctx);
    const reply = await endpoint.handler(call as never);
    if (!isFile(reply)) throw new Error('the operation returned something else than a file');
    await respondFile(ctx, deps, metered, reply);
  };
}

function eventsRoute(endpoint: Endpoint, deps: MountDeps): Handle {
  const admit = admission(endpoint, deps, deps.now);
  return async (ctx) => {
    const { call, metered, recheck } = await admit(ctx);
    const reply = await endpoint.handler(call as never);
    if (!isEvents(reply) || !metered) throw new Error('the operation returned no stream, or needs no key');
    await respondStream(ctx, { ...deps, ...deps.streams }, { reply, metered, recheck });
  };
}

async function run(endpoint: Endpoint, call: unknown, tagging: Tagging): Promise<PreparedResponse> {
  return prepareResponse(await endpoint.handler(call as never), tagging);
}

interface Admitted {
  readonly call: Call;
  /** Equal for requests that share a response. */
  readonly cacheKey: string;
  /** Null without a key. */
  readonly metered: MeteredCall | null;
  /** Throws the 403 of this call for a caller whose plan changed. */
  recheck(caller: Caller): Promise<void>;
}

/** All checks before the handler runs. */
function admission(endpoint: Endpoint, deps: MountDeps, now: () => number): (ctx: Context) => Promise<Admitted> {
  const { meter, services, baseUrl } = deps;
  const read = requestReader(endpoint);
  const readBody = endpoint.body && bodyReader(endpoint.body, endpoint.bodyBytes);
  return async (ctx) => {
    const setHeader = setHeaderOf(ctx);
    const { caller, session } = await authenticate(endpoint, ctx, setHeader, deps);
    const nowMs = now();
    const audience = audienceOf(caller);
    const request = read(ctx.querystring, ctx.params, ctx.req.headers.accept);
    if (request.isNegotiated) setHeader('Vary', 'Accept, Accept-Encoding');
    checkParameters(endpoint, request, audience, nowMs);
    const judgeLarge = (large: LargeBody) => deps.judgeLarge(large, senderOf(endpoint, ctx, caller, deps));
    const reads = endpoint.bodyOptional && !hasBody(ctx.req) ? undefined : readBody;
    const body = reads && validBody(endpoint, await reads(ctx.req, judgeLarge), audience);
    const idempotencyKey = endpoint.idempotencyKey ? readIdempotencyKey(ctx) : null;
    const { params, key } = request;
    const judged =
      caller &&
      ({ caller, query: request.query, params, body } as never as Parameters<typeof endpoint.cost.credits>[0]);
    const check = async (by: typeof judged, set: SetHeader): Promise<void> => {
      if (by && endpoint.gate) await endpoint.gate.check({ ...by, nowMs, setHeader: set, baseUrl, services } as never);
      if (by) requireScope(endpoint, by.caller);
    };
    await check(judged, setHeader);
    const recheck = (by: Caller) => check(judged && { ...judged, caller: by }, () => {});
    const metered = judged && {
      caller: judged.caller,
      endpoint: endpoint.path,
      credits: endpoint.cost.credits(judged),
      once: takesOnce(endpoint, ctx, request.query) ? onceOf(ctx, endpoint, request) : null,
      setHeader,
    };
    const isJoined = metered?.once ? await meter.joins(metered) : false;
    if (isJoined) deps.work.requireFree(ctx);
    // HEAD is free, so any balance is enough.
    if (metered && !isJoined && !endpoint.servesFile && ctx.method !== 'HEAD') meter.precheck(metered);
    const rights = rightsOf(caller);
    const shared = { rights, audience, query: request.query, params, body, nowMs, idempotencyKey, services };
    const cacheKey = `${endpoint.operationId} ${audience.name} ${Object.values(rights).join(' ')} ${key}`;
    const own = { caller, session, account: caller ?? session };
    const account = endpoint.ofAccount ? { ...own, browser: browserOf(ctx, baseUrl) } : OF_NO_ACCOUNT;
    return { cacheKey, metered, call: { ...shared, ...account }, recheck };
  };
}

/** HEAD is free, and a stream charges itself. */
const takesOnce = (endpoint: Endpoint, ctx: Context, query: unknown): boolean =>
  isChargedOnce(endpoint) && ctx.method === 'GET' && !endpoint.streamed?.(query as never);

function onceOf(ctx: Context, { operationId }: Endpoint, { params, query }: ReadRequest): OnceCall | null {
  const key = readIdempotencyKey(ctx);
  if (key === null) return null;
  // Equal in the next release too, which may have more parameters.
  const pairs = Object.entries({ ...query, ...params }).sort(([a], [b]) => (a < b ? -1 : 1));
  return { key, request: `${operationId} ${JSON.stringify(pairs.filter(([, value]) => value !== undefined))}` };
}

/** Also reaches a problem that is thrown later. */
function setHeaderOf(ctx: Context): SetHeader {
  const headers = headersOf(ctx);
  return (name, value) => {
    const at = headers.indexOf(name);
    if (at < 0) headers.push(name, value);
    else headers[at + 1] = value;
  };
}

const OF_NO_ACCOUNT = { caller: null, session: null, account: null, browser: null };

/** Pushes of one book wait for each other; other large bodies wait by account. */
function senderOf({ pushedBook }: Endpoint, ctx: Context, caller: Caller | null, { work }: MountDeps): Sender {
  const share = pushedBook ? ctx.params[pushedBook] : (caller?.accountId ?? clientOf(ctx).network);
  return { share, signal: goneSignal(ctx), spend: (ms) => work.spend(ctx, ms) };
}

/** Throws all problems of the body. */
function validBody({ bodyRules = {} }: Endpoint, { body, problems, unlisted }: ReadBody, audience: Audience): unknown {
  // The rules need every invalid member.
  if (unlisted !== 0) throw invalid(problems, unlisted);
  const all = [...problems, ...brokenBodyRules(bodyRules, body, problems, audience)];
  if (all.length > 0) throw invalid(all);
  return body;
}

/** Throws all problems of the parameters. */
function checkParameters(
  endpoint: Endpoint,
  { query, given, problems, refusal }: ReadRequest,
  audience: Audience,
  nowMs: number,
): void {
  if (refusal) throw refusal;
  const broken = endpoint.rules?.(query, { audience, nowMs, given }) ?? [];
  if (problems.length + broken.length > 0) throw invalid([...problems, ...broken]);
}

/** Names the request's span by its route, because a direct call bypasses the router. Costs nothing without a trace. */
function traceRoute(route: string): void {
  const request = getRPCMetadata(context.active());
  if (request) request.route = route;
}
