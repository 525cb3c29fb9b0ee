// The addresses of the pages about the service, and of the document with which a browser installs it.
import type Router from '@koa/router';
import { assetUrl } from '../assets';
import { timedCache } from '../board/timed-cache';
import type { SendPlain } from '../plain/routes';
import { webManifestText } from '../site/page-head';
import { aboutPage } from './about-page';
import type { AboutSource, ServiceStatus } from './model';
import { pricingPage } from './pricing-page';
import { statusPage } from './status-page';

interface AboutPagesDeps {
  readonly about: AboutSource;
  readonly canSignUp: boolean;
  /** Race time in epoch milliseconds. */
  readonly now: () => number;
  readonly speed: number;
}

/** At most one reading in this time, however many call. Wall. */
const READ_EVERY_SECONDS = 15;

export function aboutPages(router: Router, { about, canSignUp, now, speed }: AboutPagesDeps, send: SendPlain): void {
  const cached = timedCache<ServiceStatus>(READ_EVERY_SECONDS * 1000 * speed, 1);
  router.get('/pricing', (ctx) => send(ctx, 200, pricingPage(about, canSignUp)));
  router.get('/status', async (ctx) => {
    const { value } = await cached.get('', now(), () => about.status(now()));
    send(ctx, 200, statusPage(value, now(), speed));
  });
  router.get('/about', (ctx) => send(ctx, 200, aboutPage(about.contact)));
}

export function manifest(router: Router): void {
  router.get('/manifest.webmanifest', (ctx) => {
    ctx.set('Cache-Control', 'public, max-age=3600');
    ctx.type = 'application/manifest+json; charset=utf-8';
    ctx.body = webManifestText(assetUrl('icon.svg'));
  });
}
