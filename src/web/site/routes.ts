// The addresses of the pages about the service, and the pages that search engines and models should find (A 4.14).
import type Router from '@koa/router';
import type { Context } from 'koa';
import { AppError } from '../../errors';
import { FEEDS } from '../changelog/feeds';
import type { PastRaces } from '../past/past-races';
import type { SendPlain } from '../plain/routes';
import type { ReadCoverage } from './coverage';
import { coverageMain, noCoverageMain } from './coverage-page';
import { SITE_PAGES, type Site } from './pages';

const TITLE = 'Coverage';

interface SitePagesDeps {
  readonly coverage: ReadCoverage;
  /** Race time in epoch milliseconds. */
  readonly now: () => number;
}

export function sitePages(router: Router, { coverage, now }: SitePagesDeps, send: SendPlain): void {
  router.get('/coverage-report', async (ctx: Context) => {
    try {
      send(ctx, 200, { title: TITLE, main: coverageMain(await coverage(), now()) });
    } catch (error) {
      if (!(error instanceof AppError) || error.extensions.unavailable === undefined) throw error;
      ctx.set('Retry-After', String(error.extensions.retry_after_seconds));
      send(ctx, error.status, { title: TITLE, main: noCoverageMain(error) });
    }
  });
}

export const siteOf = ({ past }: { readonly past?: PastRaces }): Site => ({
  pages: SITE_PAGES,
  feeds: FEEDS,
  pastDays: async () => (past ? (await past.days(null)).days.map(({ day }) => day) : []),
});
