// Dabble's list of a day: one call for the competitions, one per meeting.
// It has no race number and no meeting date: a row joins another book's race by its start, and a meeting gets the
// Sydney day of its first race.
import { setTimeout as sleep } from 'node:timers/promises';
import { bulkhead } from 'cockatiel';
import type { BookListing } from '../../domain/race/feed-race';
import type { Category, Instant } from '../../domain/race/race';
import type { Dropped, FeedCall, FeedFailure } from '../feed';
import { countDrops, type Drops, sumDropped } from '../reading/drops';
import { withMeetingDay } from '../reading/meeting-day';
import { asRow, idOf, instantOf, rowOf, textOf } from '../reading/read';
import type { Http, HttpFailure, HttpReply } from '../transport/http';
import type { Mapped } from '../transport/reply';
import { dabbleRaceId, fixturesPath } from './race-id';

/** Every race that the book lists now, of any day. */
export interface WholeList {
  readonly kind: 'ok';
  readonly races: readonly BookListing[];
  readonly dropped: Dropped;
  readonly observedAt: Instant;
}

type NotRead = Exclude<HttpReply<unknown>, { kind: 'ok' }>;

/** A meeting took 0.31 s and there were 137 of them (August 2026): this many parallel calls read a list in seconds. */
const AT_ONCE = 8;

/** Never conditional, so never unchanged. */
export async function readList(http: Http, call?: FeedCall): Promise<WholeList | NotRead> {
  const active = await patient(() => http.get({ path: '/competitions/active', read: mapCompetitions, call }), call);
  if (active.kind !== 'ok') return active;
  const turn = bulkhead(AT_ONCE, Number.POSITIVE_INFINITY);
  const meetings = await Promise.all(
    active.read.value.map((meeting) =>
      turn.execute(() => {
        const path = fixturesPath(meeting.id);
        return patient(() => http.get({ path, read: (body) => mapMeeting(body, meeting), call }), call);
      }),
    ),
  );
  const fatal = fatalOf(meetings);
  if (fatal) return fatal;
  const read = meetings.map((reply) => (reply.kind === 'ok' ? reply.read : unread(reply)));
  return {
    kind: 'ok',
    races: read.flatMap(({ value }) => value),
    dropped: read.reduce((sum, { dropped }) => sumDropped(sum, dropped), active.read.dropped),
    observedAt: active.observedAt,
  };
}

/** Failures that concern the whole book, not one meeting. */
const OF_THE_BOOK: ReadonlySet<FeedFailure> = new Set(['rate_limited', 'blocked', 'over_budget', 'breaker_open']);

/** A failed meeting costs only itself, unless all fail or the book as a whole refuses us. */
function fatalOf(replies: readonly HttpReply<unknown>[]): HttpFailure | null {
  const failures = replies.filter((reply) => reply.kind === 'failed');
  const all = failures.length === replies.length ? failures[0] : undefined;
  return failures.find(({ reason }) => OF_THE_BOOK.has(reason)) ?? all ?? null;
}

const unread = (reply: NotRead): Mapped<readonly BookListing[]> => ({
  value: [],
  bookAt: null,
  dropped: { [`meeting_${reply.kind === 'failed' ? reply.reason : reply.kind}`]: 1 },
});

const SHORTEST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 30_000;

/** The calls exceed our own budget's burst, and a partial list is worthless: each call waits for a token. */
async function patient<T>(send: () => Promise<HttpReply<T>>, call?: FeedCall): Promise<HttpReply<T>> {
  for (let waitedMs = 0; ; ) {
    const reply = await send();
    if (reply.kind !== 'failed' || reply.reason !== 'over_budget') return reply;
    const waitMs = Math.max(SHORTEST_WAIT_MS, reply.retryAfterMs ?? 0);
    if (waitedMs + waitMs > LONGEST_WAIT_MS) return reply;
    waitedMs += waitMs;
    await sleep(waitMs, undefined, { signal: call?.signal }).catch(() => undefined);
    if (call?.signal?.aborted) return reply;
  }
}

const CATEGORIES: ReadonlyMap<unknown, Category> = new Map<unknown, Category>([
  ['Thoroughbred Racing', 'horse'],
  ['Greyhound Racing', 'greyhound'],
  ['Harness Racing', 'harness'],
]);

interface Meeting {
  readonly id: string;
  readonly venue: string;
  readonly category: Category;
}

/** Skips competitions of other sports. */
export function mapCompetitions(payload: unknown): Mapped<readonly Meeting[]> | null {
  const rows = rowOf(rowOf(payload).data).activeCompetitions;
  if (!Array.isArray(rows)) return null;
  const drops = countDrops();
  const value = rows.flatMap((raw) => {
    const row = asRow(raw);
    if (!row) drops.add('competition_unreadable');
    const category = CATEGORIES.get(row?.sportName);
    if (!row || !category) return [];
    const id = idOf(row.id);
    const venue = textOf(row.name);
    if (id && venue) return [{ id, venue, category }];
    drops.add(id ? 'venue_missing' : 'competition_id_missing');
    return [];
  });
  return { value, bookAt: null, dropped: drops.counts() };
}

export function mapMeeting(payload: unknown, { id, venue, category }: Meeting): Mapped<readonly BookListing[]> | null {
  const { data } = rowOf(payload);
  if (!Array.isArray(data)) return null;
  const drops = countDrops();
  const starts = data.map((raw) => startOf(raw, drops)).filter((race) => race !== null);
  const absent = { raceNumber: null, raceName: null, distanceM: null, trackCondition: null, weather: null };
  const value = withMeetingDay(starts).map(({ fixture, ...when }) => {
    const sourceRaceId = dabbleRaceId({ competition: id, fixture });
    return { sourceRaceId, category, venue, country: null, ...when, ...absent };
  });
  return { value, bookAt: null, dropped: drops.counts() };
}

function startOf(raw: unknown, drops: Drops): { readonly fixture: string; readonly startTime: Instant } | null {
  const row = asRow(raw);
  const fixture = idOf(row?.id);
  const startTime = instantOf(row?.advertisedStart);
  if (fixture && startTime) return { fixture, startTime };
  drops.add(row ? (fixture ? 'start_unreadable' : 'race_id_missing') : 'race_unreadable');
  return null;
}
