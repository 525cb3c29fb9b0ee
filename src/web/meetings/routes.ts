// The addresses of the pages of a day. The address with the date is permanent and the canonical one.
import type Router from '@koa/router';
import type { Context, Next } from 'koa';
import type { Day } from '../../domain/race/race';
import { addDays, aetDay } from '../../domain/time/aet';
import type { PageRefresh } from '../document';
import type { SendPage } from '../past/routes';
import { dayText } from '../past/words';
import { type DayKind, type DayOptions, dayPath, hasMeetingPages, meetingPath, racesMain } from './day-page';
import type { MeetingDays } from './days';
import { filterQuery, meetingFilter } from './filter';
import { meetingsOfRaces } from './grouped';
import { meetingMain, meetingTitle, RACES_A_PAGE } from './meeting-page';
import { pageOfResults, resultsMain } from './results-page';
import { venueMain, venueTitle } from './venue-page';

interface MeetingPagesDeps {
  readonly meetings: MeetingDays;
  /** Race time in epoch milliseconds. */
  readonly now: () => number;
}

export function meetingPages(router: Router, deps: MeetingPagesDeps, send: SendPage): void {
  const { meetings, now } = deps;
  const options = (ctx: Context): DayOptions => {
    const nowMs = now();
    return { nowMs, today: aetDay(nowMs), filter: meetingFilter(ctx.query) };
  };
  const races = async (ctx: Context, next: Next, day: string) => {
    const view = await meetings.day(day);
    if (view === null) return isFragment(ctx) ? undefined : next();
    const shown = options(ctx);
    const canonical = dayPath('races', view.day) + filterQuery(shown.filter);
    const refresh = refreshOf('races', view.day, shown);
    if (isFragment(ctx) && !refresh.refresh) return;
    send(ctx, {
      title: `Races of ${dayText(view.day, shown.today)}`,
      canonical,
      main: racesMain(view, shown),
      ...refresh,
    });
  };
  const results = async (ctx: Context, next: Next, day: string) => {
    const view = await meetings.day(day);
    const shown = options(ctx);
    if (view === null || view.day > shown.today) return isFragment(ctx) ? undefined : next();
    const page = pageOfResults(view, shown, pageNumber(ctx.query.page));
    const outcomes = await meetings.outcomes(page.raceIds);
    const canonical = dayPath('results', view.day) + filterQuery(shown.filter, page.number);
    const main = resultsMain(view, page, outcomes, shown);
    const refresh = refreshOf('results', view.day, shown, page.number);
    if (isFragment(ctx) && !refresh.refresh) return;
    send(ctx, { title: `Results of ${dayText(view.day, shown.today)}`, canonical, main, ...refresh });
  };
  const inDays = (n: number): Day => addDays(aetDay(now()), n);
  router.get('/venue/:venue_id', async (ctx, next: Next) => {
    const races = await meetings.venue(ctx.params.venue_id!);
    if (races === null) return next();
    const record = await meetings.record(races[0]!.venueId);
    const { nowMs, today } = options(ctx);
    send(ctx, { title: venueTitle(races), main: venueMain(races, record, { nowMs, today }) });
  });
  router.get('/meeting/:day/:key', async (ctx, next: Next) => {
    const view = await meetings.day(ctx.params.day!);
    const { nowMs, today } = options(ctx);
    const meeting = view && meetingsOfRaces(view.races, nowMs).find(({ key }) => key === ctx.params.key);
    if (!view || !meeting) return next();
    if (!hasMeetingPages(view.day, today)) return void ctx.redirect(dayPath('results', view.day));
    const canonical = meetingPath(view.day, meeting);
    const raceIds = meeting.races.slice(0, RACES_A_PAGE).map(({ raceId }) => raceId);
    const printed = await meetings.printed(raceIds);
    const main = meetingMain(meeting, view.day, printed.races, { nowMs: printed.readMs, today });
    send(ctx, { title: meetingTitle(meeting, view.day, today), canonical, main });
  });
  router.get('/today', (ctx, next: Next) => races(ctx, next, inDays(0)));
  router.get('/tomorrow', (ctx, next: Next) => races(ctx, next, inDays(1)));
  router.get(['/races/:day', '/races/:day/fragment'], (ctx, next: Next) => races(ctx, next, ctx.params.day!));
  router.get('/results', (ctx, next: Next) => results(ctx, next, inDays(0)));
  router.get(['/results/:day', '/results/:day/fragment'], (ctx, next: Next) => results(ctx, next, ctx.params.day!));
}

/** Races change state by the minute, and results come when they come. */
const EVERY_MS = 15_000;

/** Of a page that does not refresh itself there is none: a program gets its problem. */
const isFragment = (ctx: Context): boolean => ctx.path.endsWith('/fragment');

const refreshOf = (
  kind: DayKind,
  day: Day,
  { today, filter }: DayOptions,
  page?: number,
): { readonly refresh?: PageRefresh } =>
  hasMeetingPages(day, today)
    ? { refresh: { path: `${dayPath(kind, day)}/fragment${filterQuery(filter, page)}`, everyMs: EVERY_MS } }
    : {};

const pageNumber = (text: unknown): number =>
  typeof text === 'string' && /^[1-9]\d{0,3}$/.test(text) ? Number(text) : 1;
