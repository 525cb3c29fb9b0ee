// Whether a runner started, as far as the result proves it (A 2.11 rule 1: an entry is not necessarily a starter).
import type { SettledRace } from './settlement';

export type Start = 'ran' | 'scratched' | 'reserve' | 'contradictory' | 'not_proven' | 'unknown';

/** Whether the books report the runner out: scratched on the card, or with a published deduction. */
const isOut = (number: number, race: SettledRace): boolean =>
  race.deductions.some((each) => each.number === number) ||
  (race.card?.some((entry) => entry.number === number && entry.scratched) ?? false);

const isPlaced = (number: number, race: SettledRace): boolean => race.placings.some((each) => each.number === number);

/**
 * Scratched at the barrier: it was listed when any bet was made, because no bet is taken after a scratching at the
 * gates.
 */
export const isOutAtBarrier = (number: number, { runners }: Pick<SettledRace, 'runners'>): boolean =>
  runners?.some((row) => row.number === number && row.status === 'scratched' && row.abnormal === 'SB') ?? false;

/**
 * What happened to `number` in a race that was run. `not_proven`: listed or possibly listed, but nothing shows that it
 * started.
 */
export function startOf(number: number, race: SettledRace): Start {
  const row = race.runners?.find((runner) => runner.number === number);
  if (!row) return startByCard(number, race);
  const placed = isPlaced(number, race);
  if (row.status === 'ran') {
    const finished = row.position !== null || row.abnormal !== null;
    // Before 2026-09-08 a horse scratched at the barrier was published as `ran` without a position.
    if (finished || !isOut(number, race)) return 'ran';
  }
  if (placed) return 'contradictory';
  return row.status === 'reserve' ? 'reserve' : 'scratched';
}

function startByCard(number: number, race: SettledRace): Start {
  const placed = isPlaced(number, race);
  if (isOut(number, race)) return placed ? 'contradictory' : 'scratched';
  if (placed) return 'ran';
  const entry = race.card?.find((each) => each.number === number);
  if (!entry) return race.card === null && race.runners === null ? 'not_proven' : 'unknown';
  // The stored full field leaves it out, or it was an emergency, whose listing proves nothing.
  return race.runners !== null || entry.emergency === true ? 'not_proven' : 'ran';
}
