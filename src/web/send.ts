// How pages, fragments and data are sent: with a tag over their values, so that what has not changed is a 304.
import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { namesTag } from '../entity-tags';
import { PAGE, PAGE_FILE } from '../security-headers';
import { asset } from './assets';
import type { PriceChart, RaceSheet } from './board/model';
import { chartData } from './chart-data';
import type { Html } from './html';

export function sendChart(ctx: Context, chart: PriceChart): void {
  sendTagged(
    ctx,
    tagged(chart, () => JSON.stringify(chartData(chart))),
    'private, no-cache',
  );
}

/** Where a race stands, for a browser that has it pinned. */
export function sendStart(
  ctx: Context,
  { raceId, venue, raceNumber, startMs, state, onBoard }: RaceSheet,
  nowMs: number,
) {
  const shown = state === 'open' ? 'ahead' : state;
  ctx.set({ 'X-Race-Now': String(nowMs), 'Cache-Control': 'private, no-store' });
  ctx.status = 200;
  ctx.body = {
    race_id: raceId,
    title: `${venue} R${raceNumber}`,
    start_ms: startMs,
    state: onBoard || state === 'abandoned' ? shown : 'over',
  };
}

export const sendJson = (ctx: Context, value: object, seconds: number): void =>
  sendTagged(
    ctx,
    tagged(value, () => JSON.stringify(value)),
    `public, max-age=${seconds}`,
  );

const CSV = 'text/csv; charset=utf-8';

export const sendCsv = <T extends object>(ctx: Context, value: T, text: (value: T) => string, seconds: number): void =>
  sendTagged(
    ctx,
    tagged(value, () => text(value)),
    `public, max-age=${seconds}`,
    CSV,
  );

const JSON_TYPE = 'application/json; charset=utf-8';

function sendTagged(ctx: Context, { body, tag }: Tagged, cacheControl: string, type = JSON_TYPE): void {
  ctx.set('ETag', tag);
  ctx.set('Cache-Control', cacheControl);
  ctx.status = 200;
  if (unchanged(ctx)) {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  ctx.body = body;
}

/** The tag covers the values, not their ages (D32): ages and countdowns tick in the browser. */
export function sendFragment<T extends object>(
  ctx: Context,
  value: T,
  nowMs: number,
  render: (value: T, nowMs: number) => Html,
): void {
  ctx.set('X-Race-Now', String(nowMs));
  ctx.set('ETag', tagOf(value));
  ctx.status = 200;
  sendText(ctx, () => bytesOf(render(value, nowMs)));
}

interface Tagged {
  readonly body: string;
  readonly tag: string;
}

const taggedValues = new WeakMap<object, Tagged>();

/** Serialised once per value: all requests within the second that it is cached get the same text. */
function tagged(value: object, serialise: () => string): Tagged {
  const cached = taggedValues.get(value);
  if (cached) return cached;
  const body = serialise();
  const tag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  taggedValues.set(value, { body, tag });
  return { body, tag };
}

export const tagOf = (value: object): string => tagged(value, () => JSON.stringify(value)).tag;

export function sendHtml(ctx: Context, page: Html, security = PAGE): void {
  ctx.set(security);
  sendText(ctx, () => page.text);
}

const bytesOfPages = new WeakMap<Html, Buffer>();

/** The same buffer for the same rendering: it is compressed once for all who fetch it. */
function bytesOf(page: Html): Buffer {
  const bytes = bytesOfPages.get(page) ?? Buffer.from(page.text);
  bytesOfPages.set(page, bytes);
  return bytes;
}

function sendText(ctx: Context, text: () => string | Buffer): void {
  ctx.set('Cache-Control', 'private, no-cache');
  if (ctx.status === 200 && unchanged(ctx)) {
    ctx.status = 304;
    return;
  }
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = text();
}

function unchanged(ctx: Context): boolean {
  const tag = ctx.response.get('ETag');
  return Boolean(tag) && namesTag(ctx.req.headers['if-none-match'], tag);
}

export function sendAsset(ctx: Context, name: string): void {
  const found = asset(name);
  if (!found) return;
  ctx.set(PAGE_FILE);
  ctx.set('Cache-Control', ctx.query.v === found.hash ? 'public, max-age=31536000, immutable' : 'no-cache');
  ctx.set('ETag', `"${found.hash}"`);
  ctx.status = 200;
  if (unchanged(ctx)) {
    ctx.status = 304;
    return;
  }
  ctx.type = found.type;
  ctx.body = found.body;
}
