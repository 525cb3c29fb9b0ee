// The refusal of an unknown address, with the addresses that it may be a misspelling of. Comes after every route. With
// a good key it counts among the refused calls of the key, whose owner may wonder why nothing arrives.
import type { Context, Middleware } from 'koa';
import { AppError } from '../../errors';
import { didYouMean } from '../../nearest';
import type { Endpoint } from './endpoint/endpoint';
import type { Callers } from './keys/callers';
import { beginRefusable } from './refusals/refused-calls';
import { clientOf } from './session/client-address';

export function unknownAddress(endpoints: readonly Endpoint[], callers: Pick<Callers, 'identify'>): Middleware {
  const documents = ['/openapi.json', '/openapi.yaml', '/docs'];
  const paths = [...endpoints.map(({ path }) => path).filter((path) => !path.includes('{')), ...documents];
  return async (ctx) => {
    await countForKey(ctx, callers);
    throw new AppError('not_found', `There is no resource at ${ctx.path.slice(0, 200)}.${didYouMean(ctx.path, paths)}`);
  };
}

/** Whatever is wrong with the key, or with looking it up, the address stays unknown. */
async function countForKey(ctx: Context, callers: Pick<Callers, 'identify'>): Promise<void> {
  const key = String(ctx.req.headers['x-api-key'] ?? '');
  if (key === '' || !ctx.path.startsWith('/v1/')) return;
  const caller = await callers.identify(key, clientOf(ctx).network).catch(() => null);
  if (caller) beginRefusable(ctx, caller, null);
}
