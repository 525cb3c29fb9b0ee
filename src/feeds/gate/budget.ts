// What one worker may send to one book: blocks of tokens leased from the budget that all workers share, or its own
// share of the rate while the shared budget is unreachable. Never waits for a token: a call without one gets the time
// at which to retry.

import type { Urgency } from '../feed';
import { type Bucket, createBucket, type Rate } from './bucket';

export interface Lease {
  readonly granted: number;
  /** Milliseconds until a token is free above the floor; 0 if one was granted. */
  readonly waitMs: number;
  /** The book asked for a pause (429): `waitMs` applies to every urgency. */
  readonly paused: boolean;
}

/** The tokens of each book, shared by all workers. `floor`: tokens reserved for more urgent calls. */
export interface SharedBudget {
  /** Rejects when it cannot be reached. */
  lease(bookmakerKey: string, rate: Rate, floor: number, wanted: number): Promise<Lease>;
  /** Rejects when it cannot be reached. */
  ping(): Promise<void>;
  /** Stops calls from every worker for `ms`, beginning with its next lease. Rejects if unreachable. */
  pause(bookmakerKey: string, ms: number): Promise<void>;
}

/** The current source of a worker's tokens, the same for all books. */
export interface BudgetSource {
  readonly shared: SharedBudget;
  /** Whether to try the shared budget. */
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
  /** Calls per second available to this worker: the whole rate while shared, otherwise its share. */
  perSecond(): number;
}

/** Share of the burst reserved for more urgent calls. */
const RESERVED: Record<Urgency, number> = { near: 0, usual: 0.25, idle: 0.5 };
/** The most tokens leased ahead, as time at the full rate. */
const AHEAD_MS = 100;
/**
 * Their lifetime. Longer, so that a book polled a few times a second does not need a lease for nearly every poll, whose
 * unspent tokens are lost to all workers; short, because a pause that another worker publishes comes with a lease, so
 * this is the longest that calls still start after it, and they are no more than the tokens in hand.
 */
const LEASE_MS = 300;
/** Refused callers get retry times one after the other, within this limit. */
const LONGEST_QUEUE_MS = 5000;

/** A full bucket always has a token free, whatever the urgency. */
const floorOf = (urgency: Urgency, { burst }: Rate): number =>
  Math.max(0, Math.min(RESERVED[urgency] * burst, burst - 1));

/** The leased tokens and waiting calls of one urgency. */
interface Counter {
  tokens: number;
  leasedAtMs: number;
  /** Tokens taken since the last lease; the next lease takes as many ahead. */
  taken: number;
  refusedUntilMs: number;
  /** Retry time of the last refused caller. */
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

  /** One lease at a time per urgency: calls that arrive in the meantime share the next one. */
  private refillOnce(urgency: Urgency, counter: Counter): Promise<void> {
    counter.leasing ??= this.refill(urgency, counter).finally(() => {
      counter.leasing = null;
    });
    return counter.leasing;
  }

  private async refill(urgency: Urgency, counter: Counter): Promise<void> {
    const ahead = Math.min(counter.taken, Math.floor((this.rate.perSecond * AHEAD_MS) / 1000));
    counter.taken = 0;
    const { granted, waitMs, paused } = await this.lease(urgency, counter.waiting + ahead);
    counter.leasedAtMs = this.now();
    if (paused) this.pauseHere(waitMs);
    // A pause that came while the lease was under way ends it.
    else if (this.now() >= this.pausedUntilMs) counter.tokens = granted;
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

  /** Spreads retries: each caller comes back a little later than the one before it. */
  private sendAway(counter: Counter): TokenGrant {
    const startMs = Math.max(counter.refusedUntilMs, this.pausedUntilMs);
    counter.queueEndMs = Math.max(counter.queueEndMs, startMs) + 1000 / this.share().perSecond;
    if (counter.queueEndMs > startMs + LONGEST_QUEUE_MS) counter.queueEndMs = startMs;
    return { kind: 'none', waitMs: Math.max(1, Math.ceil(counter.queueEndMs - this.now())) };
  }
}
