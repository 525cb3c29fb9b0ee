// Where a runner finished among the paid places, and what part of its stake won: the dead-heat rule.
import type { Placed, SettledRace } from './settlement';

export interface Finish {
  /** Part of the stake that won, 0 to 1. */
  readonly share: number;
  /** Runners at its position; null if it is not paid. */
  readonly tied: number | null;
  readonly placesLeft: number;
}

type NoFinish = 'placings_incomplete' | 'result_contradictory';

const UNPAID: Finish = { share: 0, tied: null, placesLeft: 0 };

/**
 * The finish of a runner that started, in a market that pays `places` runners. The placings decide; if they do not fill
 * the places, the full field does. A starter that did not finish (fell, disqualified, …) lost, whatever else is
 * unknown.
 */
export function finishOf(number: number, race: SettledRace, places: number): Finish | NoFinish {
  const byPlacings = finishIn(race.placings, number, places);
  if (byPlacings !== 'placings_incomplete' || race.runners === null) return byPlacings;
  const order = race.runners.flatMap(({ status, position, number: each }) =>
    status === 'ran' && position !== null ? [{ position, number: each }] : [],
  );
  const byField = finishIn(order, number, places);
  if (byField !== 'placings_incomplete') return byField;
  const row = race.runners.find((runner) => runner.number === number);
  const didNotFinish = row?.status === 'ran' && row.position === null && row.abnormal !== null;
  return didNotFinish && !race.placings.some((each) => each.number === number) ? UNPAID : byField;
}

/** After a dead heat positions may skip (1, 1, 3) or not (1, 1, 2); any other gap means that a runner is missing. */
function finishIn(order: readonly Placed[], number: number, places: number): Finish | NoFinish {
  const groups = byPosition(order);
  if (groups === null) return 'result_contradictory';
  let ahead = 0;
  for (const [i, { position, numbers }] of groups.entries()) {
    if (ahead >= places) break;
    if (position > ahead + 1) return 'placings_incomplete';
    const next = groups[i + 1];
    // A runner missing before the next position may have shared this one.
    const whole = next === undefined || next.position <= ahead + numbers.size + 1;
    if (numbers.has(number)) return whole ? shared(places - ahead, numbers.size) : 'placings_incomplete';
    ahead += numbers.size;
  }
  return ahead >= places ? UNPAID : 'placings_incomplete';
}

/**
 * The stake is divided among the tied runners: the part that fits the remaining places is paid at the full price, the
 * rest is lost.
 */
const shared = (placesLeft: number, tied: number): Finish => ({
  share: Math.min(1, placesLeft / tied),
  tied,
  placesLeft,
});

interface Group {
  readonly position: number;
  readonly numbers: ReadonlySet<number>;
}

/** Best first; null if a number has two positions. */
function byPosition(order: readonly Placed[]): readonly Group[] | null {
  const groups = new Map<number, Set<number>>();
  const at = new Map<number, number>();
  for (const { position, number } of order) {
    if (!Number.isInteger(position) || position < 1) continue;
    if ((at.get(number) ?? position) !== position) return null;
    at.set(number, position);
    groups.set(position, (groups.get(position) ?? new Set()).add(number));
  }
  return [...groups].sort(([a], [b]) => a - b).map(([position, numbers]) => ({ position, numbers }));
}
