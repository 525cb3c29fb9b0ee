// After the jump: asks the books for the outcome until the held result differs from what the workflow knows. Quotes are not
// written any more: what a book shows after the jump is no price for the race.
import type { Context } from '@temporalio/activity';
import type { BookSnapshot, RaceSnapshot } from '../domain/feed-race';
import type { Instant } from '../domain/race';
import type { FeedReply } from '../feeds/feed';
import type { BookOfRace, ConnectorPoll, HeldResult } from '../store/store';
import { type ActivityDeps, instantNow } from './deps';
import { fetchRace, healthOf, joinRunners, saveOutcome, unbelieved } from './poll-book';
import { factsRank, outcomeBooks } from './race-books';
import { type ResultFacts, resultFacts } from './result-facts';
import type { ResultsCollector } from './results-collector';
import { saveExchange } from './save-exchange';
import type { Sighting } from './sightings';
import { callAgainIn } from './wait-and-retry';

export interface KnownResult {
  readonly placingsKey: string;
  readonly protest: boolean;
}

export interface ResultWatch {
  readonly raceId: string;
  readonly jumpedAt: Instant;
  readonly known: KnownResult | null;
}

type Abandoned = Extract<Sighting, { kind: 'abandoned' }>;

export type ResultOutcome = { readonly kind: 'result'; readonly facts: ResultFacts } | Abandoned;

type Collector = Pick<ResultsCollector, 'resulted'>;

export async function awaitResult(
  deps: ActivityDeps,
  collector: Collector,
  watch: ResultWatch,
  context: Context,
): Promise<ResultOutcome> {
  const { raceId, known } = watch;
  // Whoever saw these placings first: their field may have been published before them.
  if (known && context.info.attempt === 1) await collector.resulted(raceId);
  const before = await deps.stores.results.held(raceId);
  if (before && differs(before, known)) return { kind: 'result', facts: resultFacts(before) };
  const abandoned = await askBooks(deps, raceId, context.cancellationSignal);
  const held = await deps.stores.results.held(raceId);
  if (held && differs(held, known)) return { kind: 'result', facts: resultFacts(held) };
  // A result outranks one book's word that the race was abandoned: it ran.
  if (abandoned && !held) return abandoned;
  const since = held?.placingsKey ? held.placingsSince : null;
  const waitedMs = deps.now() - Date.parse(since ?? watch.jumpedAt);
  throw callAgainIn(deps, resultDelayMs(waitedMs, since !== null), 'no change');
}

/** A row without placings is no result yet. */
const differs = (held: HeldResult, known: KnownResult | null): boolean =>
  held.placingsKey !== '' && (held.placingsKey !== known?.placingsKey || held.protest !== known.protest);

/** All that tell outcomes at once, each within its deadline; best-believed last in writing, so that its word stands when two disagree in one round. */
async function askBooks(deps: ActivityDeps, raceId: string, signal: AbortSignal): Promise<Abandoned | null> {
  const books = (await outcomeBooks(deps, raceId)).sort(
    (a, b) => factsRank(b.bookmakerKey) - factsRank(a.bookmakerKey),
  );
  const call = { signal, urgency: 'idle' } as const;
  const replies = await Promise.all(books.map((book) => fetchRace(deps, book, call, true)));
  const told: { readonly abandoned: Abandoned | null; readonly health: ConnectorPoll }[] = [];
  for (const [i, book] of books.entries()) told.push(await takeOutcome(deps, raceId, book, replies[i]!));
  await deps.stores.health.recordPolls(told.map(({ health }) => health));
  return told.find(({ abandoned }) => abandoned !== null)?.abandoned ?? null;
}

async function takeOutcome(deps: ActivityDeps, raceId: string, book: BookOfRace, reply: FeedReply<BookSnapshot>) {
  const { bookmakerKey, polled } = book;
  const health = healthOf(book, reply, 0);
  await saveExchange(deps, raceId, reply);
  if (reply.kind !== 'ok' || !reply.value.result) return { health, abandoned: null };
  const joined = await joinRunners(deps, { raceId, bookmakerKey }, reply);
  if (joined === 'another_race') return { health: unbelieved(book, reply, joined).health, abandoned: null };
  const { result } = reply.value;
  const { runners } = joined.value;
  if (!polled) await storeFirstReply(deps, raceId, bookmakerKey, joined);
  // Before the outcome, which takes the deductions from there (A 2.11): a runner that is out at the gates is often told only now.
  else await deps.stores.quotes.saveLateScratchings({ raceId, bookmakerKey, runners, at: reply.observedAt });
  await saveOutcome(deps, { raceId, bookmakerKey }, result, reply.observedAt);
  const abandoned =
    result.stage === 'abandoned'
      ? ({ kind: 'abandoned', note: result.note ?? 'abandoned', source: bookmakerKey, at: instantNow(deps) } as const)
      : null;
  return { health, abandoned };
}

/**
 * A race that was found after its jump: what the book shows beside the outcome is all that will be held of it: names, scratchings with
 * their deductions, and the fixed prices that settle it (A 3: on every final result). No start and no market state: those are past.
 */
async function storeFirstReply(
  { stores }: ActivityDeps,
  raceId: string,
  bookmakerKey: string,
  { value, observedAt, bookAt }: Extract<FeedReply<RaceSnapshot>, { kind: 'ok' }>,
): Promise<void> {
  // Nobody polls a race that has jumped: this writes as its last holder, or as the first where it never had one.
  const control = await stores.control.readControl(raceId);
  const fence = { epoch: control?.epoch ?? 0, attempt: control?.holderAttempt ?? 0 };
  const past = { marketStateSource: false, startSource: false, observedAt, bookAt };
  await stores.quotes.savePoll({ raceId, bookmakerKey, fence, ...past, snapshot: { ...value, startTime: null } });
}

const MINUTE_MS = 60_000;

/**
 * Placings come within minutes of the jump, and are changed within the hour. A race that is still without any after an hour is asked about ever
 * more rarely, and so is one whose placings have stood under a protest for that long. `waitedMs`: since the placings, or else the jump.
 */
export function resultDelayMs(waitedMs: number, haveResult: boolean): number {
  if (waitedMs >= 60 * MINUTE_MS) return 15 * MINUTE_MS;
  if (haveResult) return MINUTE_MS;
  return waitedMs < 15 * MINUTE_MS ? MINUTE_MS / 2 : 2 * MINUTE_MS;
}
