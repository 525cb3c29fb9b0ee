// Racing Australia's site as one host: every page of it, whoever asks, goes through here, one after the other with at least `spacingMs`
// between two. Polite readers do so, and bursts are answered with stubs. Build it once.
import type { FeedCall, FeedReply } from '../feed';
import { createHttp } from '../transport/http';
import { feedReply, type Mapped } from '../transport/reply';
import { createTurns, type PacedOptions } from '../transport/turns';

export interface RegistrySite {
  /** `map` hands back null for what is not the page. Never rejects. */
  page<T>(path: string, map: (html: string) => Mapped<T> | null, call?: FeedCall): Promise<FeedReply<T>>;
  /** Epoch milliseconds in race time. */
  readonly now: () => number;
}

export function createRegistrySite({ endpoint, now, ...pace }: PacedOptions): RegistrySite {
  const http = createHttp({ endpoint, now });
  const inTurn = createTurns(pace);
  return {
    now,
    page: (path, map, call) =>
      inTurn(async () =>
        feedReply(await http.get({ path, expect: 'page', ...(call && { call }), read: (html) => map(String(html)) })),
      ),
  };
}
