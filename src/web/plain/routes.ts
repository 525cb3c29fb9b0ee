// The addresses of the pages of text, and the page at every unknown address. A program at an unknown address gets a
// problem document.
import type Router from '@koa/router';
import type { Context, Middleware, Next } from 'koa';
import { nearest } from '../../nearest';
import { changelogPage } from '../changelog/page';
import { contractPage } from '../contract/page';
import { SITE_PAGES } from '../site/pages';
import { privacyPage, termsPage } from './legal-pages';
import { noSuchPage, type PlainPage, problemIndex, problemPage } from './plain-pages';

export type SendPlain = (ctx: Context, status: number, page: PlainPage) => void;

export function plainRoutes(router: Router, send: SendPlain): void {
  router.get('/errors', (ctx) => send(ctx, 200, problemIndex()));
  router.get('/errors/:slug', (ctx, next) => {
    const page = problemPage(ctx.params.slug!);
    return page ? send(ctx, 200, page) : next();
  });
  router.get('/changelog', (ctx) => send(ctx, 200, changelogPage()));
  router.get('/contract', (ctx) => send(ctx, 200, contractPage()));
  router.get('/terms', (ctx) => send(ctx, 200, termsPage()));
  router.get('/privacy', (ctx) => send(ctx, 200, privacyPage()));
}

const PAGES = [...SITE_PAGES.map(({ path }) => path), '/docs', '/login', '/account'];
/** Addresses of programs, whatever they accept (D5). */
const OPERATIONS = /^\/(?:v1(?:\/|$)|[\w.-]+\.(?:json|txt|xml|yaml)$|healthz$)/;

/** Answers a person at an unknown address. */
export function missingPage(send: SendPlain): Middleware {
  return (ctx, next) => {
    if (OPERATIONS.test(ctx.path)) return next();
    const path = ctx.path.slice(0, 200);
    return missing(send, ctx, next, () => noSuchPage(path, nearest(path, PAGES)));
  };
}

/** Answers a person with this page; a program gets its problem. */
export async function missing(send: SendPlain, ctx: Context, next: Next, page: () => PlainPage): Promise<void> {
  if (!isPerson(ctx)) return next();
  ctx.vary(['Accept-Encoding', 'Accept']);
  send(ctx, 404, page());
}

/** A browser that opens a page names text/html; a program names JSON, or nothing in particular. */
function isPerson(ctx: Context): boolean {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return false;
  return /\btext\/html\b/i.test(ctx.get('Accept')) && ctx.accepts('application/problem+json', 'html') === 'html';
}
