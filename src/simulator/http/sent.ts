// What the simulator sent of sports, as it left: every push with its response, and every reply of the feed's odds, so that somebody can recompute what the
// service made of it. The newest are kept, packed, up to a bound: `GET /world/sent?after=` reads them in their order.
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Middleware } from 'koa';

interface Sent {
  readonly by: 'push' | 'feed';
  /** The pushing book, or the feed's key of the sport. */
  readonly of: string;
  /** Race time, epoch ms, of before and after it was on its way. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Null: no response came. */
  readonly status: number | null;
  /** As it was sent. */
  readonly body: string;
  /** Of a push: the response. */
  readonly response: string | null;
}

export interface SentLog {
  keep(sent: Sent): Promise<void>;
  /** `GET /world/sent`. */
  readonly view: Middleware;
  /** Keeps the replies of the feed. */
  readonly ofFeed: Middleware;
}

interface Kept {
  readonly n: number;
  readonly packed: Buffer;
}

/** Packed: about half a day of all sports at every book. */
const MOST_BYTES = 96 * 1024 * 1024;
/** Of one answer. */
const MOST_ROWS = 40;
const ODDS = /^\/the_odds_api\/v4\/sports\/([\w-]+)\/odds$/;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

export function createSentLog(now: () => number, mostBytes = MOST_BYTES): SentLog {
  const kept: Kept[] = [];
  let bytes = 0;
  let last = 0;
  const keep = async (sent: Sent): Promise<void> => {
    const n = ++last;
    const packed = await pack(JSON.stringify({ n, ...sent }), { level: 1 });
    kept.push({ n, packed });
    bytes += packed.length;
    while (bytes > mostBytes) bytes -= kept.shift()!.packed.length;
  };
  return {
    keep,
    async view(ctx, next) {
      if (ctx.path !== '/world/sent') return next();
      const after = Number(ctx.query.after ?? 0);
      const rows = kept
        .filter(({ n }) => n > after)
        .toSorted((a, b) => a.n - b.n)
        .slice(0, MOST_ROWS);
      const texts = await Promise.all(rows.map(({ packed }) => unpack(packed)));
      ctx.type = 'application/json';
      ctx.body = `{"sent":[${texts.map(String).join(',')}]}`;
    },
    async ofFeed(ctx, next) {
      const [, of] = ODDS.exec(ctx.path) ?? [];
      if (of === undefined) return next();
      const fromMs = now();
      await next();
      const { status, body } = ctx;
      if (typeof body === 'string') await keep({ by: 'feed', of, fromMs, toMs: now(), status, body, response: null });
    },
  };
}
