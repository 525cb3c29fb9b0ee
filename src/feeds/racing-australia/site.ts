// All access to Racing Australia's site, through its one door: the site answers bursts with stubs.
import { REGISTRY } from '../../domain/registry/registry';
import { createDoor, type DoorOptions } from '../door/create-door';
import type { Door, DoorPurpose } from '../door/door';
import { throughDoor } from '../door/through';
import type { FeedCall, FeedEndpoint, FeedReply } from '../feed';
import { createHttp } from '../transport/http';
import { feedReply, type Mapped } from '../transport/reply';

export interface RegistrySite {
  /** `map` returns null if the page is not the expected one. `purpose`: default `collection`. Never rejects. */
  page<T>(
    path: string,
    map: (html: string) => Mapped<T> | null,
    call?: FeedCall,
    purpose?: DoorPurpose,
  ): Promise<FeedReply<T>>;
  /** Epoch milliseconds in race time. */
  readonly now: () => number;
}

/** A registry's site. Without `door` it has its own, which other processes do not share: build it once. */
export interface SiteOptions extends Pick<DoorOptions, 'now' | 'spacingMs' | 'wait'> {
  readonly endpoint: FeedEndpoint;
  readonly door?: Door;
}

export function createRegistrySite({ endpoint, now, door: shared, ...pace }: SiteOptions): RegistrySite {
  const http = createHttp({ endpoint, now });
  const door = shared ?? createDoor({ registry: REGISTRY, now, ...pace });
  return {
    now,
    async page(path, map, call, purpose = 'collection') {
      const read = (html: unknown) => map(String(html));
      const send = () => http.get({ path, expect: 'page', ...(call && { call }), read });
      return feedReply(await throughDoor({ door, purpose, call, now }, send));
    },
  };
}
