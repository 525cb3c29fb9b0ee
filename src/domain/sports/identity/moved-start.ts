// A book without ids and competitions that moves a start by more than minutes: its own earlier row is missing from a
// complete list, and a new one of the same sides has appeared. Two games of one pair look alike, so the prices decide:
// a book that moves a start leaves its prices unchanged.
import type { HeadToHead, ListedMatch, StoredEvent } from './listed-event';
import { apart, relationTo } from './same-match';

const HOUR_MS = 3_600_000;

interface Move {
  readonly one: StoredEvent;
  readonly apartMs: number;
  /** False: it may be another match. Both are kept, and the pair is reported. */
  readonly isCertain: boolean;
}

/**
 * `left`: the rows of a pair of teams that fit no match, `gone`: the pair's matches that the book listed before and
 * that no row of the list is. Null: the row is no moved one.
 */
export function moveOf(left: readonly ListedMatch[], gone: readonly StoredEvent[], observedMs: number): Move | null {
  const [row] = left;
  const [one] = gone;
  if (!row || !one || left.length > 1 || gone.length > 1) return null;
  const { listed, home } = row;
  if (listed.sourceId !== null && one.sourceId !== null) return null;
  if (Math.min(Date.parse(one.commenceTime), Date.parse(listed.commenceTime)) <= observedMs) return null;
  const relation = relationTo(listed, one.competitions, one.isRuled);
  if (one.homeKey !== home.key || relation === 'different' || relation === 'unknown') return null;
  const apartMs = apart(listed, [one.commenceTime, ...one.listedStarts]);
  const isNear = apartMs <= listed.sport.joinWithinHours * HOUR_MS;
  return { one, apartMs, isCertain: isNear && areTelling(listed.h2h, one.ownH2h) };
}

/** Equal to the cent. Even prices are shared by too many matches. */
function areTelling(listed: HeadToHead | null, own: HeadToHead | null): boolean {
  if (listed === null || own === null) return false;
  const [home, , away] = listed;
  return home !== null && away !== null && home !== away && listed.every((price, side) => price === own[side]);
}
