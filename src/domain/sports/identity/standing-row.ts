// A book's existing row in a match, and whether today's rule would place it there (D66).
import type { Instant } from '../../race/race';
import { sportOf } from '../sports';
import { competitionOf, relationOf } from './competitions';
import { CONTRADICTION, MINUTES_APART_MS, type Misfit } from './same-match';
import { divisionOf } from './team-names';

export interface StandingRow {
  readonly bookmaker: string;
  readonly sourceId: string | null;
  readonly homeTeam: string;
  readonly awayTeam: string;
  readonly competition: string | null;
  readonly commenceTime: Instant;
  /** The book lists the match's away side first. */
  readonly isTurned: boolean;
  /** The evidence by which it was joined is known. Otherwise it was joined by its teams and start alone. */
  readonly isRecorded: boolean;
  /** By an operator. */
  readonly isRuled: boolean;
  /** Now. */
  readonly isListed: boolean;
  /** When it was listed first. Null: never with a price. */
  readonly seenAt: Instant | null;
  /** `homeShareOf` its last prices before the start, of the match's home side. */
  readonly homeShare: number | null;
}

export interface Mistaken {
  readonly row: StandingRow;
  readonly because: Misfit;
}

const HOUR_MS = 3_600_000;

/**
 * The rows that are another match than the first one is, which stays. What an operator ruled stands; what was joined by
 * evidence that is recorded was judged by its start and prices then, and is judged by its competition only.
 */
export function mistakenRows(sportKey: string, rows: readonly StandingRow[]): readonly Mistaken[] {
  const kept: StandingRow[] = [];
  const mistaken: Mistaken[] = [];
  for (const row of rows) {
    const because = kept.map((one) => misfitOf(sportKey, row, one)).find((one) => one !== null);
    if (because) mistaken.push({ row, because });
    else kept.push(row);
  }
  return mistaken;
}

function misfitOf(sportKey: string, row: StandingRow, one: StandingRow): Misfit | null {
  if (row.isRuled || one.isRuled) return null;
  const relation = relationOf(competitionOf(sportKey, row.competition), competitionOf(sportKey, one.competition));
  if (relation === 'different' || divisionsOf(sportKey, row) !== divisionsOf(sportKey, one)) return 'other_competition';
  if (row.isRecorded && one.isRecorded) return null;
  const apartMs = Math.abs(Date.parse(row.commenceTime) - Date.parse(one.commenceTime));
  // Only the book's own id joined starts further apart.
  const withinMs = sportOf(sportKey)!.joinWithinHours * HOUR_MS;
  if (relation !== 'same' && apartMs > MINUTES_APART_MS && apartMs <= withinMs) return 'start';
  const bothPriced = row.homeShare !== null && one.homeShare !== null;
  return bothPriced && Math.abs(row.homeShare - one.homeShare) >= CONTRADICTION ? 'prices' : null;
}

/** Of both sides. */
const divisionsOf = (sportKey: string, { homeTeam, awayTeam, competition }: StandingRow): string =>
  [homeTeam, awayTeam]
    .map((name) => divisionOf(sportKey, name, competition))
    .sort()
    .join(' ');
