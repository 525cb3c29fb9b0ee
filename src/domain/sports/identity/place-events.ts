// Which match a book's row is: one id per match, the same from every book. Never joins two matches: in doubt a match
// appears twice, or a row is refused (D66). `same-match.ts` has the evidence.
//
// A row is the stored match that fits it best: one that the book gave the same `source_id` before, else one of the same
// competition, else the nearest; of equally near ones that which the book lists already, or else the only one that any
// book lists. A row that another row of the list contests is refused. What fits no stored match is a new one, unless it
// has started or is the book's own, moved (`moved-start.ts`). Two rows with ids of their own are two matches.
import type { Instant } from '../../race/race';
import type { ListedEvent, ListedMatch, StoredEvent } from './listed-event';
import { placePair } from './place-pair';
import type { Placed } from './placed';
import { type Team, teamOf } from './team-names';

export const teamsOf = ({ sport, homeTeam, awayTeam, competition, teams }: Teams) =>
  teams ?? { home: teamOf(sport.key, homeTeam, competition), away: teamOf(sport.key, awayTeam, competition) };

type Teams = Pick<ListedEvent, 'sport' | 'homeTeam' | 'awayTeam' | 'competition' | 'teams'>;

/** The pairs of teams of these rows, each in both orders. */
export function pairsOf(listed: readonly Teams[]) {
  return listed.flatMap((one) => {
    const { home, away } = teamsOf(one);
    const pair = (first: Team, second: Team) => ({ sportKey: one.sport.key, homeKey: first.key, awayKey: second.key });
    return home && away ? [pair(home, away), pair(away, home)] : [];
  });
}

/**
 * Of one pair of teams in a list; any more of its rows are refused. No pair meets as often. The rows of matches that
 * the book lists are the first, so that none of these loses its prices to the limit.
 */
export const MOST_OF_PAIR = 100;

/**
 * One verdict for each row, in their order. `stored`: every match of their pairs; `observedAt`: when the book listed
 * them. Yields between rows.
 */
export function* placeEvents(
  listed: readonly ListedEvent[],
  stored: readonly StoredEvent[],
  observedAt: Instant,
): Generator<void, readonly Placed[]> {
  const verdicts: Placed[] = new Array(listed.length);
  const byPair = new Map<string, Row[]>();
  for (const [at, one] of listed.entries()) {
    yield;
    const { key } = one.sport;
    const { home, away } = teamsOf(one);
    if (!home || !away) verdicts[at] = { kind: 'refused', reason: 'unreadable_team' };
    else if (home.key === away.key) verdicts[at] = { kind: 'refused', reason: 'same_team' };
    else {
      const pair = pairOf(key, home.key, away.key);
      const rows = byPair.get(pair) ?? [];
      byPair.set(pair, rows);
      rows.push({ listed: one, home, away, at });
    }
  }
  const storedByPair = Map.groupBy(stored, ({ sportKey, homeKey, awayKey }) => pairOf(sportKey, homeKey, awayKey));
  for (const [pair, all] of byPair) {
    const ofPair = storedByPair.get(pair) ?? [];
    const rows = withinLimit(all, ofPair, Date.parse(observedAt));
    for (const { at } of all) verdicts[at] = { kind: 'refused', reason: 'ambiguous_event' };
    const placed = yield* placePair(rows, ofPair, Date.parse(observedAt));
    for (const [i, { at }] of rows.entries()) verdicts[at] = placed[i]!;
    yield;
  }
  return verdicts;
}

type Row = ListedMatch & { readonly at: number };

function withinLimit(rows: readonly Row[], stored: readonly StoredEvent[], observedMs: number): readonly Row[] {
  if (rows.length <= MOST_OF_PAIR) return rows;
  const firstOf = (keyOf: (row: Row) => string | number | null) =>
    new Map(rows.toReversed().map((row) => [keyOf(row), row]));
  const byId = firstOf(({ listed }) => listed.sourceId);
  const byStart = firstOf(({ listed }) => Date.parse(listed.commenceTime));
  const rowOf = ({ sourceId, commenceTime }: StoredEvent): Row | undefined =>
    (sourceId === null ? undefined : byId.get(sourceId)) ?? byStart.get(Date.parse(commenceTime));
  const served = stored.filter(({ isOwn, commenceTime }) => isOwn && Date.parse(commenceTime) > observedMs);
  const chosen = new Set([...new Set([...served.flatMap((one) => rowOf(one) ?? []), ...rows])].slice(0, MOST_OF_PAIR));
  return rows.filter((row) => chosen.has(row));
}

/** Of two teams of a sport, in either order. */
export const pairOf = (sportKey: string, one: string, other: string): string =>
  one < other ? `${sportKey} ${one} ${other}` : `${sportKey} ${other} ${one}`;
