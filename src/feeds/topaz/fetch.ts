// Topaz, the greyhound data API of Greyhound Racing Victoria for all of Australia: JSON, with a key that Betfair issues
// to its customers. Sources: public clients of 2023 to 2026. Confidence is high for host, paths, parameters,
// `X-API-Key`, 401 and 429, field names of runs and meetings, ids, margins to the winner, repeated runs, 404 for days
// without a meeting; lower for `isRaceResultEntered` in `/meeting/{id}/results` and the values of `unplaced`.
// Undocumented: the codes of `statusCode`, and whether prices mark a favourite. One list per authority and one reply
// per meeting. The bulk runs would take fewer calls, but lack today, start times and the state of a race.
import { aetDay } from '../../domain/time/aet';
import { createDoor } from '../door/create-door';
import type { DoorPurpose } from '../door/door';
import { throughDoor } from '../door/through';
import type { FeedCall, FeedReply } from '../feed';
import type { SiteOptions } from '../racing-australia/site';
import type { ResultsRegistry } from '../results-registry';
import { createHttp, type HttpFailure, type HttpReply } from '../transport/http';
import { feedReply, type Mapped } from '../transport/reply';
import { mapListings, mapMeeting } from './meeting';
import { ORIGIN } from './run';

/** Owning authorities. New Zealand's is excluded (D25). */
const AUTHORITIES = ['ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA'] as const;

/** Its runs go back to this day. */
const BEGINS_ON = '2020-01-01';

/** The usual wait of clients after a 429 that names no time. */
const LIMITED_FOR_MS = 60_000;

export interface Topaz extends ResultsRegistry {
  /** One list, even behind a wall: whether the registry still refuses us. */
  probe(call?: FeedCall): Promise<FeedReply<unknown>>;
}

/** The API key is the endpoint's `settings.api_key`. */
export function createTopaz({ endpoint, now, door: shared, ...pace }: SiteOptions): Topaz {
  const key = endpoint.settings?.api_key ?? '';
  const http = createHttp({ endpoint, now, headers: { 'x-api-key': key } });
  const door = shared ?? createDoor({ registry: ORIGIN, now, ...pace });
  const get = <T>(
    path: string,
    read: (body: unknown) => Mapped<T> | null,
    call?: FeedCall,
    purpose: DoorPurpose = 'collection',
  ): Promise<HttpReply<Mapped<T>>> => {
    if (key === '') return Promise.resolve(withoutKey(now()));
    const send = async () => explained(await http.get({ path, read, ...(call && { call }) }));
    return throughDoor({ door, purpose, call, now }, send);
  };
  const list = async (of: Parameters<typeof mapListings>[1], call?: FeedCall, purpose?: DoorPurpose) => {
    const query = new URLSearchParams({ from: of.from, to: of.to, owningauthoritycode: of.region });
    return feedReply(noneFound(await get(`/meeting?${query}`, (body) => mapListings(body, of), call, purpose)));
  };
  return {
    source: ORIGIN,
    category: 'greyhound',
    regions: AUTHORITIES,
    beginsOn: () => BEGINS_ON,
    listings: (region, from, to, call, purpose) => list({ region, from, to }, call, purpose),
    probe: (call) => list({ region: 'VIC', from: aetDay(now()), to: aetDay(now()) }, call, 'probe'),
    meeting: async (meeting, call, purpose) => {
      const path = `/meeting/${encodeURIComponent(meeting)}/results`;
      return feedReply(await get(path, (body) => mapMeeting(body, meeting), call, purpose));
    },
  };
}

const withoutKey = (nowMs: number): HttpFailure => ({
  kind: 'failed',
  reason: 'blocked',
  detail: 'no key: FEED_TOPAZ_API_KEY is not set, nothing was sent',
  retryAfterMs: null,
  observedAt: new Date(nowMs).toISOString(),
});

/** A refused key needs an operator; a 429 without its own time gets the usual one. */
function explained<T>(reply: HttpReply<T>): HttpReply<T> {
  if (reply.kind !== 'failed') return reply;
  if (reply.status === 401) {
    return {
      ...reply,
      reason: 'blocked',
      detail: 'HTTP 401: the key (FEED_TOPAZ_API_KEY) is refused, or has no right to this',
    };
  }
  return reply.reason === 'rate_limited' ? { ...reply, retryAfterMs: reply.retryAfterMs ?? LIMITED_FOR_MS } : reply;
}

/** Days without a meeting give a 404. It is counted, because a wrong address gives one too. */
function noneFound<T>(reply: HttpReply<Mapped<readonly T[]>>): HttpReply<Mapped<readonly T[]>> {
  if (reply.kind !== 'failed' || reply.reason !== 'not_found') return reply;
  const read = { value: [], bookAt: null, dropped: { no_meetings_404: 1 } };
  return { kind: 'ok', read, observedAt: reply.observedAt };
}
