// The addresses of the pages. Pages are public and free; they show what customers may see and nothing more.
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { ACCOUNT_PAGE, DOCS_PAGE, TOKEN_PAGE } from '../security-headers';
import type { AboutSource } from './about/model';
import { aboutPages, manifest } from './about/routes';
import { statusReader } from './about/status-reader';
import type { AccountPagesDeps } from './account/deps';
import { accountPages } from './account/routes';
import type { SendAccountPage } from './account/visits';
import { assetUrl } from './assets';
import type { LiveBoard } from './board/model';
import { betRoutes, type ReadBetslip } from './bookmakers/go';
import { bookmakerRoutes } from './bookmakers/routes';
import type { Cards } from './cards/cards';
import { CARD_PATHS, cardRoutes } from './cards/routes';
import { accountDocument, type BoardFrame, boardDocument, docsDocument } from './document';
import type { Home } from './home/home';
import { homePages, toBoard } from './home/routes';
import { createLiveStreams, type FollowPage, type LiveStreamDeps } from './live/live-stream';
import { livePages } from './live/routes';
import type { MeetingDays } from './meetings/days';
import { meetingPages } from './meetings/routes';
import type { MoverPages } from './movers/movers';
import { moverPages } from './movers/routes';
import type { PastRaces } from './past/past-races';
import { pastPages, type SendPage } from './past/routes';
import type { Runners } from './past/runner/runners';
import type { People } from './people/people';
import { peoplePages } from './people/routes';
import { missingPage, plainRoutes, type SendPlain } from './plain/routes';
import type { PriceQuality } from './price-quality/price-quality';
import { priceQualityPages } from './price-quality/routes';
import { qualityPages } from './quality/routes';
import type { QualitySource } from './quality/source';
import type { ApiReference } from './reference/model';
import { referencePages } from './reference/routes';
import { searchPages } from './search/routes';
import type { NameSearch } from './search/search';
import { sendAsset, sendChart, sendCsv, sendFragment, sendHtml, sendJson } from './send';
import type { ReadCoverage } from './site/coverage';
import type { SignIn } from './site/header';
import { sitePages } from './site/routes';
import { type SportSenders, sportPages } from './sports/routes';
import type { SportPages } from './sports/sport-pages';
import { widgetPages } from './widgets/routes';
import type { WidgetSource } from './widgets/source';

export interface WebDeps {
  readonly live: LiveBoard;
  /** Absent: days have no pages. */
  readonly meetings?: MeetingDays;
  /** Absent: there is no page of movers. */
  readonly movers?: MoverPages;
  /** Absent: there are no pages of sports. */
  readonly sports?: SportPages;
  /** Absent: there is no search. */
  readonly search?: NameSearch;
  /** Absent: there are no pages of past races. */
  readonly past?: PastRaces;
  /** Absent: runners have no pages. */
  readonly runners?: Runners;
  /** Absent: jockeys, drivers and trainers have no pages. */
  readonly people?: People;
  /** Absent: there is no coverage report. */
  readonly coverage?: ReadCoverage;
  /** Absent: there are no pages about the service. */
  readonly about?: AboutSource;
  /** Absent, or without pages about the service: `/` leads to the board. */
  readonly home?: Home;
  /** Absent: shared pages have no picture. */
  readonly cards?: Cards;
  /** Absent: there is no page of data quality. */
  readonly quality?: QualitySource;
  /** Absent: there are no pages of price quality. */
  readonly priceQuality?: PriceQuality;
  /** Absent: there is no reference of the API. */
  readonly reference?: () => ApiReference;
  /** Race time in epoch milliseconds. */
  readonly now: () => number;
  /** Race seconds per wall second. */
  readonly speed: number;
  /** The service's public address. Absent: pages do not name their own. */
  readonly baseUrl?: string;
  /** Absent: pages poll. */
  readonly streams?: Omit<LiveStreamDeps, 'now'>;
  /** Absent: there are no betslip links. */
  readonly betslip?: ReadBetslip;
  /** Default: there are no account pages, and no links to them. */
  readonly accounts?: AccountPagesDeps;
  /** Absent: sites can embed no widget. */
  readonly widgets?: WidgetSource;
}

type Around = Pick<WebDeps, 'now' | 'speed' | 'accounts' | 'baseUrl' | 'cards'>;

export function createWeb(deps: WebDeps): Router {
  const router = new Router({ sensitive: true, strict: true });
  const follow = deps.streams && createLiveStreams({ ...deps.streams, now: deps.now });
  const own = { around: (ctx: Context, image: string) => around(ctx, deps, image), plain: plainSender(deps) };
  livePages(router, { live: deps.live, now: deps.now, ...own, ...(follow && { follow }) });
  if (deps.meetings) meetingPages(router, { meetings: deps.meetings, now: deps.now }, pageSender(deps));
  if (deps.movers) moverPages(router, { movers: deps.movers, now: deps.now }, pageSender(deps));
  if (deps.sports) sportPages(router, { sports: deps.sports, now: deps.now }, sportSenders(deps));
  if (deps.search)
    searchPages(router, { search: deps.search, now: deps.now }, { page: pageSender(deps), json: sendJson });
  if (deps.past) {
    const page = pageSender(deps);
    const { past, runners, now } = deps;
    pastPages(router, { past, ...(runners && { runners }), now }, { page, plain: plainSender(deps), chart: sendChart });
  }
  if (deps.people) peoplePages(router, { people: deps.people, now: deps.now }, pageSender(deps));
  if (deps.quality) {
    const { quality, now, speed } = deps;
    qualityPages(router, { quality, now, speed }, { page: pageSender(deps), json: sendJson });
  }
  if (deps.priceQuality) {
    const { priceQuality, now } = deps;
    priceQualityPages(router, { priceQuality, now }, { page: pageSender(deps), csv: sendCsv });
  }
  if (deps.cards) cardRoutes(router, deps.cards);
  router.get('/assets/:name', (ctx) => sendAsset(ctx, ctx.params.name!));
  router.get('/favicon.ico', (ctx) => sendAsset(ctx, 'icon.svg'));
  manifest(router);
  plainRoutes(router, plainSender(deps));
  if (deps.reference) referencePages(router, deps.reference, docsSender(deps));
  if (deps.coverage) sitePages(router, { coverage: deps.coverage, now: deps.now }, plainSender(deps));
  if (deps.about) pagesAboutService(router, { ...deps, about: deps.about }, follow);
  else router.get('/', toBoard);
  betRoutes(router, deps, plainSender(deps));
  if (deps.accounts) {
    accountPages(router, deps.accounts, sendAccountPage);
    bookmakerRoutes(router, deps.accounts);
  }
  if (deps.widgets) widgetPages(router, { widgets: deps.widgets, now: deps.now, speed: deps.speed });
  return router;
}

function pagesAboutService(router: Router, deps: WebDeps & { readonly about: AboutSource }, follow?: FollowPage): void {
  const { about, home, now, speed, accounts } = deps;
  const status = statusReader(about, now, speed);
  const shared = { status, canSignUp: accounts !== undefined, now, speed };
  aboutPages(router, { about, ...shared }, plainSender(deps));
  if (!home) return void router.get('/', toBoard);
  const own = { home, contact: about.contact, around: (ctx: Context) => around(ctx, deps) };
  homePages(router, { ...own, ...shared, ...(follow && { follow }) });
}

const pageSender =
  (deps: Around): SendPage =>
  (ctx, page) =>
    plainSender(deps)(ctx, 200, page);

/** Comes after every route of the application. */
export const createMissingPage = (deps: Around): Middleware => missingPage(plainSender(deps));

const LIGHT = { light: true } as const;

const plainSender =
  (deps: Around): SendPlain =>
  (ctx, status, { main, refresh, image, charts, ...page }) => {
    const nowMs = deps.now();
    if (refresh && ctx.path === refresh.path.split('?')[0]) return sendFragment(ctx, { nowMs }, nowMs, () => main);
    ctx.status = status;
    const itself: Pick<BoardFrame, 'refreshPath' | 'everyMs' | 'freshness'> = refresh
      ? { refreshPath: refresh.path, everyMs: refresh.everyMs, freshness: { kind: 'page' } }
      : { refreshPath: null };
    sendHtml(ctx, boardDocument(main, { ...page, ...itself, ...around(ctx, deps, image), ...(!charts && LIGHT) }));
  };

/** Books report every quarter of an hour. */
const SPORTS_EVERY_MS = 15_000;

const sportSenders = (deps: Around): SportSenders => ({
  page(ctx, { main, ...page }) {
    ctx.status = 200;
    const frame = { ...page, ...around(ctx, deps), everyMs: SPORTS_EVERY_MS, ...LIGHT };
    sendHtml(ctx, boardDocument(main, frame));
  },
  fragment: (ctx, value, render) => sendFragment(ctx, value, deps.now(), render),
});

const docsSender =
  (deps: Around): SendPlain =>
  (ctx, status, { main, image, ...page }) => {
    ctx.status = status;
    ctx.set('Speculation-Rules', `"${assetUrl('docs-rules.json')}"`);
    sendHtml(ctx, docsDocument(main, { ...page, ...around(ctx, deps, image ?? CARD_PATHS.docs) }), DOCS_PAGE);
  };

/** `image`: of the picture, if pages have one. */
function around(ctx: Context, { now, speed, accounts, baseUrl, cards }: Around, image: string = CARD_PATHS.home) {
  const signIn: SignIn = !accounts ? null : accounts.browserOf(ctx).hasSession ? 'signed_in' : 'signed_out';
  const address = baseUrl === undefined || ctx.status !== 200 ? null : { baseUrl, path: ctx.path };
  return { path: ctx.path, nowMs: now(), speed, signIn, address, image: cards ? image : null };
}

const sendAccountPage: SendAccountPage = (ctx, status, { title, main, hasToken, goesTo }, isSignedIn) => {
  ctx.set(hasToken ? TOKEN_PAGE : ACCOUNT_PAGE);
  ctx.set('Cache-Control', 'no-store');
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = accountDocument(
    main,
    { title, path: ctx.path, signIn: isSignedIn ? 'signed_in' : 'signed_out' },
    goesTo ?? null,
  ).text;
};
