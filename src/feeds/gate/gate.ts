// Checks every call to one book before it is sent, and reports the state to operators.
// The breaker comes first: calls to an unreachable book must not spend its budget.
import type { Entry, FeedGate } from '../feed';
import { type BreakerOptions, type BreakerState, createBreaker } from './breaker';
import type { Rate } from './bucket';
import { type BudgetSource, createBudget } from './budget';

interface GateState {
  readonly breaker: BreakerState;
  /** Wall milliseconds since the epoch. */
  readonly breakerSinceMs: number;
  readonly budgetPerSecond: number;
  readonly budgetSource: 'shared' | 'own_share';
  /** Since the start of this process. */
  readonly refusedOverBudget: number;
  readonly refusedBreaker: number;
}

export interface BookGate extends FeedGate {
  state(): GateState;
}

/** The longest pause we accept, so that a book's mistake cannot stop its calls for a day. */
const LONGEST_PAUSE_MS = 600_000;

export function createGate(
  bookmakerKey: string,
  rate: Rate,
  source: BudgetSource,
  breakerOptions?: BreakerOptions,
): BookGate {
  const budget = createBudget(bookmakerKey, rate, source);
  const breaker = createBreaker(breakerOptions);
  const refused = { over_budget: 0, breaker_open: 0 };

  const refuse = (reason: 'over_budget' | 'breaker_open', retryAfterMs: number): Entry => {
    refused[reason] += 1;
    return { kind: 'refused', reason, retryAfterMs };
  };
  return {
    async enter(urgency) {
      const brokenMs = breaker.waitMs();
      if (brokenMs > 0) return refuse('breaker_open', brokenMs);
      const grant = await budget.take(urgency);
      if (grant.kind === 'none') return refuse('over_budget', grant.waitMs);
      const leave = breaker.enter();
      if (!leave) return refuse('breaker_open', Math.max(1, breaker.waitMs()));
      return {
        kind: 'go',
        left: (end) => {
          if (end.retryAfterMs !== null) budget.pause(Math.min(end.retryAfterMs, LONGEST_PAUSE_MS));
          leave(end);
        },
      };
    },
    state: () => ({
      breaker: breaker.state,
      breakerSinceMs: breaker.sinceMs,
      budgetPerSecond: budget.perSecond(),
      budgetSource: source.reachable() ? 'shared' : 'own_share',
      refusedOverBudget: refused.over_budget,
      refusedBreaker: refused.breaker_open,
    }),
  };
}
