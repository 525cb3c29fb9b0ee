// The addresses of the pages about the service, and of the document with which a browser installs it.
import type Router from '@koa/router';
import { assetUrl } from '../assets';
import type { SendPlain } from '../plain/routes';
import { webManifestText } from '../site/page-head';
import { aboutPage } from './about-page';
import type { AboutSource, ServiceStatus } from './model';
import { pricingPage } from './pricing-page';
import { statusPage } from './status-page';

interface AboutPagesDeps {
  readonly about: AboutSource;
  readonly status: () => Promise<ServiceStatus>;
  readonly canSignUp: boolean;
  /** Race time in epoch milliseconds. */
  readonly now: () => number;
  readonly speed: number;
}

export function aboutPages(
  router: Router,
  { about, status, canSignUp, now, speed }: AboutPagesDeps,
  send: SendPlain,
): void {
  router.get('/pricing', (ctx) => send(ctx, 200, pricingPage(about, canSignUp)));
  router.get('/status', async (ctx) => {
    send(ctx, 200, statusPage(await status(), now(), speed));
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
