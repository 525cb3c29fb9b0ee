// All access to Racing Australia's site: pages are read one after the other, at least `spacingMs` apart, because bursts are answered with stubs.
// Build it once per process, or the spacing is lost.
import type { FeedCall, FeedReply } from '../feed';
import { createHttp } from '../transport/http';
import { feedReply, type Mapped } from '../transport/reply';
import { createTurns, type PacedOptions } from '../transport/turns';

export interface RegistrySite {
  /** `map` returns null if the page is not the expected one. `later`: after every other page that waits. Never rejects. */
  page<T>(
    path: string,
    map: (html: string) => Mapped<T> | null,
    call?: FeedCall,
    order?: 'later',
  ): Promise<FeedReply<T>>;
  /** Epoch milliseconds in race time. */
  readonly now: () => number;
}

export function createRegistrySite({ endpoint, now, ...pace }: PacedOptions): RegistrySite {
  const http = createHttp({ endpoint, now });
  const inTurn = createTurns(pace);
  return {
    now,
    page: (path, map, call, order) =>
      inTurn(
        async () =>
          feedReply(await http.get({ path, expect: 'page', ...(call && { call }), read: (html) => map(String(html)) })),
        order,
      ),
  };
}
