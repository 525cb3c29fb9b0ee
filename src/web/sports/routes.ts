// The addresses of sports. `/sports/arbs` and `/sports/match` come before the sports: no sport has such a key.
import type Router from '@koa/router';
import type { Context, Next } from 'koa';
import type { Html } from '../html';
import type { PlainPage } from '../plain/plain-pages';
import { arbsMain, arbsPath } from './arbs-page';
import { sportsMain } from './index-page';
import { linesMain, linesTitle } from './match/lines-page';
import { matchMain, matchTitle } from './match/match-page';
import { ARBS_PATH, linesPath, matchPath, pricesFreshness, SPORTS_PATH, sportPath } from './parts';
import { choicePath, sportChoice, sportMain } from './sport-page';
import type { SportPages } from './sport-pages';

/** A page whose prices are refreshed, and the part of it that is. */
export interface SportSenders {
  page(ctx: Context, page: LivePage): void;
  fragment<T extends object>(ctx: Context, value: T, render: (value: T, nowMs: number) => Html): void;
}

interface LivePage extends PlainPage {
  /** Null: it does not change. */
  readonly refreshPath: string | null;
  readonly freshness: ReturnType<typeof pricesFreshness>;
}

interface SportRoutesDeps {
  readonly sports: SportPages;
  /** Race time in epoch milliseconds. */
  readonly now: () => number;
}

/** The fragment of an address with its query. */
const fragmentOf = (path: string): string => path.replace(/(\?|$)/, '/fragment$1');

export function sportPages(router: Router, { sports, now }: SportRoutesDeps, send: SportSenders): void {
  const page = <T extends { readonly newestMs: number | null }>(
    ctx: Context,
    { path, title, view, main }: Shown<T>,
    refreshes = true,
  ) => {
    const freshness = pricesFreshness(view.newestMs);
    const refreshPath = refreshes ? fragmentOf(path) : null;
    send.page(ctx, { title, canonical: path, main: main(view, now()), refreshPath, freshness });
  };
  router.get(SPORTS_PATH, async (ctx) =>
    page(ctx, { path: SPORTS_PATH, title: 'Sports odds', view: await sports.index(), main: sportsMain }),
  );
  router.get(fragmentOf(SPORTS_PATH), async (ctx) => send.fragment(ctx, await sports.index(), sportsMain));
  router.get(ARBS_PATH, async (ctx) => {
    const view = await sports.arbs(sportChoice(ctx.query).page);
    page(ctx, { path: arbsPath(view.page), title: 'Sports arbs', view, main: arbsMain });
  });
  router.get(fragmentOf(ARBS_PATH), async (ctx) =>
    send.fragment(ctx, await sports.arbs(sportChoice(ctx.query).page), arbsMain),
  );
  router.get(matchPath(':event_id'), async (ctx, next: Next) => {
    const view = await sports.match(ctx.params.event_id!);
    if (view === null) return next();
    if (typeof view === 'string') return moved(ctx, matchPath(view));
    const isOpen = view.state !== 'started';
    page(ctx, { path: matchPath(view.eventId), title: matchTitle(view, now()), view, main: matchMain }, isOpen);
  });
  router.get(fragmentOf(matchPath(':event_id')), async (ctx, next: Next) => {
    const view = await sports.match(ctx.params.event_id!);
    if (view === null || typeof view === 'string') return next();
    send.fragment(ctx, view, matchMain);
  });
  router.get(linesPath(':event_id'), async (ctx, next: Next) => {
    const view = await sports.lines(ctx.params.event_id!);
    if (view === null) return next();
    if (typeof view === 'string') return moved(ctx, linesPath(view));
    const isOpen = view.state !== 'started';
    page(ctx, { path: linesPath(view.eventId), title: linesTitle(view), view, main: linesMain }, isOpen);
  });
  router.get(fragmentOf(linesPath(':event_id')), async (ctx, next: Next) => {
    const view = await sports.lines(ctx.params.event_id!);
    if (view === null || typeof view === 'string') return next();
    send.fragment(ctx, view, linesMain);
  });
  router.get(sportPath(':sport'), async (ctx, next: Next) => {
    const view = await sports.sport(ctx.params.sport!, sportChoice(ctx.query));
    if (view === null) return next();
    page(ctx, { path: choicePath(sportPath(view.key), view), title: `${view.title} odds`, view, main: sportMain });
  });
  router.get(fragmentOf(sportPath(':sport')), async (ctx, next: Next) => {
    const view = await sports.sport(ctx.params.sport!, sportChoice(ctx.query));
    if (view === null) return next();
    send.fragment(ctx, view, sportMain);
  });
}

interface Shown<T> {
  readonly path: string;
  readonly title: string;
  readonly view: T;
  readonly main: (view: T, nowMs: number) => Html;
}

/** An operator joined it to another match. */
function moved(ctx: Context, path: string): void {
  ctx.status = 301;
  ctx.redirect(path);
}
