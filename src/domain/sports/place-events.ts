// Which match a book's row is: one id per match, the same from every book. Never joins two matches: in doubt a match appears twice, or a row is
// refused.
//
// A row is a stored match if both have the same two teams, in either order, and
// - the book gave the same `source_id` to it before, whenever it starts now (a postponement), or
// - it starts within the hours of the sport (`joinWithinHours`) of a start at which some book lists the match now; of several matches the nearest,
//   of equally near ones the one that the book lists already.
// Otherwise it is a new match. A second match of the same teams on a day, such as the second game of a double-header, has `:2` at the end of its
// canonical id. The id never changes, also if the match is postponed to another day.
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
  /** The match's own, and those at which books list it now: after a postponement they differ for a while. */
  readonly starts: readonly Instant[];
  /** That the pushing book last gave to it. */
  readonly sourceId: string | null;
  /** By the pushing book. */
  readonly isListed: boolean;
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
  | { readonly kind: 'refused'; readonly reason: 'unreadable_team' | 'same_team' | 'repeated' | 'ambiguous_event' };

/** The namespace of every event id (RFC 9562, 5.5). Changing it changes every id ever published. */
const NAMESPACE = 'a3c1d7a0-5c0e-4f43-9f0b-2d6f8c1e7b95';
const HOUR_MS = 3_600_000;

interface Row {
  readonly listed: ListedEvent;
  readonly home: Team;
  readonly away: Team;
}

const teamsOf = ({ sport, homeTeam, awayTeam, competition }: ListedEvent) => ({
  home: teamOf(sport.key, homeTeam, competition),
  away: teamOf(sport.key, awayTeam, competition),
});

/** The sports and teams of these rows. */
export function keysOf(listed: readonly ListedEvent[]) {
  const teams = listed.map(teamsOf).flatMap(({ home, away }) => [home, away].flatMap((team) => team?.key ?? []));
  return { sportKeys: [...new Set(listed.map(({ sport }) => sport.key))], teamKeys: [...new Set(teams)] };
}

/** One verdict for each row, in their order. */
export function placeEvents(listed: readonly ListedEvent[], stored: readonly StoredEvent[]): readonly Placed[] {
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
    const placed = placePair(rows, storedByPair.get(pair) ?? []);
    for (const [i, { at }] of rows.entries()) verdicts[at] = placed[i]!;
  }
  return verdicts;
}

const pairOf = (sportKey: string, one: string, other: string): string => [sportKey, ...[one, other].sort()].join(' ');

const apart = ({ commenceTime }: ListedEvent, starts: readonly Instant[]): number =>
  Math.min(...starts.map((one) => Math.abs(Date.parse(one) - Date.parse(commenceTime))));

/** The rows of one pair of teams. */
function placePair(rows: readonly Row[], stored: readonly StoredEvent[]): readonly Placed[] {
  const within = rows[0]!.listed.sport.joinWithinHours * HOUR_MS;
  const verdicts: (Placed | undefined)[] = rows.map(({ listed }, i) =>
    rows.slice(0, i).some((earlier) => apart(listed, [earlier.listed.commenceTime]) <= within)
      ? { kind: 'refused', reason: 'repeated' }
      : undefined,
  );
  const taken = new Set<string>();
  const join = (i: number, { eventId, homeKey }: StoredEvent): void => {
    taken.add(eventId);
    verdicts[i] = { kind: 'known', eventId, swapped: homeKey !== rows[i]!.home.key };
  };
  for (const [i, { listed }] of rows.entries()) {
    const known = stored.find((one) => listed.sourceId !== null && one.sourceId === listed.sourceId);
    if (!verdicts[i] && known && !taken.has(known.eventId)) join(i, known);
  }
  const near = rows
    .flatMap(({ listed }, i) => stored.map((one) => ({ i, one, apart: apart(listed, one.starts) })))
    .filter((found) => found.apart <= within)
    .sort((a, b) => a.apart - b.apart || Number(b.one.isListed) - Number(a.one.isListed));
  for (const { i, one, apart } of near) {
    if (verdicts[i] || taken.has(one.eventId)) continue;
    const isRival = (other: StoredEvent) =>
      other !== one && other.isListed === one.isListed && !taken.has(other.eventId);
    const rival = near.some((other) => other.i === i && other.apart === apart && isRival(other.one));
    if (rival) verdicts[i] = { kind: 'refused', reason: 'ambiguous_event' };
    else join(i, one);
  }
  const ids = new Set(stored.map(({ canonicalId }) => canonicalId));
  return rows.map((row, i) => verdicts[i] ?? { kind: 'new', event: newEvent(row, ids) });
}

/** Adds its id to `ids`. */
function newEvent({ listed, home, away }: Row, ids: Set<string>): NewEvent {
  const day = aetDay(Date.parse(listed.commenceTime));
  const id = [listed.sport.key, home.key, away.key, day].join(':');
  let canonicalId = id;
  for (let n = 2; ids.has(canonicalId); n++) canonicalId = `${id}:${n}`;
  ids.add(canonicalId);
  return { eventId: uuidOf(NAMESPACE, canonicalId), canonicalId, home, away };
}
