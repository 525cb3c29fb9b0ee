// Which match a book's row is: one id per match, the same from every book. Never joins two matches: in doubt a match appears twice, or a row is
// refused (D66). `same-match.ts` has the evidence.
//
// A row is the stored match that fits it best: one that the book gave the same `source_id` before, else one of the same competition, else the
// nearest; of equally near ones that which the book lists already, or else the only one that any book lists. A row that another row of the list
// contests is refused. What fits no stored match is a new one, unless it has started or is the book's own, moved (`moved-start.ts`). Two rows with ids
// of their own are two matches.
import type { Instant } from '../../race/race';
import type { ListedEvent, Row, StoredEvent } from './listed-event';
import { moveOf } from './moved-start';
import { type NewEvent, newEvent } from './new-event';
import { type Evidence, type Fit, fitOf, MINUTES_APART_MS, mayBeOne, rankOf, startsNearer } from './same-match';
import { type Team, teamOf } from './team-names';

export type Placed =
  /** `swapped`: the book lists the teams the other way round. */
  | {
      readonly kind: 'known';
      readonly eventId: string;
      readonly swapped: boolean;
      readonly because: Evidence;
      readonly apartMs: number;
    }
  /** `twinOf`: the match that the book listed before and that it may be, moved. */
  | { readonly kind: 'new'; readonly event: NewEvent; readonly twinOf: string | null }
  | {
      readonly kind: 'refused';
      readonly reason: 'unreadable_team' | 'same_team' | 'repeated' | 'ambiguous_event' | 'prices_disagree' | 'started';
      /** The match that it may be, where there is one. */
      readonly eventId?: string;
    };

const HOUR_MS = 3_600_000;
/** A match that started earlier counts for its ids only: a book may give its `source_id` to another one. */
const JOINS_FOR_MS = 30 * 24 * HOUR_MS;

export const teamsOf = ({ sport, homeTeam, awayTeam, competition }: Teams) => ({
  home: teamOf(sport.key, homeTeam, competition),
  away: teamOf(sport.key, awayTeam, competition),
});

type Teams = Pick<ListedEvent, 'sport' | 'homeTeam' | 'awayTeam' | 'competition'>;

/** The pairs of teams of these rows, each in both orders. */
export function pairsOf(listed: readonly Teams[]) {
  return listed.flatMap((one) => {
    const { home, away } = teamsOf(one);
    const pair = (first: Team, second: Team) => ({ sportKey: one.sport.key, homeKey: first.key, awayKey: second.key });
    return home && away ? [pair(home, away), pair(away, home)] : [];
  });
}

/** One verdict for each row, in their order. `stored`: every match of their pairs; `observedAt`: when the book listed them. */
export function placeEvents(
  listed: readonly ListedEvent[],
  stored: readonly StoredEvent[],
  observedAt: Instant,
): readonly Placed[] {
  const verdicts: Placed[] = new Array(listed.length);
  const byPair = new Map<string, (Row & { readonly at: number })[]>();
  for (const [at, one] of listed.entries()) {
    const { key } = one.sport;
    const { home, away } = teamsOf(one);
    if (!home || !away) verdicts[at] = { kind: 'refused', reason: 'unreadable_team' };
    else if (home.key === away.key) verdicts[at] = { kind: 'refused', reason: 'same_team' };
    else {
      const pair = pairOf(key, home.key, away.key);
      byPair.set(pair, [...(byPair.get(pair) ?? []), { listed: one, home, away, at }]);
    }
  }
  const storedByPair = new Map<string, StoredEvent[]>();
  for (const one of stored) {
    const pair = pairOf(one.sportKey, one.homeKey, one.awayKey);
    storedByPair.set(pair, [...(storedByPair.get(pair) ?? []), one]);
  }
  for (const [pair, rows] of byPair) {
    const placed = placePair(rows, storedByPair.get(pair) ?? [], Date.parse(observedAt));
    for (const [i, { at }] of rows.entries()) verdicts[at] = placed[i]!;
  }
  return verdicts;
}

const pairOf = (sportKey: string, one: string, other: string): string => [sportKey, ...[one, other].sort()].join(' ');

interface Candidate extends Fit {
  readonly i: number;
  readonly one: StoredEvent;
}

/** The rows of one pair of teams. */
function placePair(rows: readonly Row[], stored: readonly StoredEvent[], observedMs: number): readonly Placed[] {
  const joinable = onceEach(stored).filter(({ commenceTime }) => Date.parse(commenceTime) > observedMs - JOINS_FOR_MS);
  const candidates = rows
    .flatMap((row, i) => credible(joinable.flatMap((one) => candidateOf(row, i, one, observedMs))))
    .filter((one) => isByName(one) || one.apartMs <= MINUTES_APART_MS || !hasNearer(rows, one))
    .sort((a, b) => placeOf(a) - placeOf(b) || rankOf(a.because) - rankOf(b.because) || a.apartMs - b.apartMs);
  const verdicts: (Placed | undefined)[] = rows.map(() => undefined);
  const taken = new Set<string>();
  const settle = ({ i, one: { eventId }, because, isTurned, apartMs, disagrees }: Candidate): void => {
    if (!disagrees) taken.add(eventId);
    verdicts[i] = disagrees
      ? refused('prices_disagree', eventId)
      : { kind: 'known', eventId, swapped: isTurned, because, apartMs };
  };
  for (const one of candidates) if (isByName(one) && !verdicts[one.i] && !taken.has(one.one.eventId)) settle(one);
  // A row of the start of its match is no repetition of one that starts hours away.
  const near = candidates.filter(
    (one) => one.apartMs <= MINUTES_APART_MS && !verdicts[one.i] && !taken.has(one.one.eventId),
  );
  for (const one of near) if (near.every((other) => other === one || !contest(one, other))) settle(one);
  for (const i of rows.keys()) if (!verdicts[i] && isRepeated(rows, i, verdicts)) verdicts[i] = refused('repeated');
  for (const candidate of candidates) {
    const isOpen = (other: Candidate) => !verdicts[other.i] && !taken.has(other.one.eventId);
    if (!isOpen(candidate)) continue;
    const equals = candidates.filter((other) => isOpen(other) && isEqual(other, candidate));
    const rivals = equals.filter(
      (other) => other.i !== candidate.i && other.one === candidate.one && isBest(other, equals),
    );
    const chosen = onlyOne(equals.filter(({ i, apartMs }) => i === candidate.i && apartMs === candidate.apartMs));
    if (rivals.length > 0 || !chosen) {
      for (const { i, one } of [candidate, ...rivals]) verdicts[i] = refused('ambiguous_event', one.eventId);
    } else settle(chosen);
  }
  const ids = new Set(stored.map(({ canonicalId }) => canonicalId));
  const gone = joinable.filter(({ isOwn, eventId }) => isOwn && !taken.has(eventId));
  return withoutMatch(rows, verdicts, gone, ids, observedMs);
}

/** Matches that were joined are one. */
const onceEach = (stored: readonly StoredEvent[]): readonly StoredEvent[] => [
  ...new Map(stored.map((one) => [one.eventId, one])).values(),
];

/** Another row of the list starts nearer to the match, in whichever order its sides are: two squads of each club play on one day. */
const hasNearer = (rows: readonly Row[], { i, one, apartMs }: Candidate): boolean =>
  rows.some(({ listed }, j) => j !== i && startsNearer(listed, one, apartMs));

/** One row that fits two matches, or two rows that fit one. */
const contest = (a: Candidate, b: Candidate): boolean => a.i === b.i || a.one === b.one;

const isByName = ({ because }: Candidate): boolean => because === 'ruling' || because === 'id';

/** What fits no match. `gone`: those that the book lists no longer. */
function withoutMatch(
  rows: readonly Row[],
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

function candidateOf(row: Row, i: number, one: StoredEvent, observedMs: number): readonly Candidate[] {
  const fit = fitOf(row, one, observedMs);
  return typeof fit === 'string' ? [] : [{ i, one, ...fit }];
}

/**
 * Of one row. Where prices contradict, a match that agrees and starts as near is it; one book alone may have its sides exchanged, so a row that it
 * contradicts is a match of its own, never one of another start.
 */
function credible(fits: readonly Candidate[]): readonly Candidate[] {
  const against = fits.filter(({ disagrees }) => disagrees);
  const most = Math.min(...against.map(({ apartMs }) => apartMs)) + MINUTES_APART_MS;
  const near = fits.filter(({ apartMs }) => apartMs <= most);
  const isAgreed = near.some(({ agrees }) => agrees);
  return near.filter(({ disagrees, one }) => !disagrees || (!isAgreed && one.pricedBy > 1));
}

/**
 * Two squads of each club may play two matches at one start, each at home in one; and of two starts the row's own is the better evidence than any name of
 * a competition.
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

/** Whether a row without a known id may be the same match as an earlier row of the list, or as one whose id is known. */
const isRepeated = (rows: readonly Row[], i: number, verdicts: readonly (Placed | undefined)[]): boolean =>
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

/** A match that is not known yet. Its prices after the start are no prices of before it. */
const newOrStarted = (row: Row, ids: Set<string>, observedMs: number, twinOf: string | null): Placed =>
  Date.parse(row.listed.commenceTime) <= observedMs
    ? { kind: 'refused', reason: 'started' }
    : { kind: 'new', event: newEvent(row, ids), twinOf };
