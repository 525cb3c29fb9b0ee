// Turns declarations into routes. Every call is checked in the same order (D7): key, the meter's limits, parameters,
// plan, scopes of the key, balance; it is then handled, charged and sent.
import type Router from '@koa/router';
import { context } from '@opentelemetry/api';
import { getRPCMetadata } from '@opentelemetry/core';
import type { Context, Middleware } from 'koa';
import { type AdmissionDeps, admission } from './admission';
import type { AuthenticateDeps } from './authenticate';
import { stateBalanceOfRefusal } from './charging/uncharged';
import type { Call, Endpoint } from './endpoint/endpoint';
import { type PreparedResponse, prepareResponse, type Tagging } from './http/response/prepared';
import { isEvents, isPlayed } from './http/response/reply';
import type { ResponseCache } from './http/response/response-cache';
import { taggerOf } from './http/tag';
import { sendFile } from './owner-file';
import { type PlayDeps, respondPlayed } from './played/respond-played';
import { type RespondDeps, respond, respondAs, respondHead } from './respond';
import { clientOf } from './session/client-address';
import { respondStream, type StreamDeps } from './stream/respond-stream';
import type { FairTurns } from './work/fair-turns';
import { createGivingWay, type GivingWay } from './work/giving-way';

/** `N`: the services that the operations are bound to. */
export interface MountDeps<N = unknown> extends Omit<AuthenticateDeps, 'meter'>, AdmissionDeps<N>, RespondDeps {
  readonly responseCache: ResponseCache;
  readonly turns: FairTurns;
  readonly streams: Omit<StreamDeps, 'callers' | 'meter'> & Pick<PlayDeps, 'plays'>;
  /** Racing time, epoch milliseconds. */
  now(): number;
}

/** With what all routes of a process share. */
type RouteDeps = MountDeps & { readonly givingWay: GivingWay };

type Handle = (ctx: Context) => Promise<void>;

/**
 * Registers the operations with the router, and returns a middleware that finds GETs without path parameters in a map,
 * because the router tries one pattern after the other.
 */
export function mount<N>(router: Router, endpoints: readonly Endpoint<N>[], deps: MountDeps<N>): Middleware {
  const shared = { ...deps, givingWay: createGivingWay() };
  const direct = new Map<string, { path: string; handle: Handle }>();
  for (const one of endpoints) {
    const path = routePath(one.path);
    const handle = withBalance(routeOf(one)(one, shared), shared);
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
}: Endpoint): (endpoint: Endpoint, deps: RouteDeps) => Handle {
  if (sendsEvents) return eventsRoute;
  if (servesFile) return fileRoute;
  return method === 'get' && !ofAccount ? cachedRoute : uncachedRoute;
}

/** Refusals state the balance too (D6). */
function withBalance(handle: Handle, { meter, givingWay }: RouteDeps): Handle {
  return async (ctx) => {
    givingWay.noteCall();
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

function fileRoute(endpoint: Endpoint, deps: MountDeps): Handle {
  const admit = admission(endpoint, deps, deps.now);
  return async (ctx) => sendFile(ctx, endpoint, deps, await admit(ctx));
}

function eventsRoute(endpoint: Endpoint, deps: RouteDeps): Handle {
  const admit = admission(endpoint, deps, deps.now);
  return async (ctx) => {
    const { call, metered, recheck } = await admit(ctx);
    const reply = await endpoint.handler(call as never);
    const { stalledAfterMs } = deps;
    if (isPlayed(reply) && metered)
      return respondPlayed(ctx, { ...deps, ...deps.streams, stalledAfterMs }, { reply, metered, recheck });
    if (!isEvents(reply) || !metered) throw new Error('the operation returned no stream, or needs no key');
    await respondStream(ctx, { ...deps, ...deps.streams }, { reply, metered, recheck });
  };
}

async function run(endpoint: Endpoint, call: unknown, tagging: Tagging): Promise<PreparedResponse> {
  return prepareResponse(await endpoint.handler(call as never), tagging);
}

/** Names the request's span by its route, because a direct call bypasses the router. Costs nothing without a trace. */
function traceRoute(route: string): void {
  const request = getRPCMetadata(context.active());
  if (request) request.route = route;
}
