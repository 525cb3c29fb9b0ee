// Racing Australia's site as one host: every page of it, whoever asks, goes through here, one after the other with at least `spacingMs`
// between two. Polite readers do so, and bursts are answered with stubs. Build it once.
import { setTimeout as delay } from 'node:timers/promises';
import type { FeedCall, FeedEndpoint, FeedReply } from '../feed';
import { createHttp } from '../http';
import { feedReply, type Mapped } from '../reply';
import { createTurns } from '../turns';

export interface RegistrySite {
  /** `map` hands back null for what is not the page. Never rejects. */
  page<T>(path: string, map: (html: string) => Mapped<T> | null, call?: FeedCall): Promise<FeedReply<T>>;
  /** Epoch milliseconds in race time. */
  readonly now: () => number;
}

export interface SiteOptions {
  readonly endpoint: FeedEndpoint;
  /** Epoch milliseconds in race time. */
  readonly now: () => number;
  /** On the wall, between the end of a call and the start of the next. */
  readonly spacingMs?: number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

const SPACING_MS = 1000;

export function createRegistrySite({ endpoint, now, spacingMs = SPACING_MS, wait = delay }: SiteOptions): RegistrySite {
  const http = createHttp({ endpoint, now });
  const inTurn = createTurns(() => wait(spacingMs));
  return {
    now,
    page: (path, map, call) =>
      inTurn(async () =>
        feedReply(await http.get({ path, expect: 'page', ...(call && { call }), read: (html) => map(String(html)) })),
      ),
  };
}
