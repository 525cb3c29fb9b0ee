// Callers behind a balancer of several API processes, as a balancer sends calls: each to the next address, and to the
// one after it when that does not answer or answers 5xx. Counts what a customer saw.
import { setTimeout as sleep } from 'node:timers/promises';

export interface Seen {
  readonly calls: number;
  /** At the first address; another answered. */
  readonly elsewhere: number;
  /** At every address. */
  readonly failed: number;
  readonly slowestMs: number;
}

export interface Callers {
  /** Since the last one. */
  seen(): Seen;
  end(): Promise<void>;
}

const LANES = 8;
const PAUSE_MS = 50;
const ANSWER_WITHIN_MS = 10_000;
const NOTHING: Seen = { calls: 0, elsewhere: 0, failed: 0, slowestMs: 0 };

export function callBalanced(urls: readonly string[], paths: readonly string[], key: string): Callers {
  let seen = NOTHING;
  let turn = 0;
  let ended = false;
  const headers = { 'X-API-Key': key, connection: 'close' };
  const answers = async (url: string): Promise<boolean> => {
    const reply = await fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch(() => null);
    await reply?.arrayBuffer().catch(() => null);
    return reply !== null && reply.status < 500;
  };
  const call = async (): Promise<void> => {
    const first = turn++;
    const path = paths[first % paths.length]!;
    const sentMs = performance.now();
    let tries = 0;
    while (tries < urls.length && !(await answers(`${urls[(first + tries) % urls.length]}${path}`))) tries += 1;
    const tookMs = performance.now() - sentMs;
    seen = {
      calls: seen.calls + 1,
      elsewhere: seen.elsewhere + (tries > 0 && tries < urls.length ? 1 : 0),
      failed: seen.failed + (tries === urls.length ? 1 : 0),
      slowestMs: Math.max(seen.slowestMs, tookMs),
    };
  };
  const lane = async (): Promise<void> => {
    for (; !ended; await sleep(PAUSE_MS)) await call();
  };
  const lanes = Array.from({ length: LANES }, lane);
  return {
    seen() {
      const since = seen;
      seen = NOTHING;
      return since;
    },
    async end() {
      ended = true;
      await Promise.all(lanes);
    },
  };
}
