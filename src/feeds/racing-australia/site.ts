// All access to Racing Australia's site: pages are read one after the other, at least `spacingMs` apart, because bursts are answered with stubs.
// Build it once per process, or the spacing is lost.
import type { DoorPurpose } from '../door/door';
import type { FeedCall, FeedReply } from '../feed';
import { createHttp } from '../transport/http';
import { feedReply, type Mapped } from '../transport/reply';
import { createTurns, type PacedOptions } from '../transport/turns';

export interface RegistrySite {
  /**
   * `map` returns null if the page is not the expected one. `purpose`: default `collection`. What the door refuses is `blocked` behind a wall,
   * `rate_limited` during a pause, `over_budget` when no turn came in time. Never rejects.
   */
  page<T>(
    path: string,
    map: (html: string) => Mapped<T> | null,
    call?: FeedCall,
    purpose?: DoorPurpose,
  ): Promise<FeedReply<T>>;
  /** Epoch milliseconds in race time. */
  readonly now: () => number;
}

export function createRegistrySite({ endpoint, now, ...pace }: PacedOptions): RegistrySite {
  const http = createHttp({ endpoint, now });
  const inTurn = createTurns(pace);
  return {
    now,
    page: (path, map, call, purpose) =>
      inTurn(
        async () =>
          feedReply(await http.get({ path, expect: 'page', ...(call && { call }), read: (html) => map(String(html)) })),
        purpose === 'tables' || purpose === 'backfill' ? 'later' : undefined,
      ),
  };
}
