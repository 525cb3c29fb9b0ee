// Declarations become routes. The order of judgement is the same for all (D7): key, then the meter's gate, parameters, plan,
// balance, the work, the charge.
import type Router from '@koa/router';
import type { Context } from 'koa';
import { AppError, invalid } from '../errors';
import { answer } from './answer';
import type { Caller, Callers } from './caller';
import type { Endpoint } from './endpoint';
import { bodyReader } from './input/body';
import { queryReader } from './input/query';
import type { IpLimit } from './ip-limit';
import type { Hold, Meter } from './meter';
import type { Services } from './services/services';
import { audienceOf } from './visibility';

export interface MountDeps {
  readonly callers: Callers;
  readonly meter: Meter;
  readonly ipLimit: IpLimit;
  readonly services: Services;
  /** Racing time, epoch milliseconds. */
  now(): number;
}

export function mount(router: Router, endpoints: readonly Endpoint[], deps: MountDeps): void {
  for (const one of endpoints) router[one.method](routePath(one.path), route(one, deps));
}

/** `/v1/sports/{sport_key}/odds` as the router writes it. */
export function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

const NO_HOLD: Hold = { settle: async () => {} };

function route(endpoint: Endpoint, deps: MountDeps): (ctx: Context) => Promise<void> {
  const read = inputReader(endpoint);
  return async (ctx) => {
    const caller = endpoint.auth === 'none' ? null : await deps.callers.identify(ctx.get('X-API-Key'));
    if (caller) await deps.meter.admit(caller, ctx.ip);
    if (endpoint.auth === 'internal' && caller?.role !== 'internal') {
      throw new AppError('plan_required', 'Only an operator’s key may call this, whatever the plan.');
    }
    if (endpoint.perMinutePerIp) deps.ipLimit.take(ctx.ip, endpoint.perMinutePerIp);
    const nowMs = deps.now();
    const audience = audienceOf(caller);
    const input = await read(ctx, { audience, nowMs });
    const query = input.query as never;
    if (caller) endpoint.gate?.check({ caller, query, nowMs, setHeader: (name, value) => ctx.set(name, value) });
    const hold = caller ? await deps.meter.hold(caller, endpoint.cost.credits(query, caller)) : NO_HOLD;
    const call = { caller: caller as Caller & null, audience, ...input, nowMs, ip: ctx.ip, services: deps.services };
    await work(endpoint, call as never, ctx, hold);
  };
}

/** The work and its charge: by the answer's status, or nothing at all when it fails. */
async function work(
  endpoint: Endpoint,
  call: Parameters<Endpoint['handler']>[0],
  ctx: Context,
  hold: Hold,
): Promise<void> {
  try {
    answer(ctx, await endpoint.handler(call), !endpoint.neverHeld);
  } catch (error) {
    await hold.settle();
    throw error;
  }
  await hold.settle(ctx.status);
}

interface Input {
  readonly query: unknown;
  readonly params: unknown;
  readonly body: unknown;
}

const NO_PARAMS = { query: {}, problems: [] };

type InputContext = Pick<Parameters<NonNullable<Endpoint['rules']>>[1], 'audience' | 'nowMs'>;

function inputReader(endpoint: Endpoint): (ctx: Context, context: InputContext) => Promise<Input> {
  const readQuery = queryReader(endpoint.query ?? {}, endpoint.exclusive);
  const readParams = endpoint.params && queryReader(endpoint.params);
  const readBody = endpoint.body && bodyReader(endpoint.body);
  return async (ctx, context) => {
    const { query, given, problems } = readQuery(ctx.querystring);
    const params = readParams ? readParams(String(new URLSearchParams(ctx.params))) : NO_PARAMS;
    const broken = endpoint.rules?.(query, { ...context, given }) ?? [];
    const all = [...problems, ...params.problems, ...broken];
    if (all.length > 0) throw invalid(all);
    return { query, params: params.query, body: await readBody?.(ctx.req) };
  };
}
