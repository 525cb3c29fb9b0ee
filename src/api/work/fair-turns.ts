// Work of many accounts on one thread: each has few works under way and a queue of its own, and free places go round the accounts that wait. So the
// burst of one account delays that account alone.

/** Rejects as its work does. */
export type FairTurns = <T>(account: string, work: () => Promise<T>) => Promise<T>;

export interface FairBounds {
  /** Works under way, of all accounts. */
  readonly most: number;
  readonly mostOfOne: number;
}

const FAIR_BOUNDS: FairBounds = { most: 64, mostOfOne: 16 };

interface Place {
  running: number;
  readonly waiting: (() => void)[];
}

export function createFairTurns({ most, mostOfOne }: FairBounds = FAIR_BOUNDS): FairTurns {
  /** In the order in which they were served last. */
  const accounts = new Map<string, Place>();
  let running = 0;
  const startNext = (): void => {
    for (const [account, place] of accounts) {
      if (running >= most) return;
      if (place.running >= mostOfOne || place.waiting.length === 0) continue;
      accounts.delete(account);
      accounts.set(account, place);
      place.running += 1;
      running += 1;
      place.waiting.shift()!();
    }
  };
  return async (account, work) => {
    const place = accounts.get(account) ?? { running: 0, waiting: [] };
    accounts.set(account, place);
    const begun = new Promise<void>((start) => place.waiting.push(start));
    startNext();
    await begun;
    try {
      return await work();
    } finally {
      running -= 1;
      place.running -= 1;
      if (place.running === 0 && place.waiting.length === 0) accounts.delete(account);
      startNext();
    }
  };
}
