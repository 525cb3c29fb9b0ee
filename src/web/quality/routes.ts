// The addresses of data quality (A 4.14): a page for people, and its figures for programs.
import type Router from '@koa/router';
import type { Context } from 'koa';
import { timedCache } from '../board/timed-cache';
import type { SendPage } from '../past/routes';
import { qualityMain } from './page';
import type { DataQuality, QualitySource } from './source';

export interface QualityPagesDeps {
  readonly quality: QualitySource;
  /** Race time in epoch milliseconds. */
  readonly now: () => number;
  readonly speed: number;
}

interface Senders {
  readonly page: SendPage;
  /** Tagged by its values; may be stored for this many seconds. */
  readonly json: (ctx: Context, value: object, seconds: number) => void;
}

/** Both addresses are public: at most one reading in this time, however many call. Wall. */
const READ_EVERY_SECONDS = 15;

export function qualityPages(router: Router, { quality, now, speed }: QualityPagesDeps, send: Senders): void {
  const cached = timedCache<DataQuality>(READ_EVERY_SECONDS * 1000 * speed, 1);
  const read = async (): Promise<DataQuality> => (await cached.get('', now(), () => quality.read(now()))).value;
  router.get('/data-quality', async (ctx) => {
    const value = await read();
    send.page(ctx, { title: 'Data quality', main: qualityMain(value, now()) });
  });
  router.get('/data-quality.json', async (ctx) => send.json(ctx, await read(), READ_EVERY_SECONDS));
}
