// Declarations become routes. The order of judgement is the same for all (D7): key, then the meter's gate, parameters, plan,
// balance, the work, the charge.
import type Router from '@koa/router';
import { context } from '@opentelemetry/api';
import { getRPCMetadata } from '@opentelemetry/core';
import type { Context, Middleware } from 'koa';
import { AppError, invalid } from '../errors';
import { type Callers, rightsOf } from './access/caller';
import type { IpLimit } from './access/ip-limit';
import type { Hold, Meter } from './access/meter';
import { type Audience, audienceOf } from './access/visibility';
import type { Call, Endpoint } from './endpoint';
import { type PreparedResponse, prepareResponse, send, statusOf, type Tagging } from './http/prepared-response';
import type { ResponseCache } from './http/response-cache';
import { headersOf } from './http/response-headers';
import { taggerOf } from './http/tag';
import { bodyReader, type ReadBody } from './input/body';
import { brokenBodyRules } from './input/body-rules';
import { type ReadRequest, requestReader } from './input/request';
import type { Services } from './services/services';

export interface MountDeps {
  readonly callers: Callers;
  readonly meter: Meter;
  readonly ipLimit: IpLimit;
  readonly responseCache: ResponseCache;
  readonly services: Services;
  /** Racing time, epoch milliseconds. */
  now(): number;
}

type Handle = (ctx: Context) => Promise<void>;

/**
 * Registers the operations with the router, and returns a middleware that goes straight to those whose address is spelled as
 * declared: the router compares an address with one pattern after the other.
 */
export function mount(router: Router, endpoints: readonly Endpoint[], deps: MountDeps): Middleware {
  const direct = new Map<string, { path: string; handle: Handle }>();
  for (const one of endpoints) {
    const path = routePath(one.path);
    const handle = one.method === 'get' ? reading(one, deps) : writing(one, deps);
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

/** `/v1/sports/{sport_key}/odds` as the router writes it. */
function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

const SECOND_MS = 1000;

/** A GET is of the whole second in which it is asked, so that all who ask in it may be told the same. */
function reading(endpoint: Endpoint, deps: MountDeps): Handle {
  const judge = admission(endpoint, deps, () => Math.floor(deps.now() / SECOND_MS) * SECOND_MS);
  const { forSecond, coalesce } = deps.responseCache;
  const tagOf = taggerOf(endpoint.ok.schema);
  return async (ctx) => {
    const { asked, call, hold } = await judge(ctx);
    const answered = endpoint.neverCached
      ? coalesce(asked, () => run(endpoint, call, 'never_stored'))
      : forSecond(asked, call.nowMs, () => run(endpoint, call, tagOf));
    await respond(ctx, hold, answered);
  };
}

function writing(endpoint: Endpoint, deps: MountDeps): Handle {
  const judge = admission(endpoint, deps, deps.now);
  return async (ctx) => {
    const { call, hold } = await judge(ctx);
    await respond(ctx, hold, run(endpoint, call, 'none'));
  };
}

async function run(endpoint: Endpoint, call: unknown, tagging: Tagging): Promise<PreparedResponse> {
  return prepareResponse(await endpoint.handler(call as never), tagging);
}

interface Admitted {
  readonly call: Call;
  /** The same for all who are to be told the same. */
  readonly asked: string;
  readonly hold: Hold | null;
}

/** Everything that may be refused before the work. */
function admission(endpoint: Endpoint, deps: MountDeps, now: () => number): (ctx: Context) => Promise<Admitted> {
  const { callers, meter, ipLimit, services } = deps;
  const read = requestReader(endpoint);
  const readBody = endpoint.body && bodyReader(endpoint.body);
  return async (ctx) => {
    const caller = endpoint.auth === 'none' ? null : await callers.identify(keyOf(ctx));
    if (caller) await meter.admit(caller, ctx.ip);
    if (endpoint.auth === 'internal' && caller?.role !== 'internal') {
      throw new AppError('plan_required', 'Only operator keys may call this operation; no plan includes it.');
    }
    if (endpoint.perMinutePerIp) await ipLimit.take(ctx.ip, endpoint.perMinutePerIp);
    const nowMs = now();
    const audience = audienceOf(caller);
    const question = read(ctx.querystring, ctx.params);
    checkParameters(endpoint, question, audience, nowMs);
    const body = readBody && validBody(endpoint, await readBody(ctx.req), audience);
    const { params, key } = question;
    const query = question.query as never;
    if (caller && endpoint.gate) {
      const headers = headersOf(ctx);
      endpoint.gate.check({ caller, query, nowMs, setHeader: headers.push.bind(headers) });
    }
    const hold = caller && (await meter.hold(caller, endpoint.cost.credits(query, caller)));
    const rights = rightsOf(caller);
    const asked = `${endpoint.operationId} ${audience.name} ${rights.betslip} ${key}`;
    return { asked, hold, call: { rights, audience, query, params, body, nowMs, services } };
  };
}

const keyOf = ({ req }: Context): string => String(req.headers['x-api-key'] ?? '');

/** Throws all that is wrong. */
function validBody({ bodyRules = {} }: Endpoint, { body, problems }: ReadBody, audience: Audience): unknown {
  const wrong = [...problems, ...brokenBodyRules(bodyRules, body, problems, audience)];
  if (wrong.length > 0) throw invalid(wrong);
  return body;
}

/** Throws what is wrong with the parameters. */
function checkParameters(
  endpoint: Endpoint,
  { query, given, problems }: ReadRequest,
  audience: Audience,
  nowMs: number,
): void {
  const broken = endpoint.rules?.(query, { audience, nowMs, given }) ?? [];
  if (problems.length + broken.length > 0) throw invalid([...problems, ...broken]);
}

/** The answer and its charge: by its status, or nothing at all when the work fails. */
async function respond(ctx: Context, hold: Hold | null, answered: Promise<PreparedResponse>): Promise<void> {
  let one: PreparedResponse;
  try {
    one = await answered;
  } catch (error) {
    await hold?.settle();
    throw error;
  }
  const status = statusOf(ctx, one);
  await hold?.settle(status);
  await send(ctx, one, status);
}

/** Names a request's span by its route: what goes straight to its operation passes no router. Costs nothing without a trace. */
function traceRoute(route: string): void {
  const request = getRPCMetadata(context.active());
  if (request) request.route = route;
}
