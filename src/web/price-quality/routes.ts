// The addresses of price quality: the newest month, each month and each day, as a page and as CSV.
import type Router from '@koa/router';
import type { Context, Next } from 'koa';
import { aetDay } from '../../domain/time/aet';
import type { SendPage } from '../past/routes';
import { priceQualityCsv } from './csv';
import { PRICE_QUALITY_PATH, periodText, priceQualityMain } from './page';
import { CACHED_SECONDS, type PriceQuality, type PriceQualityView } from './price-quality';

interface PriceQualityPagesDeps {
  readonly priceQuality: PriceQuality;
  /** Race time in epoch milliseconds. */
  readonly now: () => number;
}

interface Senders {
  readonly page: SendPage;
  /** Tagged by its text; may be stored for this many seconds. */
  readonly csv: <T extends object>(ctx: Context, value: T, text: (value: T) => string, seconds: number) => void;
}

export function priceQualityPages(router: Router, { priceQuality, now }: PriceQualityPagesDeps, send: Senders): void {
  const page = (ctx: Context, view: PriceQualityView): void => {
    const today = aetDay(now());
    send.page(ctx, { title: `Price quality, ${periodText(view.period, today)}`, main: priceQualityMain(view, today) });
  };
  router.get(PRICE_QUALITY_PATH, async (ctx) => page(ctx, await priceQuality.newest()));
  router.get(`${PRICE_QUALITY_PATH}/:period.csv`, async (ctx, next: Next) => {
    const view = await priceQuality.of(ctx.params.period!);
    return view === null ? next() : send.csv(ctx, view, priceQualityCsv, CACHED_SECONDS);
  });
  router.get(`${PRICE_QUALITY_PATH}/:period`, async (ctx, next: Next) => {
    const view = await priceQuality.of(ctx.params.period!);
    return view === null ? next() : page(ctx, view);
  });
}
