// The sports data that the simulator sent, unchanged: every push with its response, and every reply of the feed's odds,
// so that a check can recompute what the service derives from it. The newest rows are kept, compressed, up to a limit,
// in a file without a name: `GET /world/sent?after=` reads them in order.
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Middleware } from 'koa';

interface Sent {
  readonly by: 'push' | 'feed';
  /** The book that pushed, or the feed's key of the sport. */
  readonly of: string;
  /** Race time, epoch ms, before and after it was in flight. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Null: no response arrived. */
  readonly status: number | null;
  /** As it was sent. */
  readonly body: string;
  /** The response to a push. */
  readonly response: string | null;
}

export interface SentLog {
  keep(sent: Sent): Promise<void>;
  close(): Promise<void>;
  /** `GET /world/sent`. */
  readonly view: Middleware;
  /** Keeps the replies of the feed. */
  readonly ofFeed: Middleware;
}

/** The position of a row in the file. */
interface Kept {
  readonly n: number;
  readonly at: number;
  readonly length: number;
}

/** Compressed: about half a day of all sports at every book. */
const MOST_BYTES = 96 * 1024 * 1024;
/** In one response. */
const MOST_ROWS = 40;
const ODDS = /^\/the_odds_api\/v4\/sports\/([\w-]+)\/odds$/;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** It has no name from the start, so that it leaves nothing behind, however the process ends. */
async function namelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'simulator-'));
  try {
    return await open(join(folder, 'sent'), 'w+');
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Allocates space in a file that is overwritten cyclically: a row overwrites the oldest rows, which are removed from
 * `kept`.
 */
function createRing(kept: Kept[], mostBytes: number): (length: number) => number {
  let end = 0;
  const drop = (from: number, to: number): void => {
    for (let i = kept.length - 1; i >= 0; i--) {
      const { at, length } = kept[i]!;
      if (at < to && from < at + length) kept.splice(i, 1);
    }
  };
  return (length) => {
    if (end + length > mostBytes) {
      drop(end, mostBytes);
      end = 0;
    }
    const at = end;
    end += length;
    drop(at, end);
    return at;
  };
}

export function createSentLog(now: () => number, mostBytes = MOST_BYTES): SentLog {
  let file: Promise<FileHandle> | null = null;
  const kept: Kept[] = [];
  let last = 0;
  const placeFor = createRing(kept, mostBytes);
  const keep = async (sent: Sent): Promise<void> => {
    const n = ++last;
    const packed = await pack(JSON.stringify({ n, ...sent }), { level: 1 });
    const { length } = packed;
    if (length > mostBytes) return;
    file ??= namelessFile();
    const at = placeFor(length);
    await (await file).write(packed, 0, length, at);
    kept.push({ n, at, length });
  };
  /** Returns nothing for a row that was overwritten in the meantime: its checksum shows it. */
  const read = async ({ at, length }: Kept): Promise<string[]> => {
    const packed = Buffer.alloc(length);
    await (await file!).read(packed, 0, length, at);
    return unpack(packed).then(
      (text) => [String(text)],
      () => [],
    );
  };
  return {
    keep,
    close: async () => (await file)?.close(),
    async view(ctx, next) {
      if (ctx.path !== '/world/sent') return next();
      const after = Number(ctx.query.after ?? 0);
      const rows = kept
        .filter(({ n }) => n > after)
        .toSorted((a, b) => a.n - b.n)
        .slice(0, MOST_ROWS);
      const texts = await Promise.all(rows.map(read));
      ctx.type = 'application/json';
      ctx.body = `{"sent":[${texts.flat().join(',')}]}`;
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
