// What the result states about a runner (B 2.1): harness and New Zealand results name placegetters only, and no
// scratchings.
import type { Category, Instant } from '../race/race';
import type { CardRunner, StoredOutcome } from './stored-race';

export interface RunnerOutcome {
  /** Null does not mean that the runner lost. */
  readonly finishPosition: number | null;
  /** The result marks it scratched. False: it ran, or the result has no field. */
  readonly scratched: boolean;
  readonly scratchedAt: Instant | null;
  /** Null on harness rows. */
  readonly runnerRef: string | null;
}

/** Placings are the first four positions, dead heats included (A 2.11); a full field has every position. */
const PLACINGS = 4;

export function runnerOutcome(
  number: number,
  card: CardRunner | null,
  result: StoredOutcome | null,
  category: Category,
): RunnerOutcome {
  const ran = result?.runners?.find((one) => one.number === number) ?? null;
  const placing = result?.placings.find((one) => one.number === number && one.position <= PLACINGS);
  const scratched = ran?.status === 'scratched' || ran?.status === 'late_scratching';
  return {
    finishPosition: result?.runners ? (ran?.position ?? null) : (placing?.position ?? null),
    scratched,
    scratchedAt: scratched ? (card?.scratchedAt ?? null) : null,
    runnerRef: category === 'harness' ? null : (ran?.runner_ref ?? card?.runnerRef ?? null),
  };
}
