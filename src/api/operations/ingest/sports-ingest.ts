// Checks and writes a book's push of sports (shapes 3.9, D14, D22). Everything left out is counted under the book's
// key.
import type { Static } from '@sinclair/typebox';
import { SPORT_BOOKS } from '../../../domain/bookmakers';
import { isFormula } from '../../../domain/formula-text';
import type { Instant } from '../../../domain/race/race';
import { readMarkets } from '../../../domain/sports/lines/read-lines';
import { sportOf } from '../../../domain/sports/sports';
import { type InputProblem, invalid } from '../../../errors';
import { inParts } from '../../../in-parts';
import type { ConnectorPoll, HealthStore } from '../../../store/health';
import type { SportIngestStore } from '../../../store/sports/push';
import type { PushedEvent } from '../../../store/sports/pushed-event';
import type { PushAudit } from '../quality/push-audit';
import { ageProblems, aheadProblems, retryWhenUnavailable } from './ingest';
import { createPushQueue, PushRefused } from './push-queue';
import type { SportIngestPayload, SportIngestReply } from './sport-ingest-schema';

type Payload = Static<typeof SportIngestPayload>;
type EventIn = Payload['events'][number];
type Reply = Static<typeof SportIngestReply>;

export interface SportsIngest {
  /** `gone`: aborted when the client no longer waits: a push that is not being written then never is. */
  push(bookmakerKey: string, payload: Payload, nowMs: number, gone: AbortSignal): Promise<Reply>;
}

/** No fixture is dated further ahead. */
const AHEAD_MS = 365 * 24 * 3_600_000;

export function createSportsIngest(
  store: SportIngestStore,
  health: Pick<HealthStore, 'recordPolls'>,
  audit: PushAudit,
): SportsIngest {
  const inTurn = createPushQueue();
  /** By book, since its last push that was written: a database that stands still cannot count them. */
  const waited = new Map<string, number>();
  return {
    async push(bookmakerKey, payload, nowMs, gone) {
      requireBook(bookmakerKey);
      const at = new Date(nowMs).toISOString();
      const problems = await inParts(problemsOf(bookmakerKey, payload, nowMs));
      if (problems.length > 0) {
        await record(health, bookmakerKey, at, [{ kind: 'failed', reason: 'sports_push_refused', count: 1 }]);
        throw invalid(problems);
      }
      // As new as its arrival: where a newer one of its book is stored it is `replayed`, where one waits it is refused.
      const observedAt = payload.observed_at ?? at;
      const dropped = new Map<string, number>();
      const drop = (reason: string) => void dropped.set(reason, (dropped.get(reason) ?? 0) + 1);
      const listed = payload.events.map((event, index) => ({ event, index, refusal: refusalOf(event, nowMs) }));
      const taken = listed.filter(({ refusal }) => refusal === null);
      const write = async () => {
        const events = await inParts(pushedEvents(taken, drop));
        return store.push({ bookmakerKey, observedAt, events }, at).catch(retryWhenUnavailable);
      };
      const queued = { bookmakerKey, observedAt, selections: selectionsOf(payload), gone };
      const verdict = await inTurn(queued, write).catch((error) => {
        if (error instanceof PushRefused) waited.set(bookmakerKey, (waited.get(bookmakerKey) ?? 0) + 1);
        throw error;
      });
      const reasons = new Map<number, Reply['refused'][number]['reason']>();
      for (const { index, refusal } of listed)
        if (verdict.replayed || refusal) reasons.set(index, verdict.replayed ? 'replayed' : refusal!);
      for (const one of verdict.refused) reasons.set(taken[one.at]!.index, one.reason);
      const refused = listed.flatMap(({ event, index }) => {
        const reason = reasons.get(index);
        return reason ? [{ index, source_id: event.source_id ?? null, reason }] : [];
      });
      // A push that only takes back has no match to refuse.
      const left = verdict.replayed && refused.length === 0 ? [{ reason: 'replayed' as const }] : refused;
      const refusedWaiting = waited.get(bookmakerKey) ?? 0;
      waited.delete(bookmakerKey);
      await count(health, bookmakerKey, at, dropped, left, refusedWaiting);
      if (!verdict.replayed) await audit.matches(bookmakerKey, payload, observedAt, nowMs);
      return {
        ok: true,
        bookmaker_key: bookmakerKey,
        replayed: verdict.replayed,
        events_ingested: verdict.events,
        markets_changed: verdict.changed,
        markets_taken_back: verdict.takenBack,
        observed_at_applied: verdict.observedAt,
        refused,
        dropped: Object.fromEntries(dropped),
      };
    },
  };
}

function requireBook(key: string): void {
  if (SPORT_BOOKS.includes(key)) return;
  const detail = `bookmaker_key '${key.slice(0, 60)}' cannot push sports; valid keys are ${SPORT_BOOKS.join(', ')}.`;
  throw invalid([{ parameter: 'bookmaker_key', detail, valid_values: SPORT_BOOKS }]);
}

const selectionsOf = ({ events }: Payload): number =>
  events.reduce((sum, { markets }) => markets.reduce((all, { selections }) => all + selections.length, sum), 0);

/** Yields between matches. */
function* problemsOf(bookmakerKey: string, payload: Payload, nowMs: number): Generator<void, InputProblem[]> {
  const problems = ageProblems('/observed_at', payload.observed_at, nowMs);
  if (payload.bookmaker_key !== bookmakerKey) {
    const detail = `/bookmaker_key must be '${bookmakerKey}', as in the path.`;
    problems.unshift({ pointer: '/bookmaker_key', detail });
  }
  for (const [event, { markets }] of payload.events.entries()) {
    yield;
    for (const [at, { last_update }] of markets.entries())
      if (last_update)
        problems.push(...aheadProblems(`/events/${event}/markets/${at}/last_update`, last_update, nowMs));
  }
  return problems;
}

/** The refusal of a match before the store sees it; null: it is not refused. */
function refusalOf(
  { home_team, away_team, competition, commence_time }: EventIn,
  nowMs: number,
): 'name_is_formula' | 'start_out_of_window' | null {
  if ([home_team, away_team, competition ?? ''].some(isFormula)) return 'name_is_formula';
  return Date.parse(commence_time) - nowMs <= AHEAD_MS ? null : 'start_out_of_window';
}

/** Yields between lines and between matches. */
function* pushedEvents(
  taken: readonly { readonly event: EventIn }[],
  drop: (reason: string) => void,
): Generator<void, PushedEvent[]> {
  const pushed: PushedEvent[] = [];
  for (const { event } of taken) {
    pushed.push(yield* pushedEvent(event, drop));
    yield;
  }
  return pushed;
}

function* pushedEvent(event: EventIn, drop: (reason: string) => void): Generator<void, PushedEvent> {
  const names = { sportKey: event.sport_key, home: event.home_team, away: event.away_team };
  const listed = event.markets.map(
    ({ market_type: market = 'h2h', selections, last_update: sourceUpdatedAt = null }) => ({
      market,
      selections,
      sourceUpdatedAt,
    }),
  );
  return {
    sport: sportOf(event.sport_key)!,
    sourceId: event.source_id ?? null,
    homeTeam: event.home_team,
    awayTeam: event.away_team,
    competition: event.competition ?? null,
    commenceTime: event.commence_time,
    markets: yield* readMarkets(listed, names, drop),
  };
}

function count(
  health: Pick<HealthStore, 'recordPolls'>,
  connector: string,
  at: Instant,
  dropped: ReadonlyMap<string, number>,
  refused: readonly Pick<Reply['refused'][number], 'reason'>[],
  waited: number,
): Promise<void> {
  const counts = [
    ...(waited > 0 ? [{ kind: 'failed' as const, reason: 'sports_push_waiting', count: waited }] : []),
    ...[...dropped].map(([reason, count]) => ({ kind: 'dropped' as const, reason: `sports_${reason}`, count })),
    ...refused.map(({ reason }) => ({ kind: 'refused' as const, reason: `sports_${reason}`, count: 1 })),
  ];
  return record(health, connector, at, counts);
}

/** Counts only: the book's status is that of its racing connector. */
function record(
  health: Pick<HealthStore, 'recordPolls'>,
  connector: string,
  at: Instant,
  counts: ConnectorPoll['counts'],
): Promise<void> {
  const poll = { connector, at, ok: true, status: 'ok', message: null, recordsWritten: 0, counts, sent: false };
  return counts.length > 0 ? health.recordPolls([poll]) : Promise.resolve();
}
