// The addresses of the home page. A browser with a session goes on to the board: the home page is for those who do not
// know the service.
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { ServiceStatus } from '../about/model';
import { type BoardFrame, boardDocument } from '../document';
import type { FollowPage } from '../live/live-stream';
import { sendFragment, sendHtml, tagOf } from '../send';
import type { Home } from './home';
import type { HomeView } from './model';
import { HOME_TITLE, type HomeFrame, homeMain } from './page';

interface HomePagesDeps {
  readonly home: Home;
  readonly status: () => Promise<ServiceStatus>;
  readonly contact: string | null;
  readonly canSignUp: boolean;
  /** Race time in epoch milliseconds. */
  readonly now: () => number;
  readonly speed: number;
  /** Absent: the page polls. */
  readonly follow?: FollowPage;
  /** The parts of a document that depend on the request. */
  around(ctx: Context): Omit<BoardFrame, 'title' | 'refreshPath'>;
}

/** Below the board's fragments, which crawlers leave out. */
const FRAGMENT = '/board/home';
const STREAM = '/board/home/stream';

interface Shown {
  readonly view: HomeView;
  readonly status: ServiceStatus;
}

export function homePages(router: Router, deps: HomePagesDeps): void {
  const { now, follow } = deps;
  const shown = shownOnce(deps);
  const frame: HomeFrame = { contact: deps.contact, canSignUp: deps.canSignUp, speed: deps.speed };
  const render = ({ view, status }: Shown, nowMs: number) => homeMain(view, status, frame, nowMs);
  router.get('/', async (ctx) => {
    ctx.vary(['Accept-Encoding', 'Cookie']);
    ctx.status = 200;
    const around = deps.around(ctx);
    if (around.signIn === 'signed_in') return toBoard(ctx);
    const one = await shown();
    const nowMs = now();
    const streamPath = follow ? STREAM : null;
    const { freshness = { kind: 'none' } } = one.view.race ?? {};
    const paths = { refreshPath: FRAGMENT, streamPath, light: true as const };
    const page = { ...around, ...paths, freshness, nowMs, title: HOME_TITLE };
    sendHtml(ctx, boardDocument(render(one, nowMs), page));
  });
  router.get(FRAGMENT, async (ctx) => sendFragment(ctx, await shown(), now(), render));
  if (follow)
    router.get(STREAM, (ctx) => follow(ctx, { path: ctx.path, raceId: null, tag: async () => tagOf(await shown()) }));
}

/** The same object while neither part has changed: its tag is computed once. */
function shownOnce({ home, status }: HomePagesDeps): () => Promise<Shown> {
  let last: Shown | null = null;
  return async () => {
    const [view, known] = await Promise.all([home.read(), status()]);
    if (last?.view !== view || last.status !== known) last = { view, status: known };
    return last;
  };
}

/** No cache may give one visitor's way to another. */
export function toBoard(ctx: Context): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.status = 302;
  ctx.set('Location', '/live');
  ctx.body = '';
}
