// The addresses of the pages of past races.
import type Router from '@koa/router';
import type { Context, Next } from 'koa';
import { aetDay } from '../../domain/time/aet';
import type { PriceChart } from '../board/model';
import { raceCardPath } from '../cards/routes';
import { noSuchRace, type PlainPage } from '../plain/plain-pages';
import { missing, type SendPlain } from '../plain/routes';
import { dayMain, daysMain } from './day-pages';
import type { PastRaces } from './past-races';
import { pastRaceMain, pastRaceTitle } from './race-page';
import { runnerMain, runnerTitle } from './runner/page';
import type { Runners } from './runner/runners';
import { dayText } from './words';

export interface PastPagesDeps {
  readonly past: PastRaces;
  /** Absent: runners have no pages. */
  readonly runners?: Runners;
  /** Race time in epoch milliseconds. */
  readonly now: () => number;
}

/** Sends a page that does not refresh itself. */
export type SendPage = (ctx: Context, page: PlainPage) => void;

interface Senders {
  readonly page: SendPage;
  readonly plain: SendPlain;
  readonly chart: (ctx: Context, chart: PriceChart) => void;
}

export function pastPages(router: Router, { past, runners, now }: PastPagesDeps, send: Senders): void {
  router.get('/past', async (ctx) => {
    const { until } = ctx.query;
    const days = await past.days(typeof until === 'string' ? until : null);
    send.page(ctx, { title: 'Past races', main: daysMain(days, aetDay(now())) });
  });
  router.get('/past/:day', async (ctx, next: Next) => {
    const view = await past.day(ctx.params.day!);
    if (view === null) return next();
    const today = aetDay(now());
    send.page(ctx, { title: `Races of ${dayText(view.coverage.day, today)}`, main: dayMain(view, today) });
  });
  router.get('/race/:race_id/past', async (ctx, next: Next) => {
    const race = await past.race(ctx.params.race_id!);
    if (race === null) return missing(send.plain, ctx, next, noSuchRace);
    const image = raceCardPath(race.sheet.raceId);
    send.page(ctx, { title: pastRaceTitle(race, now()), image, charts: true, main: pastRaceMain(race, now()) });
  });
  router.get('/race/:race_id/past/prices', async (ctx) => {
    const chart = await past.chart(ctx.params.race_id!);
    if (chart !== null) send.chart(ctx, chart);
  });
  if (runners) runnerPages(router, { runners, now }, send.page);
}

/** By code and folded name. */
function runnerPages(router: Router, { runners, now }: Required<Omit<PastPagesDeps, 'past'>>, send: SendPage): void {
  for (const category of ['horse', 'greyhound'] as const)
    router.get(`/${category}/:key`, async (ctx, next: Next) => {
      const view = await runners.runner(category, ctx.params.key!);
      if (view === null) return next();
      const nowMs = now();
      send(ctx, { title: runnerTitle(view), main: runnerMain(view, aetDay(nowMs), nowMs) });
    });
}
