// The addresses of widgets in customers' sites: the page to frame, the prices that its script fetches, and the same as
// JSON. No cookie or key is read.
import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { AppError, type ErrorCode, invalid, PROBLEMS } from '../../errors';
import { refusalNotice, widgetContent } from './content';
import { fillJson } from './fill-json';
import { widgetDocument, widgetSecurity } from './frame';
import { pageOf, siteOf } from './reader';
import type { One, WidgetAnswer, WidgetFrame, WidgetRefusal, WidgetSource } from './source';

interface WidgetPagesDeps {
  readonly widgets: WidgetSource;
  /** Race time in epoch milliseconds. */
  readonly now: () => number;
  /** Of the race clock. */
  readonly speed: number;
}

/** Nothing else needs a look-up. */
const FORM = /^we_[a-z2-7]{26}$/;

/**
 * Scripts of every site may read failures from before the widget was identified, because they state nothing about it.
 */
const readable: Middleware = (ctx, next) => {
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.set('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
  return next();
};

/** After a refusal: its owner may have removed the cause. */
const ASK_AGAIN_SECONDS = 60;

/** Shows that a widget's own page sends the request; renewed with each response. */
const TOKEN = 'X-Widget-Token';

const NOTHING: WidgetAnswer = { kind: 'missing', token: null };

type Answer = (ctx: Context, fill: WidgetAnswer) => void;

export function widgetPages(router: Router, { widgets, now, speed }: WidgetPagesDeps): void {
  const frameOf = async (ctx: Context): Promise<WidgetFrame> => {
    const frame = FORM.test(ctx.params.embed_id!) ? await widgets.frame(ctx.params.embed_id!) : null;
    if (frame === null) throw refusalOf({ kind: 'missing' });
    return frame;
  };
  /** HEAD reads no price, so nothing is charged for it. */
  const filled =
    (of: 'page' | 'site', answer: Answer): Middleware =>
    async (ctx) => {
      const embedId: string = ctx.params.embed_id!;
      const one = oneOf(ctx, of === 'page' ? ['v'] : []);
      ctx.set('Cache-Control', 'no-store');
      if (ctx.method === 'HEAD') {
        await frameOf(ctx);
        ctx.status = 200;
        return;
      }
      const { headers } = ctx.req;
      const reader = of === 'site' ? siteOf(headers) : pageOf(headers, widgets.ownOrigins, String(ctx.query.v));
      // Scripts of sites have no token: only the widget's own page is allowed the header.
      const token = of === 'page' ? ctx.get(TOKEN) || null : null;
      const visit = { network: widgets.networkOf(ctx), token };
      answer(ctx, FORM.test(embedId) ? await widgets.fill(embedId, one, reader, visit) : NOTHING);
    };

  router.get('/widgets/:embed_id', async (ctx) => {
    const one = oneOf(ctx, LOOKS);
    const frame = { ...(await frameOf(ctx)), ...lookOf(ctx) };
    ctx.set('Cache-Control', 'no-store');
    ctx.set(widgetSecurity(frame));
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = widgetDocument(frame, pricesPath(ctx.path, frame, one), { nowMs: now(), speed }).text;
  });

  router.get(
    // `/races`: used by pages loaded from the previous release. They get a 409 and are loaded again; it may be removed
    // after the next release.
    ['/widgets/:embed_id/prices', '/widgets/:embed_id/races'],
    filled('page', (ctx, fill) => answerPage(ctx, fill, now())),
  );

  router.get('/widgets/:embed_id/fill', readable, filled('site', answerSite));
}

/** The HTML that the widget's own page shows. */
function answerPage(ctx: Context, fill: WidgetAnswer, nowMs: number): void {
  // The script shows no body without it.
  ctx.set('X-Race-Now', String(nowMs));
  ctx.set('X-Next-Fill-Seconds', String(fill.kind === 'filled' ? fill.nextInSeconds : ASK_AGAIN_SECONDS));
  if (fill.token !== null) ctx.set(TOKEN, fill.token);
  if (fill.kind === 'busy') ctx.set('Retry-After', String(fill.waitSeconds));
  ctx.status = fill.kind === 'filled' ? 200 : PROBLEMS[REFUSALS[fill.kind][0]].status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = (fill.kind === 'filled' ? widgetContent(fill, nowMs) : refusalNotice(fill)).text;
}

/** The JSON that a script of the customer's site reads. */
function answerSite(ctx: Context, fill: WidgetAnswer): void {
  ctx.set('Vary', 'Accept-Encoding, Origin');
  const { origin } = ctx.req.headers;
  if (origin === undefined || fill.kind === 'origin') ctx.remove('Access-Control-Allow-Origin');
  else if (fill.kind !== 'missing') ctx.set('Access-Control-Allow-Origin', origin);
  if (fill.kind !== 'filled') throw refusalOf(fill);
  ctx.type = 'application/json; charset=utf-8';
  ctx.body = JSON.stringify(fillJson(fill));
}

/** In problem documents: nothing about the owner's account. */
const REFUSALS: Readonly<Record<WidgetRefusal['kind'], readonly [ErrorCode, detail: string]>> = {
  missing: ['not_found', 'There is no widget at this address.'],
  origin: ['origin_not_allowed', 'This widget is not for the site that the request comes from.'],
  changed: ['conflict', 'The widget was changed: load its page again.'],
  race: ['race_not_on_board', 'This race is not open for betting.'],
  match: ['match_not_open', 'This match is not open for betting.'],
  parameter: ['validation', 'This widget takes another parameter.'],
  paused: ['not_found', 'This widget shows no prices at the moment.'],
  plan: ['plan_required', 'This widget shows no prices at the moment.'],
  spent: ['payment_required', 'This widget shows no prices at the moment.'],
  busy: ['rate_limit', 'This widget gets no new prices at the moment.'],
};

function refusalOf(refusal: WidgetRefusal): AppError {
  if (refusal.kind === 'parameter') {
    const [parameter, shown] = refusal.wanted === 'race_id' ? ['event_id', 'races'] : ['race_id', 'matches'];
    return invalid([
      { parameter, detail: `${parameter} is not for this widget, which shows ${shown}; send ${refusal.wanted}.` },
    ]);
  }
  const [code, detail] = REFUSALS[refusal.kind];
  return new AppError(code, detail, refusal.kind === 'busy' ? { retry_after_seconds: refusal.waitSeconds } : {});
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const pricesPath = (path: string, { version }: WidgetFrame, one: One | null): string =>
  `${path}/prices?v=${version}${one === null ? '' : `&${one.parameter}=${one.id}`}`;

const IDS = ['race_id', 'event_id'] as const;

/** Of the page that is framed, in place of the widget's own: a site may have a light and a dark page. */
const LOOKS = ['theme', 'accent'] as const;
const THEMES = ['auto', 'light', 'dark'] as const;

/** Throws `validation`. */
function lookOf({ query }: Context): Partial<Pick<WidgetFrame, 'theme' | 'accent'>> {
  const theme = THEMES.find((one) => one === query.theme);
  const accent = /^#?([\da-f]{6})$/i.exec(String(query.accent))?.[1];
  const problems = [
    ...('theme' in query && !theme
      ? [{ parameter: 'theme', detail: `theme must be one of ${THEMES.join(', ')}.` }]
      : []),
    ...('accent' in query && !accent
      ? [{ parameter: 'accent', detail: 'accent must be a colour of six hexadecimal digits, such as 12694a.' }]
      : []),
  ];
  if (problems.length > 0) throw invalid(problems);
  return { ...(theme && { theme }), ...(accent && { accent: `#${accent}` }) };
}

/** `race_id, event_id and theme`: without what only the widget's own page sends. */
const listed = (names: readonly string[]): string => {
  const shown = names.filter((name) => name !== 'v');
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
};

/** The one parameter besides `others`; null: the next races or matches. Throws `validation`. */
function oneOf({ query }: Context, others: readonly string[]): One | null {
  const known: readonly string[] = [...IDS, ...others];
  const problems = Object.keys(query)
    .filter((name) => !known.includes(name))
    .map((parameter) => ({
      parameter,
      detail: `${parameter.slice(0, 40)} is not a known parameter; known are ${listed(known)}.`,
    }));
  const [parameter, other] = IDS.filter((name) => name in query);
  const id = parameter && query[parameter];
  if (other) problems.push({ parameter: other, detail: 'Send race_id or event_id, not both.' });
  else if (parameter && (typeof id !== 'string' || !UUID.test(id)))
    problems.push({ parameter, detail: `${parameter} must be one UUID.` });
  if (problems.length > 0) throw invalid(problems);
  return parameter ? { parameter, id: String(id).toLowerCase() } : null;
}
