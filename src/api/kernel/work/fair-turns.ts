// The work of many accounts on one thread: each has a few pieces in progress and its own queue, and free places go
// round the waiting accounts. So the burst of one account delays that account alone.

/**
 * Rejects as its work does. `signal`: if aborted while the work waits, the work never starts, and the reason is thrown.
 */
export type FairTurns = <T>(account: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

export interface FairBounds {
  /** Pieces of work in progress, over all accounts. */
  readonly most: number;
  readonly mostOfOne: number;
}

/** Limits on waiting work. */
export interface WaitingBounds extends FairBounds {
  /** The refusal when the queue is full. */
  refusal(): Error;
}

const FAIR_BOUNDS: FairBounds = { most: 64, mostOfOne: 16 };

interface Place {
  running: number;
  readonly waiting: (() => void)[];
}

/** `waits`: default: none. */
export function createFairTurns({ most, mostOfOne }: FairBounds = FAIR_BOUNDS, waits?: WaitingBounds): FairTurns {
  /** In the order in which they were last served. */
  const accounts = new Map<string, Place>();
  let running = 0;
  let waiting = 0;
  const requireRoom = (place: Place): void => {
    if (waits && (waiting >= waits.most || place.waiting.length >= waits.mostOfOne)) throw waits.refusal();
  };
  const forget = (account: string, place: Place): void => {
    if (place.running === 0 && place.waiting.length === 0) accounts.delete(account);
  };
  const startNext = (): void => {
    for (const [account, place] of accounts) {
      if (running >= most) return;
      if (place.running >= mostOfOne || place.waiting.length === 0) continue;
      accounts.delete(account);
      accounts.set(account, place);
      place.running += 1;
      running += 1;
      waiting -= 1;
      place.waiting.shift()!();
    }
  };
  return async (account, work, signal) => {
    signal?.throwIfAborted();
    const place = accounts.get(account) ?? { running: 0, waiting: [] };
    requireRoom(place);
    accounts.set(account, place);
    waiting += 1;
    const begun = inQueue(place.waiting, signal, () => {
      waiting -= 1;
      forget(account, place);
    });
    startNext();
    await begun;
    try {
      return await work();
    } finally {
      running -= 1;
      place.running -= 1;
      forget(account, place);
      startNext();
    }
  };
}

/** Resolves in its turn. Rejects with the reason of the signal, after `left`. */
function inQueue(queue: (() => void)[], signal: AbortSignal | undefined, left: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = (): void => {
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    const leave = (): void => {
      queue.splice(queue.indexOf(start), 1);
      left();
      reject(signal!.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    queue.push(start);
  });
}
