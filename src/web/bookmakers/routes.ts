// The bookmakers that an owner chose, as the script of the panel reads and writes them. A change is accepted from the
// service's own pages only, and only if it knows the choice that it replaces.
import type Router from '@koa/router';
import type { Context } from 'koa';
import { AppError } from '../../errors';
import { isOwnOrigin } from '../../own-origin';
import type { AccountPagesDeps } from '../account/deps';
import { choiceOf, MOST_BOOKS } from '../assets/bookmakers.mjs';

type ChoiceDeps = Pick<AccountPagesDeps, 'browserOf' | 'readForm' | 'ownOrigins' | 'bookmakers' | 'account'>;

const PATH = '/account/bookmakers';

export function bookmakerRoutes(router: Router, deps: ChoiceDeps): void {
  const { bookmakers, account } = deps;
  router.get(PATH, async (ctx) => {
    const { accountId } = await ownerOf(ctx, deps);
    answer(ctx, await bookmakers.read(accountId));
  });
  router.put(PATH, async (ctx) => {
    if (!isOwnOrigin(ctx.req.headers, deps.ownOrigins))
      throw new AppError('plan_required', 'Bookmakers are chosen on the pages of this service.');
    const { accountId } = await ownerOf(ctx, deps);
    const form = await deps.readForm(ctx.req);
    const at = new Date(account.wallMs()).toISOString();
    const basedOn = form.get('version') || null;
    const stored = await bookmakers.change({ accountId, ...sentChoice(form), basedOn, at });
    if (stored === 'conflict')
      throw new AppError('conflict', 'The bookmakers of this account were changed in another browser.');
    answer(ctx, stored);
  });
}

async function ownerOf(ctx: Context, { browserOf }: ChoiceDeps) {
  ctx.set('Cache-Control', 'no-store');
  const session = await browserOf(ctx).session();
  if (!session) throw new AppError('unauthorized', 'Sign in: this needs the session of an owner.');
  return session;
}

/** What is no key of a book is left out. */
function sentChoice(form: URLSearchParams) {
  const [order, hidden] = ['order', 'hidden'].map((name) => (form.get(name) ?? '').split(',').slice(0, MOST_BOOKS));
  return choiceOf({ order, hidden });
}

function answer(ctx: Context, bookmakers: object | null): void {
  ctx.status = 200;
  ctx.type = 'application/json; charset=utf-8';
  ctx.body = JSON.stringify({ bookmakers });
}
