// The addresses of the board and of a race before it is past: page, fragment, stream, chart, and where it stands.
import type Router from '@koa/router';
import type { Context, Next } from 'koa';
import type { Board, Freshness, LiveBoard, RaceView } from '../board/model';
import { isEveryRace, type RaceFilter, raceFilter } from '../board/race-filter';
import { CARD_PATHS, raceCardPath } from '../cards/routes';
import { type BoardFrame, boardDocument } from '../document';
import type { Html } from '../html';
import { filterText, noSuchChoice } from '../meetings/board-filter';
import { filterQuery } from '../meetings/filter';
import { boardMain, raceMain, raceTitle } from '../pages';
import { noSuchRace } from '../plain/plain-pages';
import { missing, type SendPlain } from '../plain/routes';
import { sendChart, sendFragment, sendHtml, sendStart, tagOf } from '../send';
import type { FollowPage } from './live-stream';
import { renderedOnce } from './rendered';

interface LivePagesDeps {
  readonly live: LiveBoard;
  /** Race time in epoch milliseconds. */
  readonly now: () => number;
  /** What frames every page; `image`: the path of its picture. */
  readonly around: (ctx: Context, image: string) => Omit<BoardFrame, 'title' | 'refreshPath'>;
  readonly plain: SendPlain;
  /** Absent: pages poll. */
  readonly follow?: FollowPage;
}

const RACE_ID = ':race_id';
const BOARD = '/live';
/** A board of chosen races has no stream: one visitor would have every choice computed every other second. */
const CHOICE_EVERY_MS = 10_000;

export function livePages(router: Router, deps: LivePagesDeps): void {
  router.get(BOARD, (ctx, next) => boardPage(ctx, deps, next));
  router.get('/board/fragment', (ctx) => boardFragment(ctx, deps));
  if (deps.follow) streamRoutes(router, deps, deps.follow);
  router.get(`/race/${RACE_ID}`, (ctx, next) => racePage(ctx, deps, ctx.params.race_id!, next));
  router.get(`/race/${RACE_ID}/prices`, (ctx) => racePrices(ctx, deps, ctx.params.race_id!));
  router.get(`/race/${RACE_ID}/fragment`, (ctx) => raceFragment(ctx, deps, ctx.params.race_id!));
  router.get(`/race/${RACE_ID}/start`, (ctx) => raceStart(ctx, deps, ctx.params.race_id!));
}

function streamRoutes(router: Router, { live }: LivePagesDeps, follow: FollowPage): void {
  router.get('/board/stream', (ctx) => {
    const filter = raceFilter(ctx.query);
    if (filter === null || !isEveryRace(filter)) return;
    follow(ctx, { path: ctx.path, raceId: null, tag: async () => tagOf(await live.board(filter)) });
  });
  router.get(`/race/${RACE_ID}/stream`, async (ctx) => {
    const raceId = ctx.params.race_id!;
    const tag = async () => {
      const view = await live.race(raceId);
      return view && tagOf(view);
    };
    if ((await tag()) !== null) follow(ctx, { path: ctx.path, raceId, tag });
  });
}

async function boardPage(ctx: Context, deps: LivePagesDeps, next: Next): Promise<void> {
  const filter = raceFilter(ctx.query);
  if (filter === null) return missing(deps.plain, ctx, next, () => noSuchChoice(BOARD));
  const board = await deps.live.board(filter);
  const nowMs = deps.now();
  const query = filterQuery(filter);
  const paths = {
    refreshPath: `/board/fragment${query}`,
    ...(isEveryRace(filter)
      ? { streamPath: deps.follow ? '/board/stream' : null }
      : { canonical: BOARD + query, everyMs: CHOICE_EVERY_MS }),
  };
  const freshness: Freshness = board.featured?.freshness ?? { kind: 'none' };
  ctx.status = 200;
  const title = isEveryRace(filter) ? 'Live racing odds' : `Live racing odds: ${filterText(filter)}`;
  const frame = { title, ...paths, ...deps.around(ctx, CARD_PATHS.board), freshness, nowMs };
  sendHtml(ctx, boardDocument(mainOf(filter)(board, nowMs), frame));
}

async function boardFragment(ctx: Context, deps: LivePagesDeps): Promise<void> {
  const filter = raceFilter(ctx.query);
  if (filter !== null) sendFragment(ctx, await deps.live.board(filter), deps.now(), mainOf(filter));
}

const mainOf =
  (filter: RaceFilter) =>
  (board: Board, nowMs: number): Html =>
    renderedOnce({ value: board, page: BOARD + filterQuery(filter), nowMs }, () =>
      boardMain(board, nowMs, BOARD, filter),
    );

const raceMainOnce = (value: RaceView, nowMs: number): Html => renderedOnce({ value, page: 'race', nowMs }, raceMain);

async function racePage(ctx: Context, deps: LivePagesDeps, raceId: string, next: Next): Promise<void> {
  const view = await deps.live.race(raceId);
  const nowMs = deps.now();
  if (view === null) return missing(deps.plain, ctx, next, noSuchRace);
  const paths = { refreshPath: `${ctx.path}/fragment`, streamPath: deps.follow ? `${ctx.path}/stream` : null };
  const { freshness } = view.sheet;
  ctx.status = 200;
  const frame = { title: raceTitle(view), ...paths, ...deps.around(ctx, raceCardPath(raceId)), freshness, nowMs };
  sendHtml(ctx, boardDocument(raceMainOnce(view, nowMs), frame));
}

async function raceFragment(ctx: Context, deps: LivePagesDeps, raceId: string): Promise<void> {
  const view = await deps.live.race(raceId);
  if (view !== null) sendFragment(ctx, view, deps.now(), raceMainOnce);
}

/** Where a pinned race stands. */
async function raceStart(ctx: Context, deps: LivePagesDeps, raceId: string): Promise<void> {
  const view = await deps.live.race(raceId);
  if (view !== null) sendStart(ctx, view.sheet, deps.now());
}

/** The data of the chart. */
async function racePrices(ctx: Context, deps: LivePagesDeps, raceId: string): Promise<void> {
  const chart = await deps.live.chart(raceId);
  if (chart !== null) sendChart(ctx, chart);
}
