// The pages of this process that wait at a registry's door, the most urgent first, then in order of arrival. A page
// that waits too long is refused.
import { DOOR_PURPOSES, type DoorEntry, type DoorPurpose } from './door';

/**
 * Wall. A page that has no turn by then is refused: a customer does not wait longer, and a collection continues later.
 */
const LONGEST_WAIT_MS = {
  probe: 60_000,
  collection: 300_000,
  form: 60_000,
  tables: 300_000,
  backfill: 300_000,
  history: 300_000,
} as const;
const COLLECTION = DOOR_PURPOSES.indexOf('collection');
const BUSY: DoorEntry = { kind: 'refused', reason: 'busy', retryAfterMs: 30_000 };
export const CALLED_OFF: DoorEntry = { kind: 'refused', reason: 'called_off', retryAfterMs: 0 };

interface Waiting {
  readonly purpose: DoorPurpose;
  rank: number;
  settle(entry: DoorEntry): void;
}

/** `onFirst`: called when the arriving page is more urgent than all others. */
export function createPageQueue(formPatienceMs: number, onFirst: () => void) {
  const queue: Waiting[] = [];

  const line = (one: Waiting): void => {
    const behind = queue.findIndex(({ rank }) => rank > one.rank);
    queue.splice(behind < 0 ? queue.length : behind, 0, one);
    if (queue[0] === one) onFirst();
  };

  /** Returns whether it was still waiting. */
  const remove = (one: Waiting): boolean => {
    const at = queue.indexOf(one);
    if (at >= 0) queue.splice(at, 1);
    return at >= 0;
  };

  const drop = (one: Waiting, entry: DoorEntry): void => {
    if (remove(one)) one.settle(entry);
  };

  const promote = (one: Waiting): void => {
    if (!remove(one)) return;
    one.rank = COLLECTION;
    line(one);
  };

  return {
    first: (): Waiting | undefined => queue[0],
    take: (): Waiting | undefined => queue.shift(),
    putBack: (one: Waiting): void => void queue.unshift(one),
    enter: (purpose: DoorPurpose, signal: AbortSignal | undefined): Promise<DoorEntry> =>
      new Promise((resolve) => {
        const callOff = (): void => drop(one, CALLED_OFF);
        const timer = setTimeout(() => drop(one, BUSY), LONGEST_WAIT_MS[purpose]);
        const patience = purpose === 'form' ? setTimeout(() => promote(one), formPatienceMs) : undefined;
        const one: Waiting = {
          purpose,
          rank: DOOR_PURPOSES.indexOf(purpose),
          settle: (entry) => {
            clearTimeout(timer);
            clearTimeout(patience);
            signal?.removeEventListener('abort', callOff);
            resolve(entry);
          },
        };
        signal?.addEventListener('abort', callOff, { once: true });
        line(one);
      }),
  };
}
