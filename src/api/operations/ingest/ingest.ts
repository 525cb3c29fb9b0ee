// Checks and writes the prices that a push-fed book sends (shapes 3.9, D14, D22). A push waits for the database only.
// Everything left out is counted in the book's health; a push refused as a whole counts as a failure.
import type { Static } from '@sinclair/typebox';
import { BOOKMAKERS } from '../../../domain/bookmakers';
import { isFormula } from '../../../domain/formula-text';
import { cleanLegs } from '../../../domain/prices/price';
import type { BookRunner } from '../../../domain/race/feed-race';
import { NO_DETAILS } from '../../../domain/race/not-reported';
import type { Instant } from '../../../domain/race/race';
import { aetDay } from '../../../domain/time/aet';
import { staleAfterSeconds } from '../../../domain/time/staleness';
import { AppError, databaseAway, type InputProblem, invalid } from '../../../errors';
import type { ConnectorPoll, HealthStore } from '../../../store/health';
import type { IngestStore, PushedRace } from '../../../store/ingest';
import { isUnreachable } from '../../../store/pg/unreachable';
import type { PushAudit } from '../quality/push-audit';
import type { IngestPayload, IngestReply } from './ingest-schema';

type Payload = Static<typeof IngestPayload>;
type RaceIn = Payload['races'][number];
type Reply = Static<typeof IngestReply>;

export interface Ingest {
  push(bookmakerKey: string, payload: Payload, nowMs: number): Promise<Reply>;
}

/** Older prices would be stale in every tier as soon as they are stored. */
export const OLDEST_SECONDS = staleAfterSeconds('card');
/** Tolerance for the difference between two machines' clocks. */
export const NEWEST_AHEAD_SECONDS = 5;
/** Longer than any race stays on the board after its start (D63), and as far ahead as a plan looks. */
const START_PAST_MS = 70 * 60_000;
const START_AHEAD_MS = 168 * 3_600_000;

export function createIngest(store: IngestStore, health: Pick<HealthStore, 'recordPolls'>, audit: PushAudit): Ingest {
  return {
    async push(bookmakerKey, payload, nowMs) {
      requirePushed(bookmakerKey);
      const at = new Date(nowMs).toISOString();
      const observedAt = payload.observed_at ?? at;
      const problems = problemsOf(bookmakerKey, payload, nowMs);
      if (problems.length > 0) {
        const failed = { kind: 'failed', reason: 'push_refused', count: 1 } as const;
        await health.recordPolls([poll(bookmakerKey, at, 0, [failed], problems[0]!.detail)]);
        throw invalid(problems);
      }
      const dropped = new Map<string, number>();
      const add = (reason: string, count = 1) => dropped.set(reason, (dropped.get(reason) ?? 0) + count);
      const refusals = payload.races.map((race) => refusalOf(race, nowMs));
      const taken = payload.races.filter((_, i) => refusals[i] === null);
      const pushed = taken.map((race) => pushedRace(race, observedAt, add));
      const verdict = await store.push(bookmakerKey, pushed, at).catch(retryWhenUnavailable);
      if (verdict.unjoined > 0) add('runner_unjoined', verdict.unjoined);
      const refused = inOrder(payload, [
        ...payload.races.flatMap(({ source_id }, i) => (refusals[i] ? [{ source_id, reason: refusals[i] }] : [])),
        ...verdict.refused.map(({ sourceRaceId, reason }) => ({ source_id: sourceRaceId, reason })),
      ]);
      const counts = [
        ...[...dropped].map(([reason, count]) => ({ kind: 'dropped' as const, reason, count })),
        ...refused.map(({ reason }) => ({ kind: 'refused' as const, reason, count: 1 })),
      ];
      await health.recordPolls([poll(bookmakerKey, newest(pushed, observedAt), verdict.changed, counts, null)]);
      await audit.races(bookmakerKey, payload, nowMs);
      return {
        ok: true,
        bookmaker_key: bookmakerKey,
        races_ingested: verdict.races,
        runners_built: verdict.runners,
        observed_at_applied: observedAt,
        refused,
        dropped: Object.fromEntries(dropped),
      };
    },
  };
}

/** The book can repeat the push safely: races already written are refused as `replayed`. */
export function retryWhenUnavailable(error: unknown): never {
  if (!isUnreachable(error)) throw error;
  throw databaseAway('The database is unavailable. Send the request again.');
}

/**
 * A 7: an unknown key is a 422 with the valid ones. A book that the service polls is a conflict: its rows belong to its
 * pollers.
 */
function requirePushed(key: string): void {
  const book = BOOKMAKERS.find((one) => one.key === key);
  if (book?.reach === 'pushed' && book.status === 'active') return;
  if (book?.reach === 'polled')
    throw new AppError('conflict', `${key} is polled by the service; only push-fed bookmakers accept pushes.`);
  const keys = BOOKMAKERS.filter((one) => one.reach === 'pushed' && one.status === 'active').map((one) => one.key);
  const detail = `bookmaker_key '${key.slice(0, 60)}' is not a push-fed bookmaker; valid keys are ${keys.join(', ')}.`;
  throw invalid([{ parameter: 'bookmaker_key', detail, valid_values: keys }]);
}

/** The problems that a schema cannot express, each with its pointer. */
function problemsOf(bookmakerKey: string, payload: Payload, nowMs: number): InputProblem[] {
  const problems: InputProblem[] = [];
  if (payload.bookmaker_key !== bookmakerKey) {
    const detail = `/bookmaker_key must be '${bookmakerKey}', as in the path.`;
    problems.push({ pointer: '/bookmaker_key', detail });
  }
  problems.push(...ageProblems('/observed_at', payload.observed_at, nowMs));
  const seen = new Set<string>();
  payload.races.forEach((race, i) => {
    problems.push(...ageProblems(`/races/${i}/observed_at`, race.observed_at, nowMs));
    const pointer = `/races/${i}/source_id`;
    if (seen.has(race.source_id)) problems.push({ pointer, detail: `${pointer} appears twice in the list.` });
    seen.add(race.source_id);
  });
  return problems;
}

export function ageProblems(pointer: string, observedAt: Instant | undefined, nowMs: number): InputProblem[] {
  if (observedAt === undefined) return [];
  const age = (nowMs - Date.parse(observedAt)) / 1000;
  if (age > OLDEST_SECONDS) {
    return [{ pointer, detail: `${pointer} is ${Math.floor(age)} s old; the limit is ${OLDEST_SECONDS} s.` }];
  }
  return aheadProblems(pointer, observedAt, nowMs);
}

export function aheadProblems(pointer: string, instant: Instant | undefined, nowMs: number): InputProblem[] {
  if (instant === undefined) return [];
  const ahead = (Date.parse(instant) - nowMs) / 1000;
  if (ahead <= NEWEST_AHEAD_SECONDS) return [];
  return [
    { pointer, detail: `${pointer} is ${Math.ceil(ahead)} s in the future; the limit is ${NEWEST_AHEAD_SECONDS} s.` },
  ];
}

/** The refusal of a race before the store sees it; null: it is not refused. */
function refusalOf({ start_time, venue }: RaceIn, nowMs: number): 'name_is_formula' | 'start_out_of_window' | null {
  if (isFormula(venue)) return 'name_is_formula';
  const toStartMs = Date.parse(start_time) - nowMs;
  return toStartMs >= -START_PAST_MS && toStartMs <= START_AHEAD_MS ? null : 'start_out_of_window';
}

function pushedRace(race: RaceIn, observedAt: Instant, drop: (reason: string) => void): PushedRace {
  return {
    listing: {
      sourceRaceId: race.source_id,
      category: race.category,
      venue: race.venue,
      country: race.country ?? 'AU',
      meetingDate: aetDay(Date.parse(race.start_time)),
      raceNumber: race.race_number,
      startTime: race.start_time,
      raceName: null,
      distanceM: null,
      trackCondition: null,
      weather: null,
    },
    observedAt: race.observed_at ?? observedAt,
    runners: race.runners.filter(namesRunner(drop)).map((runner) => bookRunner(runner, drop)),
  };
}

/** A runner whose name a spreadsheet would execute is left out, because customers' CSV has names unchanged. */
const namesRunner =
  (drop: (reason: string) => void) =>
  ({ name }: Pick<RaceIn['runners'][number], 'name'>): boolean => {
    if (isFormula(name)) drop('name_is_formula');
    return !isFormula(name);
  };

function bookRunner(runner: RaceIn['runners'][number], drop: (reason: string) => void): BookRunner {
  const { name, number, win_price, place_price, top2_price, top3_price, top4_price } = runner;
  const { prices, dropped } = cleanLegs({
    win: win_price,
    place: place_price,
    top2: top2_price,
    top3: top3_price,
    top4: top4_price,
  });
  for (const reason of dropped) drop(reason);
  return { ...NO_DETAILS, ...prices, name, number: number ?? null, scratching: null };
}

/** In the order of the pushed list. */
function inOrder(payload: Payload, refused: Reply['refused']): Reply['refused'] {
  const place = new Map(payload.races.map((race, i) => [race.source_id, i]));
  return [...refused].sort((a, b) => place.get(a.source_id)! - place.get(b.source_id)!);
}

/** Health counts from the newest prices, not from the push: a book that repeats an old list is not alive. */
const newest = (pushed: readonly PushedRace[], observedAt: Instant): Instant =>
  [...pushed.map((race) => race.observedAt), observedAt].sort((a, b) => Date.parse(a) - Date.parse(b)).at(-1)!;

function poll(
  connector: string,
  at: Instant,
  recordsWritten: number,
  counts: ConnectorPoll['counts'],
  message: string | null,
): ConnectorPoll {
  const ok = message === null;
  return { connector, at, ok, status: ok ? 'ok' : 'push_refused', message, recordsWritten, counts };
}
