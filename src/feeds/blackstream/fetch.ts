// BlackStream over HTTP, for BetDeluxe. The envelope's `code` decides, not the HTTP status: a refusal comes as HTTP
// 200. Never conditional: no validator was observed, and one sent with a refusal would stand for a reply that was never
// stored.

import type { Day } from '../../domain/race/race';
import { aetDayBounds } from '../../domain/time/aet';
import type { Feed, FeedEndpoint, FeedReply } from '../feed';
import { asRow, textOf } from '../reading/read';
import { createHttp, type HttpReply } from '../transport/http';
import { feedReply, type Mapped, notOurs } from '../transport/reply';
import { mapRacecard, mapSchedule } from './map';
import { parseBlackStreamRaceId } from './race-id';

export function createBlackStreamFeed(endpoint: FeedEndpoint, now: () => number): Feed {
  const http = createHttp({ endpoint, now });
  return {
    bookmakerKey: 'betdeluxe',
    listRaces: async (day, call) =>
      unwrapped(await http.get({ path: schedulePath(day), read: (body) => opened(body, mapSchedule), call })),
    fetchRace: async (sourceRaceId, call) => {
      const id = parseBlackStreamRaceId(sourceRaceId);
      if (!id) return notOurs('BlackStream', now());
      const path = `/api/racing/v2/meetings/${id.meetId}/races/${id.raceId}/racecard`;
      const read = (body: unknown) => opened(body, (data) => mapRacecard(data, sourceRaceId));
      return unwrapped(await http.get({ path, read, readOnce: sourceRaceId, call }));
    },
  };
}

/**
 * The window that the site itself requests: a Sydney day in UTC, from midnight to a millisecond before the next. A
 * window above 25 to 26 hours is refused; the 25-hour day on which daylight saving ends still fits.
 */
function schedulePath(day: Day): string {
  const { startMs, endMs } = aetDayBounds(day);
  const utc = (ms: number): string => new Date(ms).toISOString();
  const window = `startDateTime=${utc(startMs)}&endDateTime=${utc(endMs - 1)}`;
  return `/api/racing/v1/schedule?${window}&topfouroutcomes=true`;
}

type Opened<T> = { readonly mapped: Mapped<T> } | { readonly refusal: string };

/**
 * The envelope's content, or the reason why there is none. Null if it is not an envelope, or its content is not as
 * documented.
 */
function opened<T>(body: unknown, map: (data: unknown) => Mapped<T> | null): Opened<T> | null {
  const envelope = asRow(body);
  const code = textOf(envelope?.code);
  if (code === null) return null;
  if (code !== 'Success') return { refusal: `HTTP 200 with ${code}: ${textOf(envelope?.message) ?? 'no message'}` };
  const mapped = map(envelope?.data);
  return mapped && { mapped };
}

/** Other books refuse with HTTP 400, so this is `http_error` too, never an empty list. */
function unwrapped<T>(reply: HttpReply<Opened<T>>): FeedReply<T> {
  if (reply.kind !== 'ok') return reply;
  const { read, observedAt } = reply;
  if ('mapped' in read) return feedReply({ ...reply, read: read.mapped });
  const detail = read.refusal.slice(0, 200);
  return { kind: 'failed', reason: 'http_error', detail, retryAfterMs: null, observedAt };
}
