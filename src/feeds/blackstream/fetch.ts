// BlackStream over HTTP for BetDeluxe. Whatever the status line says, the envelope's `code` decides: a refusal comes as HTTP 200. Never
// conditional: no validator was seen, and one that came with a refusal would stand for a reply that we do not hold.

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
      return unwrapped(await http.get({ path, read, call }));
    },
  };
}

/**
 * The window the site asks for: a Sydney day, midnight to the next less a millisecond, in UTC. Wider than 25 to 26 hours is refused; the
 * day on which daylight saving ends is 25 hours and still fits.
 */
function schedulePath(day: Day): string {
  const { startMs, endMs } = aetDayBounds(day);
  const utc = (ms: number): string => new Date(ms).toISOString();
  const window = `startDateTime=${utc(startMs)}&endDateTime=${utc(endMs - 1)}`;
  return `/api/racing/v1/schedule?${window}&topfouroutcomes=true`;
}

type Opened<T> = { readonly mapped: Mapped<T> } | { readonly refusal: string };

/** What is in the envelope, or why there is nothing. Null when it is no envelope, or not the documented content. */
function opened<T>(body: unknown, map: (data: unknown) => Mapped<T> | null): Opened<T> | null {
  const envelope = asRow(body);
  const code = textOf(envelope?.code);
  if (code === null) return null;
  if (code !== 'Success') return { refusal: `HTTP 200 with ${code}: ${textOf(envelope?.message) ?? 'no message'}` };
  const mapped = map(envelope?.data);
  return mapped && { mapped };
}

/** A refusal is what another book says with 400: `http_error`, and no list of nothing. */
function unwrapped<T>(reply: HttpReply<Opened<T>>): FeedReply<T> {
  if (reply.kind !== 'ok') return reply;
  const { read, observedAt } = reply;
  if ('mapped' in read) return feedReply({ ...reply, read: read.mapped });
  const detail = read.refusal.slice(0, 200);
  return { kind: 'failed', reason: 'http_error', detail, retryAfterMs: null, observedAt };
}
