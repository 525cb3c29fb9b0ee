// Identifies the sender of a request by the kinds of authentication that operations declare, and decides whether it may
// call the operation at all: everything that is checked before the parameters are read (D7).
import type { Context } from 'koa';
import type { Session } from '../../accounts/visitor';
import { AppError } from '../../errors';
import { beginUncharged } from './charging/uncharged';
import { isKeyed } from './endpoint/auth';
import type { Caller } from './endpoint/caller';
import { type Endpoint, isPriced } from './endpoint/endpoint';
import type { Meter, SetHeader } from './endpoint/meter';
import { PRIMARY_ONLY } from './endpoint/own-account';
import { requireRole } from './endpoint/role';
import { isAllowed, notAllowed } from './keys/allow-list';
import type { Callers } from './keys/callers';
import type { IpLimit } from './limits/ip-limit';
import type { PushLimit } from './limits/push-limit';
import { beginRefusable } from './refusals/refused-calls';
import { clientOf } from './session/client-address';
import type { Sessions } from './session/session';
import type { WorkLimits } from './work/work-limits';

export interface Authenticated {
  /** Null without a key. */
  readonly caller: Caller | null;
  /** Null without a session. */
  readonly session: Session | null;
}

export interface AuthenticateDeps {
  readonly callers: Callers;
  readonly sessions: Sessions;
  readonly meter: Pick<Meter, 'uncharged' | 'admit'>;
  readonly ipLimit: IpLimit;
  readonly work: WorkLimits;
  readonly pushLimit: PushLimit;
}

export async function authenticate(
  endpoint: Endpoint,
  ctx: Context,
  setHeader: SetHeader,
  { callers, sessions, meter, ipLimit, pushLimit, work }: AuthenticateDeps,
): Promise<Authenticated> {
  const { auth, tag, perMinutePerIp } = endpoint;
  const client = clientOf(ctx);
  const key = String(ctx.req.headers['x-api-key'] ?? '');
  const byKey = isKeyed(auth) || (auth === 'session_or_key' && key !== '');
  if (byKey) {
    const caller = await callers.identify(key, client.network);
    beginRefusable(ctx, caller, endpoint.path);
    if (!isAllowed(caller.allowedAddresses, client.address))
      throw await callers.refusalOf(client.network, notAllowed(caller, client.address));
    await admitCaller(endpoint, ctx, caller, setHeader, { meter, work });
    await takePush(endpoint, ctx.params, pushLimit);
    if (auth === 'primary_key' && !caller.isPrimary) throw new AppError('plan_required', PRIMARY_ONLY);
    if (endpoint.currentKeyOnly && caller.expiresAt !== null) throw new AppError('conflict', REPLACED_KEY);
    if (perMinutePerIp) await ipLimit.take(tag, client.network, perMinutePerIp);
    return { caller, session: null };
  }
  if (perMinutePerIp) await ipLimit.take(tag, client.network, perMinutePerIp);
  else await ipLimit.takeKeyless(client.network);
  work.admitKeyless(ctx, client.network, endpoint.path);
  if (auth === 'none' && endpoint.ofAccount) sessions.requireOwnPage(ctx);
  const session = auth === 'session' || auth === 'session_or_key' ? await sessions.identify(ctx) : null;
  return { caller: null, session };
}

/** What a caller of an operation is limited by, named by a key or by a session. */
export async function admitCaller(
  endpoint: Endpoint,
  ctx: Context,
  caller: Caller,
  setHeader: SetHeader,
  { meter, work }: Pick<AuthenticateDeps, 'meter' | 'work'>,
): Promise<void> {
  if (isPriced(endpoint)) beginUncharged(ctx, meter, caller, setHeader);
  await meter.admit(caller, setHeader);
  work.admit(ctx, caller, endpoint.path);
  requireRole(endpoint, caller, ctx.params);
}

async function takePush(
  { operationId, pushedBook, pushesPerMinute }: Endpoint,
  params: Readonly<Record<string, string>>,
  pushLimit: PushLimit,
): Promise<void> {
  if (pushedBook && pushesPerMinute) await pushLimit.take(operationId, params[pushedBook]!, pushesPerMinute);
}

const REPLACED_KEY =
  'This key was replaced: until it ends it reads data, and changes nothing of the account or its keys. Send its replacement; if that is lost, sign in to the console and have a new key shown.';
