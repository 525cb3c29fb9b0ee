// Which stored match each row of a list is, of one pair of teams (`place-events.ts` has the rule).
import type { ListedMatch, StoredEvent } from './listed-event';
import { moveOf } from './moved-start';
import { newEvent } from './new-event';
import type { Placed } from './placed';
import { type Fit, fitOf, MINUTES_APART_MS, mayBeOne, rankOf, startsNearer } from './same-match';

const HOUR_MS = 3_600_000;
/** A match that started earlier counts for its ids only: a book may give its `source_id` to another one. */
const JOINS_FOR_MS = 30 * 24 * HOUR_MS;

interface Candidate extends Fit {
  readonly i: number;
  readonly one: StoredEvent;
}

/**
 * One verdict for each row of one pair of teams, in their order. `stored`: the matches of the pair. Yields before each
 * row, and each candidate, that is compared with all others.
 */
export function* placePair(
  rows: readonly ListedMatch[],
  stored: readonly StoredEvent[],
  observedMs: number,
): Generator<void, readonly Placed[]> {
  const only = placeOnly(rows, stored, observedMs);
  if (only) return [only];
  const joinable = onceEach(stored).filter((one) => isJoinable(one, observedMs));
  const candidates = yield* candidatesOf(rows, joinable, observedMs);
  const settled: Settled = { verdicts: rows.map(() => undefined), taken: new Set() };
  const { verdicts, taken } = settled;
  for (const one of candidates) if (isByName(one) && isOpen(settled, one)) settle(settled, one);
  // A row of the start of its match is no repetition of one that starts hours away.
  const near = candidates.filter((one) => one.apartMs <= MINUTES_APART_MS && isOpen(settled, one));
  for (const one of near) {
    yield;
    if (near.every((other) => other === one || !contest(one, other))) settle(settled, one);
  }
  for (const i of rows.keys()) {
    yield;
    if (!verdicts[i] && isRepeated(rows, i, verdicts)) verdicts[i] = refused('repeated');
  }
  for (const one of candidates) {
    if (!isOpen(settled, one)) continue;
    yield;
    settleBest(settled, one, candidates);
  }
  const ids = new Set(stored.map(({ canonicalId }) => canonicalId));
  const gone = joinable.filter(({ isOwn, eventId }) => isOwn && !taken.has(eventId));
  return withoutMatch(rows, verdicts, gone, ids, observedMs);
}

/** Most of a push: one row that fits the one match. It is that; finding so takes a fraction of the time. */
function placeOnly(rows: readonly ListedMatch[], stored: readonly StoredEvent[], observedMs: number): Placed | null {
  const [row, one] = [rows[0], stored[0]];
  if (!row || !one || rows.length + stored.length > 2 || !isJoinable(one, observedMs)) return null;
  const [candidate] = candidateOf(row, 0, one, observedMs);
  return candidate && !candidate.disagrees ? known(candidate) : null;
}

const isJoinable = ({ commenceTime }: StoredEvent, observedMs: number): boolean =>
  Date.parse(commenceTime) > observedMs - JOINS_FOR_MS;

interface Settled {
  /** By row. */
  readonly verdicts: (Placed | undefined)[];
  /** The matches that a row is. */
  readonly taken: Set<string>;
}

const isOpen = ({ verdicts, taken }: Settled, { i, one }: Candidate): boolean =>
  !verdicts[i] && !taken.has(one.eventId);

/** The best first. */
function* candidatesOf(
  rows: readonly ListedMatch[],
  joinable: readonly StoredEvent[],
  observedMs: number,
): Generator<void, readonly Candidate[]> {
  const all: Candidate[] = [];
  for (const [i, row] of rows.entries()) {
    yield;
    for (const one of credible(joinable.flatMap((match) => candidateOf(row, i, match, observedMs)))) {
      if (isByName(one) || one.apartMs <= MINUTES_APART_MS || !hasNearer(rows, one)) all.push(one);
    }
  }
  return all.sort((a, b) => placeOf(a) - placeOf(b) || rankOf(a.because) - rankOf(b.because) || a.apartMs - b.apartMs);
}

function settle({ verdicts, taken }: Settled, candidate: Candidate): void {
  const { i, one, disagrees } = candidate;
  if (!disagrees) taken.add(one.eventId);
  verdicts[i] = disagrees ? refused('prices_disagree', one.eventId) : known(candidate);
}

const known = ({ one, because, isTurned, apartMs }: Candidate): Placed => ({
  kind: 'known',
  eventId: one.eventId,
  swapped: isTurned,
  because,
  apartMs,
});

/** The candidate's row is the match, unless another row fits it as well, or another match fits the row as well. */
function settleBest(settled: Settled, candidate: Candidate, candidates: readonly Candidate[]): void {
  const equals = candidates.filter((other) => isOpen(settled, other) && isEqual(other, candidate));
  const rivals = equals.filter(
    (other) => other.i !== candidate.i && other.one === candidate.one && isBest(other, equals),
  );
  const chosen = onlyOne(equals.filter(({ i, apartMs }) => i === candidate.i && apartMs === candidate.apartMs));
  if (rivals.length === 0 && chosen) settle(settled, chosen);
  else for (const { i, one } of [candidate, ...rivals]) settled.verdicts[i] = refused('ambiguous_event', one.eventId);
}

/** Matches that were joined are one. */
const onceEach = (stored: readonly StoredEvent[]): readonly StoredEvent[] => [
  ...new Map(stored.map((one) => [one.eventId, one])).values(),
];

/**
 * Another row of the list starts nearer to the match, in whichever order its sides are: two squads of each club play on
 * one day.
 */
const hasNearer = (rows: readonly ListedMatch[], { i, one, apartMs }: Candidate): boolean =>
  rows.some(({ listed }, j) => j !== i && startsNearer(listed, one, apartMs));

/** One row that fits two matches, or two rows that fit one. */
const contest = (a: Candidate, b: Candidate): boolean => a.i === b.i || a.one === b.one;

const isByName = ({ because }: Candidate): boolean => because === 'ruling' || because === 'id';

/** Rows that fit no match. `gone`: those that the book no longer lists. */
function withoutMatch(
  rows: readonly ListedMatch[],
  verdicts: readonly (Placed | undefined)[],
  gone: readonly StoredEvent[],
  ids: Set<string>,
  observedMs: number,
): readonly Placed[] {
  const isRefused = verdicts.some((one) => one?.kind === 'refused');
  const left = rows.filter((_, i) => !verdicts[i]);
  const move = isRefused ? null : moveOf(left, gone, observedMs);
  return rows.map((row, i) => {
    const verdict = verdicts[i];
    if (verdict) return verdict;
    if (move?.isCertain) {
      const { one, apartMs } = move;
      return { kind: 'known', eventId: one.eventId, swapped: false, because: 'moved', apartMs };
    }
    return newOrStarted(row, ids, observedMs, move?.one.eventId ?? null);
  });
}

const refused = (reason: Extract<Placed, { kind: 'refused' }>['reason'], eventId?: string): Placed => ({
  kind: 'refused',
  reason,
  ...(eventId !== undefined && { eventId }),
});

function candidateOf(row: ListedMatch, i: number, one: StoredEvent, observedMs: number): readonly Candidate[] {
  const fit = fitOf(row, one, observedMs);
  return typeof fit === 'string' ? [] : [{ i, one, ...fit }];
}

/**
 * Of one row. Where prices contradict, a match that agrees and starts as near is it; one book alone may have its sides
 * exchanged, so a row that it contradicts is a match of its own, never one of another start.
 */
function credible(fits: readonly Candidate[]): readonly Candidate[] {
  const against = fits.filter(({ disagrees }) => disagrees);
  const most = Math.min(...against.map(({ apartMs }) => apartMs)) + MINUTES_APART_MS;
  const near = fits.filter(({ apartMs }) => apartMs <= most);
  const isAgreed = near.some(({ agrees }) => agrees);
  return near.filter(({ disagrees, one }) => !disagrees || (!isAgreed && one.pricedBy > 1));
}

/**
 * Two squads of each club may play two matches at one start, each at home in one; and of two starts the row's own is
 * the better evidence than any name of a competition.
 */
const placeOf = (one: Candidate): number => {
  if (isByName(one)) return 0;
  return one.isTurned ? 2 : one.apartMs <= MINUTES_APART_MS ? 1 : 3;
};

/** It fits no other of these matches better. */
const isBest = ({ i, apartMs }: Candidate, open: readonly Candidate[]): boolean =>
  !open.some((other) => other.i === i && other.apartMs < apartMs);

/** The same evidence, the same order of the sides, and starts that differ by minutes at most. */
const isEqual = (a: Candidate, b: Candidate): boolean =>
  rankOf(a.because) === rankOf(b.because) &&
  a.isTurned === b.isTurned &&
  Math.abs(a.apartMs - b.apartMs) <= MINUTES_APART_MS;

/**
 * Whether a row without a known id may be the same match as an earlier row of the list, or as one whose id is known.
 */
const isRepeated = (rows: readonly ListedMatch[], i: number, verdicts: readonly (Placed | undefined)[]): boolean =>
  rows.some((other, j) => j !== i && (j < i || verdicts[j]?.kind === 'known') && mayBeOne(rows[i]!, other));

/** Of matches that fit equally well. */
function onlyOne(fitting: readonly Candidate[]): Candidate | undefined {
  const groups = [
    fitting,
    fitting.filter(({ one }) => one.isOwn),
    fitting.filter(({ one }) => one.listedStarts.length > 0),
  ];
  return groups.find(({ length }) => length === 1)?.[0];
}

/** A match that is not known yet. Its prices after the start do not count as earlier ones. */
const newOrStarted = (row: ListedMatch, ids: Set<string>, observedMs: number, twinOf: string | null): Placed =>
  Date.parse(row.listed.commenceTime) <= observedMs
    ? { kind: 'refused', reason: 'started' }
    : { kind: 'new', event: newEvent(row, ids), twinOf };
