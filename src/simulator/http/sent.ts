// What the simulator sent of sports, as it left: every push with its response, and every reply of the feed's odds, so
// that somebody can recompute what the service made of it. The newest are kept, packed, up to a bound, in a file
// without a name: `GET /world/sent?after=` reads them in their order.
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  close(): Promise<void>;
  /** `GET /world/sent`. */
  readonly view: Middleware;
  /** Keeps the replies of the feed. */
  readonly ofFeed: Middleware;
}

/** Where a row is in the file. */
interface Kept {
  readonly n: number;
  readonly at: number;
  readonly length: number;
}

/** Packed: about half a day of all sports at every book. */
const MOST_BYTES = 96 * 1024 * 1024;
/** Of one answer. */
const MOST_ROWS = 40;
const ODDS = /^\/the_odds_api\/v4\/sports\/([\w-]+)\/odds$/;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** It has no name from the start on, so that nothing is left of it, however the process ends. */
async function namelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'simulator-'));
  try {
    return await open(join(folder, 'sent'), 'w+');
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Places in a file that is written round and round: a row takes the place of the oldest, which leave `kept`. */
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
  /** Nothing of a row whose place was taken meanwhile: its checksum shows it. */
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
