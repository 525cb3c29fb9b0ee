// What one worker may send one book: blocks of tokens leased from the budget that all workers share, or its own share of the rate
// while that cannot be reached. Never waits for a token: a call that finds none is told when to come back.

import type { Urgency } from '../feed';
import { type Bucket, createBucket, type Rate } from './bucket';

export interface Lease {
  readonly granted: number;
  /** Until there is a token again above the floor; 0 when one was granted. */
  readonly waitMs: number;
  /** The book asked every worker to be left alone: `waitMs` holds for every urgency. */
  readonly paused: boolean;
}

/** One book's tokens wherever they are counted. `floor`: so many stay for calls that are worth more. */
export interface SharedBudget {
  /** Rejects when it cannot be reached. */
  lease(bookmakerKey: string, rate: Rate, floor: number, wanted: number): Promise<Lease>;
  /** Rejects when it cannot be reached. */
  ping(): Promise<void>;
  /** Nobody sends anything for so long. Rejects when it cannot be reached. */
  pause(bookmakerKey: string, ms: number): Promise<void>;
}

/** Where a worker's tokens come from now, for all books alike. */
export interface BudgetSource {
  readonly shared: SharedBudget;
  /** Whether the shared budget is worth asking. */
  reachable(): boolean;
  reached(): void;
  unreachable(error: unknown): void;
  /** How many workers share the rate. */
  workers(): number;
}

type TokenGrant = { readonly kind: 'taken' } | { readonly kind: 'none'; readonly waitMs: number };

export interface Budget {
  take(urgency: Urgency): Promise<TokenGrant>;
  pause(ms: number): void;
  /** Calls a second that this worker may count on: the whole rate while shared, else its share. */
  perSecond(): number;
}

/** Share of the burst that is kept for more urgent calls. */
const RESERVED: Record<Urgency, number> = { near: 0, usual: 0.25, idle: 0.5 };
/** Leased ahead at most so much of a second's rate, and held so long. */
const LEASE_MS = 100;
/** Callers that were refused come back one by one, but within this. */
const LONGEST_QUEUE_MS = 5000;

/** At least one token must be free to take when the bucket is full. */
const floorOf = (urgency: Urgency, { burst }: Rate): number =>
  Math.max(0, Math.min(RESERVED[urgency] * burst, burst - 1));

/** What calls of one urgency hold and wait for. */
interface Counter {
  tokens: number;
  leasedAtMs: number;
  /** Taken since the last lease: as many are leased ahead the next time. */
  taken: number;
  refusedUntilMs: number;
  /** The place in time of the last caller that was sent away. */
  queueEndMs: number;
  leasing: Promise<void> | null;
  waiting: number;
}

const newCounter = (): Counter => ({
  tokens: 0,
  leasedAtMs: 0,
  taken: 0,
  refusedUntilMs: 0,
  queueEndMs: 0,
  leasing: null,
  waiting: 0,
});

/** `now`: wall milliseconds. */
export const createBudget = (
  bookmakerKey: string,
  rate: Rate,
  source: BudgetSource,
  now: () => number = Date.now,
): Budget => new WorkerBudget(bookmakerKey, rate, source, now);

class WorkerBudget implements Budget {
  private readonly counters: Record<Urgency, Counter> = {
    near: newCounter(),
    usual: newCounter(),
    idle: newCounter(),
  };
  private readonly own: Bucket;
  private pausedUntilMs = 0;

  constructor(
    private readonly bookmakerKey: string,
    private readonly rate: Rate,
    private readonly source: BudgetSource,
    private readonly now: () => number,
  ) {
    this.own = createBucket(now());
  }

  async take(urgency: Urgency): Promise<TokenGrant> {
    const counter = this.counters[urgency];
    if (this.now() - counter.leasedAtMs > LEASE_MS) counter.tokens = 0;
    counter.waiting += 1;
    try {
      while (counter.tokens < 1) {
        if (this.now() < Math.max(counter.refusedUntilMs, this.pausedUntilMs)) return this.sendAway(counter);
        await this.refillOnce(urgency, counter);
      }
      counter.tokens -= 1;
      counter.taken += 1;
      return { kind: 'taken' };
    } finally {
      counter.waiting -= 1;
    }
  }

  pause(ms: number): void {
    this.pauseHere(ms);
    if (!this.source.reachable()) return;
    this.source.shared.pause(this.bookmakerKey, ms).catch((error: unknown) => this.source.unreachable(error));
  }

  perSecond(): number {
    return this.source.reachable() ? this.rate.perSecond : this.share().perSecond;
  }

  private share(): Rate {
    const workers = Math.max(1, this.source.workers());
    return { perSecond: this.rate.perSecond / workers, burst: Math.max(1, this.rate.burst / workers) };
  }

  private pauseHere(ms: number): void {
    this.pausedUntilMs = Math.max(this.pausedUntilMs, this.now() + ms);
    for (const counter of Object.values(this.counters)) counter.tokens = 0;
  }

  /** One lease at a time for each urgency: whoever comes meanwhile is in the next. */
  private refillOnce(urgency: Urgency, counter: Counter): Promise<void> {
    counter.leasing ??= this.refill(urgency, counter).finally(() => {
      counter.leasing = null;
    });
    return counter.leasing;
  }

  private async refill(urgency: Urgency, counter: Counter): Promise<void> {
    const ahead = Math.min(counter.taken, Math.floor((this.rate.perSecond * LEASE_MS) / 1000));
    counter.taken = 0;
    const { granted, waitMs, paused } = await this.lease(urgency, counter.waiting + ahead);
    counter.leasedAtMs = this.now();
    if (paused) this.pauseHere(waitMs);
    else counter.tokens = granted;
    if (granted === 0) counter.refusedUntilMs = this.now() + waitMs;
  }

  private async lease(urgency: Urgency, wanted: number): Promise<Lease> {
    if (!this.source.reachable()) return this.leaseOwn(urgency, wanted);
    try {
      const floor = floorOf(urgency, this.rate);
      const leased = await this.source.shared.lease(this.bookmakerKey, this.rate, floor, wanted);
      this.source.reached();
      return leased;
    } catch (error) {
      this.source.unreachable(error);
      return this.leaseOwn(urgency, wanted);
    }
  }

  private leaseOwn(urgency: Urgency, wanted: number): Lease {
    const share = this.share();
    return { ...this.own.lease(share, floorOf(urgency, share), wanted, this.now()), paused: false };
  }

  /** Each comes back a little later than the one before it. */
  private sendAway(counter: Counter): TokenGrant {
    const startMs = Math.max(counter.refusedUntilMs, this.pausedUntilMs);
    counter.queueEndMs = Math.max(counter.queueEndMs, startMs) + 1000 / this.share().perSecond;
    if (counter.queueEndMs > startMs + LONGEST_QUEUE_MS) counter.queueEndMs = startMs;
    return { kind: 'none', waitMs: Math.max(1, Math.ceil(counter.queueEndMs - this.now())) };
  }
}
