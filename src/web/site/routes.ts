// The addresses of the pages about the service, and the pages that search engines and models should find (A 4.14).
import type Router from '@koa/router';
import type { Context } from 'koa';
import { addDays, aetDay } from '../../domain/time/aet';
import { AppError } from '../../errors';
import { FEEDS } from '../changelog/feeds';
import { dayPath } from '../meetings/day-page';
import type { MeetingDays } from '../meetings/days';
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

/** How many days before and after today have their addresses in the sitemap. */
const DAYS_BACK = 7;
const DAYS_AHEAD = 2;

interface SiteDeps {
  readonly past?: PastRaces;
  readonly meetings?: MeetingDays;
  /** Race time in epoch milliseconds. */
  readonly now: () => number;
}

export const siteOf = ({ past, meetings, now }: SiteDeps): Site => ({
  pages: SITE_PAGES,
  feeds: FEEDS,
  pastDays: async () => (past ? (await past.days(null)).days.map(({ day }) => day) : []),
  async dayPaths() {
    const today = aetDay(now());
    const days = meetings ? await meetings.days(addDays(today, -DAYS_BACK), addDays(today, DAYS_AHEAD)) : [];
    return days.flatMap((day) => [dayPath('races', day), ...(day > today ? [] : [dayPath('results', day)])]);
  },
});
