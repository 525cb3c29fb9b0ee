// One poll of one race at one book: fetches, stores, and returns what the book reports about the race. Prices go only
// into the store. A failing book is a return value, not an exception; only our own database makes this throw.
import { trace } from '@opentelemetry/api';
import { bookmaker } from '../../domain/bookmakers';
import { isResultCredible } from '../../domain/lifecycle/lifecycle';
import type { BookRunner, BookSnapshot, FeedResult, RaceSnapshot } from '../../domain/race/feed-race';
import { numberRunners } from '../../domain/race/join-runners';
import type { Instant, MarketStatus } from '../../domain/race/race';
import type { FeedCall, FeedFailure, FeedReply } from '../../feeds/feed';
import type { BookPoll, Fence } from '../../store/card/book-poll';
import type { ConnectorPoll } from '../../store/health';
import { LONGEST_POLL_WAIT_MS } from '../../store/polls/poll-batches';
import type { PollVerdict } from '../../store/polls/quotes';
import type { StoredResult } from '../../store/results/sources';
import { activityAttributes } from '../activity-context';
import type { ActivityDeps, PollDeps } from '../deps';
import { saveExchange } from '../exchange/save-exchange';
import { callFeed, isRefusal } from './call-feed';
import type { ListedBook } from './due-books';

const tracer = trace.getTracer('racing-odds/collection');

export interface PollTarget extends ListedBook {
  readonly raceId: string;
  readonly advertisedStart: Instant;
  /** Its advertised start and facts take precedence over other books'. */
  readonly startSource: boolean;
}

export type BookReport =
  | {
      readonly kind: 'answered';
      readonly verdict: PollVerdict;
      /** The book's advertised start in this reply, null when it does not carry one. */
      readonly startTime: Instant | null;
      readonly marketStatus: MarketStatus | null;
      readonly result: FeedResult | null;
      readonly storedResult: StoredResult | null;
      readonly observedAt: Instant;
      /** The time our database took to check and store it, wall; less the time that a poll may wait for others. */
      readonly storeMs: number;
      readonly health: ConnectorPoll;
    }
  | {
      readonly kind: 'failed';
      readonly reason: FeedFailure;
      readonly retryAfterMs: number | null;
      readonly health: ConnectorPoll;
    };

/** One race at one book, within the book's deadline. Never throws for what the book does. */
export const fetchRace = (
  deps: PollDeps,
  { bookmakerKey, sourceRaceId }: ListedBook,
  call: FeedCall,
  patient = false,
): Promise<FeedReply<BookSnapshot>> =>
  callFeed(deps, { bookmakerKey, call, patient, send: (feed, bounded) => feed.fetchRace(sourceRaceId, bounded) });

export interface PollCall extends FeedCall {
  /** The process does not keep up: the write waits for others near the jump too, because it costs less. */
  readonly isShort?: boolean;
}

/** Fetches, writes the quotes under the fence, and writes the result if the book reports one. One trace per poll. */
export function pollBook(
  deps: PollDeps,
  target: PollTarget,
  fence: Fence,
  call: PollCall,
  patient = false,
): Promise<BookReport> {
  return tracer.startActiveSpan('poll', { root: true }, (span) => {
    if (span.isRecording()) {
      const { bookmakerKey, raceId } = target;
      span.setAttributes({ 'racing.book': bookmakerKey, 'racing.race_id': raceId, ...activityAttributes() });
    }
    return poll(deps, target, fence, call, patient).finally(() => span.end());
  });
}

async function poll(
  deps: PollDeps,
  target: PollTarget,
  fence: Fence,
  call: PollCall,
  patient: boolean,
): Promise<BookReport> {
  const reply = await fetchRace(deps, target, call, patient);
  if (reply.kind === 'failed') {
    const { reason, retryAfterMs } = reply;
    return { kind: 'failed', reason, retryAfterMs, health: healthOf(target, reply, 0) };
  }
  const repliedMs = performance.now();
  const joined = reply.kind === 'ok' ? await joinRunners(deps, target, reply) : null;
  if (joined === 'another_race') return discarded(target, reply, joined);
  const snapshot = joined?.value ?? null;
  const bookAt = reply.kind === 'ok' ? reply.bookAt : null;
  const own = bookPoll(target, fence, reply.observedAt, bookAt, snapshot);
  const mayWait = call.urgency !== 'near' || call.isShort === true;
  const verdict = await deps.stores.quotes.savePoll({ ...own, mayWait, isNear: call.urgency === 'near' });
  const storeMs = Math.max(0, performance.now() - repliedMs - (mayWait ? LONGEST_POLL_WAIT_MS : 0));
  if (verdict.outOfOrder) return discarded(target, reply, 'out_of_order');
  await saveExchange(deps, target.raceId, reply, mayWait);
  const result = verdict.fenced ? null : credible(snapshot?.result ?? null, target, reply.observedAt);
  const storedResult = result && (await saveResult(deps, target, result, reply.observedAt));
  return {
    kind: 'answered',
    verdict,
    startTime: snapshot?.startTime ?? null,
    marketStatus: snapshot?.marketStatus ?? null,
    result,
    storedResult,
    observedAt: reply.observedAt,
    storeMs,
    health: healthOf(target, joined ?? reply, verdict.changed),
  };
}

const DISCARD_REASONS = {
  another_race: 'the runners belong to another race',
  out_of_order: 'a newer response is already stored',
};

/** A complete reply of which nothing may be written or passed on: for this race, the book has failed. */
export function discarded(
  target: ListedBook,
  { observedAt }: FeedReply<unknown>,
  reason: keyof typeof DISCARD_REASONS,
): Extract<BookReport, { kind: 'failed' }> {
  const failure = { kind: 'failed', reason, detail: DISCARD_REASONS[reason], retryAfterMs: null, observedAt } as const;
  return { kind: 'failed', reason, retryAfterMs: null, health: healthOf(target, failure, 0) };
}

type OkReply<T> = Extract<FeedReply<T>, { kind: 'ok' }>;

/**
 * Joins the reply's runners to the card. When a card is renumbered (TAB), a book's id may mean another race and a
 * number another runner: the prices of neither may be written here. A book that reports no numbers is joined by name;
 * runners without a match are dropped and counted.
 */
export async function joinRunners(
  { stores, cardRunners }: Pick<ActivityDeps, 'stores' | 'cardRunners'>,
  { raceId, bookmakerKey }: { readonly raceId: string; readonly bookmakerKey: string },
  reply: OkReply<BookSnapshot>,
): Promise<OkReply<RaceSnapshot> | 'another_race'> {
  const { value, observedAt } = reply;
  const field = await stores.quotes.checkField(raceId, bookmakerKey, value.runners, observedAt);
  if (field.anotherRace) return 'another_race';
  const { contradicted } = field;
  const isOwn = ({ number }: BookRunner): boolean => number === null || !contradicted.includes(number);
  const own = contradicted.length === 0 ? value.runners : value.runners.filter(isOwn);
  const card = own.some(({ number }) => number === null) ? await cardRunners(raceId) : [];
  const { runners, unjoined } = numberRunners(own, card);
  const dropped = {
    ...reply.dropped,
    ...(unjoined > 0 && { runner_unjoined: unjoined }),
    ...(own.length < value.runners.length && { runner_contradicted: value.runners.length - own.length }),
  };
  return { ...reply, dropped, value: runners === value.runners ? (value as RaceSnapshot) : { ...value, runners } };
}

/** A result long before the start belongs to another race; an abandonment may be reported at any time. */
function credible(result: FeedResult | null, { advertisedStart }: PollTarget, at: Instant): FeedResult | null {
  return result?.stage === 'abandoned' || isResultCredible(at, advertisedStart) ? result : null;
}

/** Writes the result that a book reports. An abandonment is left to the workflow, which decides on it (A 3). */
export async function saveResult(
  deps: PollDeps,
  target: { raceId: string; bookmakerKey: string },
  result: FeedResult,
  at: Instant,
): Promise<StoredResult | null> {
  if (result.stage === 'abandoned') return null;
  return deps.stores.results.saveResult({ raceId: target.raceId, source: target.bookmakerKey, result, at });
}

const bookPoll = (
  target: PollTarget,
  fence: Fence,
  observedAt: Instant,
  bookAt: Instant | null,
  snapshot: BookPoll['snapshot'],
): BookPoll => ({
  raceId: target.raceId,
  bookmakerKey: target.bookmakerKey,
  fence,
  observedAt,
  bookAt,
  snapshot,
  marketStateSource: bookmaker(target.bookmakerKey)?.marketStateSource ?? false,
  startSource: target.startSource,
});

/** One poll for the connector's health. */
export function healthOf(
  target: { bookmakerKey: string },
  reply: FeedReply<unknown>,
  recordsWritten: number,
): ConnectorPoll {
  const failure = reply.kind === 'failed' ? reply : null;
  const sent = failure === null || !(failure.notSent || isRefusal(failure.reason));
  const dropped = reply.kind === 'ok' ? Object.entries(reply.dropped) : [];
  return {
    connector: target.bookmakerKey,
    at: reply.observedAt,
    ok: !failure,
    status: failure?.reason ?? 'ok',
    message: failure?.detail ?? null,
    recordsWritten,
    counts: [
      ...dropped.map(([reason, count]) => ({ kind: 'dropped' as const, reason, count })),
      ...(failure
        ? [{ kind: sent ? ('failed' as const) : ('refused' as const), reason: failure.reason, count: 1 }]
        : []),
    ],
    sent,
  };
}
