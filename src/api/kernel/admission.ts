// What is checked before an operation does its work, in one order (D7), whether a key names the caller or an owner's
// session does.
import type { Context } from 'koa';
import { invalid } from '../../errors';
import { type AuthenticateDeps, type Authenticated, admitCaller, authenticate } from './authenticate';
import { brokenBodyRules } from './endpoint/body-rules';
import { type Caller, rightsOf } from './endpoint/caller';
import { type Call, type Endpoint, isChargedOnce } from './endpoint/endpoint';
import type { Meter, MeteredCall, OnceCall, SetHeader } from './endpoint/meter';
import { requireScope } from './endpoint/scopes';
import { type Audience, audienceOf } from './endpoint/visibility';
import { goneSignal } from './http/client-gone';
import { headersOf } from './http/response-headers';
import { bodyReader, hasBody } from './input/body';
import { readIdempotencyKey } from './input/idempotency-key';
import type { ReadBody } from './input/judge-body';
import type { JudgeLarge, Sender } from './input/large/large-bodies';
import type { LargeBody } from './input/verdict';
import { type ReadRequest, requestReader } from './request';
import { browserOf } from './session/browser';
import { clientOf } from './session/client-address';
import type { WorkLimits } from './work/work-limits';

/** `N`: the services that the operation is bound to. */
export interface AdmissionDeps<N = unknown> {
  readonly meter: Meter;
  readonly work: WorkLimits;
  readonly judgeLarge: JudgeLarge;
  readonly services: N;
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
}

export interface Admitted {
  readonly call: Call;
  /** Equal for requests that share a response. */
  readonly cacheKey: string;
  /** Null without a key. */
  readonly metered: MeteredCall | null;
  /** Throws the 403 of this call for a caller whose plan changed. */
  recheck(caller: Caller): Promise<void>;
}

/** All checks before the handler runs, for a request that names its caller. */
export function admission(
  endpoint: Endpoint,
  deps: AdmissionDeps & AuthenticateDeps,
  now: () => number,
): (ctx: Context) => Promise<Admitted> {
  const judge = judging(endpoint, deps, now);
  return (ctx) => judge(ctx, (setHeader) => authenticate(endpoint, ctx, setHeader, deps));
}

/** The same checks for a form that the owner of an account sends, as if with this key. */
export function ownerAdmission(
  endpoint: Endpoint,
  deps: AdmissionDeps,
  now: () => number,
): (ctx: Context, caller: Caller) => Promise<Admitted> {
  const judge = judging(endpoint, deps, now);
  return (ctx, caller) =>
    judge(ctx, async (setHeader) => {
      await admitCaller(endpoint, ctx, caller, setHeader, deps);
      return { caller, session: null };
    });
}

type Identify = (setHeader: SetHeader) => Promise<Authenticated>;

function judging(
  endpoint: Endpoint,
  deps: AdmissionDeps,
  now: () => number,
): (ctx: Context, identify: Identify) => Promise<Admitted> {
  const { meter, services, baseUrl } = deps;
  const read = requestReader(endpoint);
  const readBody = endpoint.body && bodyReader(endpoint.body, endpoint.bodyBytes);
  return async (ctx, identify) => {
    const setHeader = setHeaderOf(ctx);
    const { caller, session } = await identify(setHeader);
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
    const gone = endpoint.pushedBook ? goneSignal(ctx) : null;
    const shared = { rights, audience, query: request.query, params, body, nowMs, idempotencyKey, gone, services };
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
function senderOf({ pushedBook }: Endpoint, ctx: Context, caller: Caller | null, { work }: AdmissionDeps): Sender {
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
