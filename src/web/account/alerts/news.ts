// The alerts of an account that its browsers may show as notifications: a level that a browser compares with what it
// has shown. Every price has its book and the time of its response.
import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { bookmaker } from '../../../domain/bookmakers';
import { namesTag } from '../../../entity-tags';
import type { AlertNews, NewsOfAlert } from '../../../store/accounts/alerts/alert-news';
import { clockText, priceText, startText, zoneText } from '../../format';
import { racePath } from '../../race-parts';

export const NEWS_PATH = '/account/alerts/news';

/** By which a browser knows the account, in a storage that the next person at it may read. */
export const accountTag = (accountId: string): string =>
  createHash('sha256').update(`alerts of ${accountId}`).digest('base64url').slice(0, 16);

/** Null: the browser is not signed in. */
export function sendAlertNews(ctx: Context, account: string | null, { open, reached }: AlertNews): void {
  const body = JSON.stringify({ account: account && accountTag(account), open, reached: reached.map(noticeOf) });
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  ctx.set({ ETag: tag, 'Cache-Control': 'private, no-store' });
  ctx.status = 200;
  if (namesTag(ctx.req.headers['if-none-match'], tag)) {
    ctx.status = 304;
    return;
  }
  ctx.type = 'application/json; charset=utf-8';
  ctx.body = body;
}

function noticeOf({ alertId, number, name, market, atLeast, price, bookmaker: key, polledAt, ...race }: NewsOfAlert) {
  const polledMs = Date.parse(polledAt);
  const startMs = Date.parse(race.start_time);
  return {
    id: alertId,
    title: `${number} ${name}: ${priceText(price)} to ${market} at ${bookmaker(key)?.title ?? key}`,
    text: `${race.venue} R${race.race_number}, to start ${startText(startMs, polledMs)}. Read at ${clockText(polledMs)} ${zoneText(polledMs)}. You wanted at least ${priceText(atLeast)}. Prices change: look before you bet.`,
    path: racePath(race.race_id),
  };
}
