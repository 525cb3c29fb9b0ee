// A response of an operation that costs credits, until it is charged: it costs nothing and states the balance (D6).
import type { Context } from 'koa';
import { AppError } from '../../../errors';
import type { Caller } from '../endpoint/caller';
import { CREDITS_USED, type Meter, type SetHeader } from '../endpoint/meter';
import { headersOf } from '../http/response-headers';

interface Uncharged {
  readonly caller: Caller;
  readonly setHeader: SetHeader;
}

/** Once the key is accepted. */
export function beginUncharged(
  ctx: Context,
  meter: Pick<Meter, 'uncharged'>,
  caller: Caller,
  setHeader: SetHeader,
): void {
  meter.uncharged(caller, setHeader);
  ctx.state.uncharged = { caller, setHeader } satisfies Uncharged;
}

/** Before a response is sent: sets its balance, unless its charge has set it. */
export async function stateBalance(ctx: Context, meter: Pick<Meter, 'balance'>, status: number): Promise<void> {
  const uncharged = ctx.state.uncharged as Uncharged | undefined;
  if (!uncharged || headersOf(ctx).includes(CREDITS_USED)) return;
  await meter.balance(uncharged.caller, uncharged.setHeader, status);
}

/** For a response refused with this error: failures of the service and keys that ended meanwhile have no balance. */
export async function stateBalanceOfRefusal(
  ctx: Context,
  meter: Pick<Meter, 'balance'>,
  error: unknown,
): Promise<void> {
  if (error instanceof AppError && error.status < 500 && error.status !== 401)
    await stateBalance(ctx, meter, error.status);
}
