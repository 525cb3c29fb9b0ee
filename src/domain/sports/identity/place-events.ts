// Which match a book's row is: one id per match, the same from every book. Never joins two matches: in doubt a match appears twice, or a row is
// refused (D66). `same-match.ts` has the evidence.
//
// A row is the stored match that fits it best: one that the book gave the same `source_id` before, else one of the same competition, else the
// nearest; of equally near ones that which the book lists already, or else the only one that any book lists. A row that another row of the list
// contests is refused. What fits no stored match is a new one, unless it has started. Two rows with ids of their own are two matches. A second match
// of the same teams on a day, such as the second game of a double-header, has `:2` at the end of its canonical id. The id never changes, also if
// the match is postponed to another day.
import type { Instant } from '../../race/race';
import { uuidOf } from '../../race/uuid';
import { aetDay } from '../../time/aet';
import type { ListedEvent, Row, StoredEvent } from './listed-event';
import { type Evidence, type Fit, fitOf, MINUTES_APART_MS, mayBeOne, rankOf } from './same-match';
import { type Team, teamOf } from './team-names';

interface NewEvent {
  readonly eventId: string;
  readonly canonicalId: string;
  readonly home: Team;
  readonly away: Team;
}

export type Placed =
  /** `swapped`: the book lists the teams the other way round. */
  | { readonly kind: 'known'; readonly eventId: string; readonly swapped: boolean; readonly because: Evidence }
  | { readonly kind: 'new'; readonly event: NewEvent }
  | {
      readonly kind: 'refused';
      readonly reason: 'unreadable_team' | 'same_team' | 'repeated' | 'ambiguous_event' | 'prices_disagree' | 'started';
    };

/** The namespace of every event id (RFC 9562, 5.5). Changing it changes every id ever published. */
const NAMESPACE = 'a3c1d7a0-5c0e-4f43-9f0b-2d6f8c1e7b95';
const HOUR_MS = 3_600_000;
/** A match that started earlier counts for its ids only: a book may give its `source_id` to another one. */
const JOINS_FOR_MS = 30 * 24 * HOUR_MS;

const teamsOf = ({ sport, homeTeam, awayTeam, competition }: Teams) => ({
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
  const joinable = stored.filter(({ commenceTime }) => Date.parse(commenceTime) > observedMs - JOINS_FOR_MS);
  const candidates = rows
    .flatMap((row, i) => credible(joinable.flatMap((one) => candidateOf(row, i, one, observedMs))))
    .sort((a, b) => rankOf(a.because) - rankOf(b.because) || placeOf(a) - placeOf(b) || a.apartMs - b.apartMs);
  const verdicts: (Placed | undefined)[] = rows.map(() => undefined);
  const taken = new Set<string>();
  const join = ({ i, one: { eventId }, because, isTurned }: Candidate): void => {
    taken.add(eventId);
    verdicts[i] = { kind: 'known', eventId, swapped: isTurned, because };
  };
  const settle = (one: Candidate): void => {
    if (one.disagrees) verdicts[one.i] = refused('prices_disagree');
    else join(one);
  };
  for (const one of candidates)
    if (one.because === 'id' && !verdicts[one.i] && !taken.has(one.one.eventId)) settle(one);
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
      for (const { i } of [candidate, ...rivals]) verdicts[i] = refused('ambiguous_event');
    } else settle(chosen);
  }
  const ids = new Set(stored.map(({ canonicalId }) => canonicalId));
  return rows.map((row, i) => verdicts[i] ?? newOrStarted(row, ids, observedMs));
}

const refused = (reason: Extract<Placed, { kind: 'refused' }>['reason']): Placed => ({ kind: 'refused', reason });

function candidateOf(row: Row, i: number, one: StoredEvent, observedMs: number): readonly Candidate[] {
  const fit = fitOf(row, one, observedMs);
  return fit === null ? [] : [{ i, one, ...fit }];
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

/** Two squads of each club may play two matches at one start, each at home in one. */
const placeOf = ({ isTurned, apartMs }: Candidate): number => (isTurned ? 1 : apartMs <= MINUTES_APART_MS ? 0 : 2);

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
const newOrStarted = (row: Row, ids: Set<string>, observedMs: number): Placed =>
  Date.parse(row.listed.commenceTime) <= observedMs
    ? { kind: 'refused', reason: 'started' }
    : { kind: 'new', event: newEvent(row, ids) };

/** Adds its id to `ids`. */
function newEvent({ listed, home, away }: Row, ids: Set<string>): NewEvent {
  const day = aetDay(Date.parse(listed.commenceTime));
  const id = [listed.sport.key, home.key, away.key, day].join(':');
  let canonicalId = id;
  for (let n = 2; ids.has(canonicalId); n++) canonicalId = `${id}:${n}`;
  ids.add(canonicalId);
  return { eventId: uuidOf(NAMESPACE, canonicalId), canonicalId, home, away };
}
