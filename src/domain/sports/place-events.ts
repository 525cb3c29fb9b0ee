// Which match a book's row is: one id per match, the same from every book. Never joins two matches: in doubt a match appears twice, or a row is
// refused.
//
// A row is a stored match if both have the same two teams, in either order, and
// - the book gave the same `source_id` to it before, whenever it starts now (a postponement), or
// - the book gave no other `source_id` to it, and it starts within the hours of the sport (`joinWithinHours`) of the match's start, or of one at which
//   some book lists it now; of several the nearest, of equally near ones that which the book lists already, or else the only one that any book lists.
// Otherwise it is a new match, unless it has started. A second match of the same teams on a day, such as the second game of a double-header, has `:2`
// at the end of its canonical id. The id never changes, also if the match is postponed to another day.
import type { Instant } from '../race/race';
import { uuidOf } from '../race/uuid';
import { aetDay } from '../time/aet';
import type { Sport } from './sports';
import { type Team, teamOf } from './team-names';

export interface ListedEvent {
  readonly sport: Sport;
  readonly sourceId: string | null;
  readonly homeTeam: string;
  readonly awayTeam: string;
  readonly competition: string | null;
  readonly commenceTime: Instant;
}

export interface StoredEvent {
  readonly eventId: string;
  readonly canonicalId: string;
  readonly sportKey: string;
  readonly homeKey: string;
  readonly awayKey: string;
  readonly commenceTime: Instant;
  /** At which books list it now: after a postponement they differ for a while. */
  readonly listedStarts: readonly Instant[];
  /** That the pushing book last gave to it. */
  readonly sourceId: string | null;
  /** Whether the pushing book lists it now. */
  readonly isOwn: boolean;
}

interface NewEvent {
  readonly eventId: string;
  readonly canonicalId: string;
  readonly home: Team;
  readonly away: Team;
}

export type Placed =
  /** `swapped`: the book lists the teams the other way round. */
  | { readonly kind: 'known'; readonly eventId: string; readonly swapped: boolean }
  | { readonly kind: 'new'; readonly event: NewEvent }
  | {
      readonly kind: 'refused';
      readonly reason: 'unreadable_team' | 'same_team' | 'repeated' | 'ambiguous_event' | 'started';
    };

/** The namespace of every event id (RFC 9562, 5.5). Changing it changes every id ever published. */
const NAMESPACE = 'a3c1d7a0-5c0e-4f43-9f0b-2d6f8c1e7b95';
const HOUR_MS = 3_600_000;
/** A match that started earlier counts for its ids only: a book may give its `source_id` to another one. */
const JOINS_FOR_MS = 30 * 24 * HOUR_MS;

interface Row {
  readonly listed: ListedEvent;
  readonly home: Team;
  readonly away: Team;
}

const teamsOf = ({ sport, homeTeam, awayTeam, competition }: ListedEvent) => ({
  home: teamOf(sport.key, homeTeam, competition),
  away: teamOf(sport.key, awayTeam, competition),
});

/** The pairs of teams of these rows, each in both orders. */
export function pairsOf(listed: readonly ListedEvent[]) {
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

const startsOf = ({ commenceTime, listedStarts }: StoredEvent): readonly Instant[] => [commenceTime, ...listedStarts];

const apart = ({ commenceTime }: ListedEvent, starts: readonly Instant[]): number =>
  Math.min(...starts.map((one) => Math.abs(Date.parse(one) - Date.parse(commenceTime))));

/** The rows of one pair of teams. */
function placePair(rows: readonly Row[], stored: readonly StoredEvent[], observedMs: number): readonly Placed[] {
  const within = rows[0]!.listed.sport.joinWithinHours * HOUR_MS;
  const joinable = stored.filter(({ commenceTime }) => Date.parse(commenceTime) > observedMs - JOINS_FOR_MS);
  const candidates = rows
    .flatMap(({ listed }, i) => joinable.map((one) => ({ i, listed, one, apart: apart(listed, startsOf(one)) })))
    .sort((a, b) => a.apart - b.apart);
  const verdicts: (Placed | undefined)[] = rows.map(() => undefined);
  const taken = new Set<string>();
  const join = (i: number, { eventId, homeKey }: StoredEvent): void => {
    taken.add(eventId);
    verdicts[i] = { kind: 'known', eventId, swapped: homeKey !== rows[i]!.home.key };
  };
  for (const { i, listed, one } of candidates)
    if (!verdicts[i] && !taken.has(one.eventId) && isSameId(listed, one)) join(i, one);
  const unknown = rows.map((_, i) => i).filter((i) => !verdicts[i]);
  for (const i of unknown) verdicts[i] = besideOthers(rows, i, verdicts, within);
  for (const { i, listed, one, apart } of candidates) {
    if (apart > within || verdicts[i] || taken.has(one.eventId) || isOtherId(listed, one)) continue;
    const fits = (other: StoredEvent) => !taken.has(other.eventId) && !isOtherId(listed, other);
    const near = candidates.filter((other) => other.i === i && other.apart === apart && fits(other.one));
    const chosen = onlyOne(near.map((other) => other.one));
    if (chosen) join(i, chosen);
    else verdicts[i] = { kind: 'refused', reason: 'ambiguous_event' };
  }
  const ids = new Set(stored.map(({ canonicalId }) => canonicalId));
  return rows.map((row, i) => verdicts[i] ?? newOrStarted(row, ids, observedMs));
}

type Identified = Pick<ListedEvent, 'sourceId'>;
const isSameId = (a: Identified, b: Identified): boolean => a.sourceId !== null && a.sourceId === b.sourceId;
const isOtherId = (a: Identified, b: Identified): boolean =>
  a.sourceId !== null && b.sourceId !== null && a.sourceId !== b.sourceId;

/** The refusal of a row without a known id that may be the same match as another of the list. */
function besideOthers(
  rows: readonly Row[],
  i: number,
  verdicts: readonly (Placed | undefined)[],
  within: number,
): Placed | undefined {
  const { listed } = rows[i]!;
  const near = rows.map((_, j) => j).filter((j) => j !== i && apart(listed, [rows[j]!.listed.commenceTime]) <= within);
  if (near.some((j) => isOtherId(rows[j]!.listed, listed))) return { kind: 'refused', reason: 'ambiguous_event' };
  const isRepeated = near.some((j) => j < i || verdicts[j]?.kind === 'known');
  return isRepeated ? { kind: 'refused', reason: 'repeated' } : undefined;
}

/** Of matches that fit equally well. */
function onlyOne(fitting: readonly StoredEvent[]): StoredEvent | undefined {
  const groups = [
    fitting,
    fitting.filter(({ isOwn }) => isOwn),
    fitting.filter(({ listedStarts }) => listedStarts.length > 0),
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
