// Notifies open pages of changes to what they show, over server-sent events: a page then fetches its fragment, and
// otherwise nothing. A page's values are compared once for all its viewers. An event has only the tag: a viewer that
// does not read misses some, and catches up with the next.
import { PassThrough } from 'node:stream';
import type { Context } from 'koa';
import { AppError } from '../../errors';
import type { PriceMoves } from '../board/source';

export interface LiveStreamDeps {
  readonly moves: PriceMoves;
  /** What limits count for a client's address. */
  networkOf(ctx: Context): string;
  /** Aborted when the process begins to stop. */
  readonly stopping: AbortSignal;
  /** Race time. */
  now(): number;
  /** How often a page's values are compared at most, wall time. */
  readonly everyMs?: number;
}

interface Shown {
  readonly path: string;
  /** Null: any race. */
  readonly raceId: string | null;
  /** The current tag of the fragment; null: it no longer exists. */
  tag(): Promise<string | null>;
}

interface Page extends Shown {
  readonly viewers: Set<PassThrough>;
  readonly looks: NodeJS.Timeout;
  last: string | null;
  hasMoved: boolean;
  count: number;
}

const OPEN_PER_ADDRESS = 60;
/** Per process: customers' connections have the rest. */
const OPEN = 500;
const LOOK_MS = 2000;
/** Results and jumps are not changes of prices: they are looked for in every third check. */
const ANYWAY = 3;
const BEAT = 5;
const COME_BACK_SECONDS = 60;

export type FollowPage = (ctx: Context, shown: Shown) => void;

export function createLiveStreams({ moves, networkOf, stopping, now, everyMs = LOOK_MS }: LiveStreamDeps): FollowPage {
  const pages = new Map<string, Page>();
  const open = new Map<string, number>();
  let total = 0;
  let unwatch: (() => void) | null = null;

  const moved = (raceIds: ReadonlySet<string>): void => {
    for (const page of pages.values()) page.hasMoved ||= page.raceId === null || raceIds.has(page.raceId);
  };

  const count = (network: string, by: 1 | -1): void => {
    total += by;
    const left = (open.get(network) ?? 0) + by;
    if (left > 0) open.set(network, left);
    else open.delete(network);
  };

  const pageOf = (shown: Shown): Page => {
    const known = pages.get(shown.path);
    if (known) return known;
    const looks = setInterval(() => void look(page, now), everyMs).unref();
    const page: Page = { ...shown, viewers: new Set(), looks, last: null, hasMoved: true, count: 0 };
    pages.set(shown.path, page);
    unwatch ??= moves.watch(moved);
    void look(page, now);
    return page;
  };

  const leave = (page: Page, viewer: PassThrough): void => {
    page.viewers.delete(viewer);
    if (page.viewers.size > 0) return;
    clearInterval(page.looks);
    pages.delete(page.path);
    if (pages.size > 0) return;
    unwatch?.();
    unwatch = null;
  };

  stopping.addEventListener('abort', () => {
    for (const page of pages.values()) for (const viewer of page.viewers) viewer.end();
  });

  return (ctx, shown) => {
    const network = networkOf(ctx);
    if ((open.get(network) ?? 0) >= OPEN_PER_ADDRESS || total >= OPEN || stopping.aborted)
      throw new AppError('rate_limit', 'Too many pages are open.', { retry_after_seconds: COME_BACK_SECONDS });
    const viewer = new PassThrough();
    count(network, 1);
    const page = pageOf(shown);
    page.viewers.add(viewer);
    viewer.once('close', () => {
      count(network, -1);
      leave(page, viewer);
    });
    begin(ctx, viewer);
    if (page.last !== null) send([viewer], 'changed', page.last);
  };
}

async function look(page: Page, now: () => number): Promise<void> {
  page.count++;
  if (page.count % BEAT === 0) send(page.viewers, 'beat', String(now()));
  if (!page.hasMoved && page.count % ANYWAY !== 0) return;
  page.hasMoved = false;
  // The database may be away: the current content is still shown.
  const tag = await page.tag().catch(() => page.last);
  if (tag === page.last) return;
  page.last = tag;
  if (tag !== null) send(page.viewers, 'changed', tag);
}

function begin(ctx: Context, viewer: PassThrough): void {
  ctx.set({ 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no', Connection: 'close' });
  ctx.type = 'text/event-stream; charset=utf-8';
  ctx.body = viewer;
  viewer.write('retry: 3000\n\n');
}

function send(viewers: Iterable<PassThrough>, event: string, data: string): void {
  const text = `event: ${event}\ndata: ${data}\n\n`;
  for (const viewer of viewers) if (!viewer.writableNeedDrain) viewer.write(text);
}
