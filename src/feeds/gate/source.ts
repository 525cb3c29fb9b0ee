// Whether this worker's tokens come from the budget that all share or from its own share of the rate. A change is told once; while
// the shared one is away it is tried again every second by one call, so that no poll waits for it.
import type { BudgetSource, SharedBudget } from './budget';

export interface SourceOptions {
  readonly shared: SharedBudget;
  /** How many workers share the rates, as far as this one knows. */
  readonly workers: () => number;
  readonly onChange: (source: 'shared' | 'own_share', reason: unknown) => void;
  readonly now?: () => number;
}

const TRY_EVERY_MS = 1000;

export function createBudgetSource({ shared, workers, onChange, now = Date.now }: SourceOptions): BudgetSource {
  let away = false;
  let tryAtMs = 0;
  const back = (): void => {
    if (away) onChange('shared', null);
    away = false;
  };
  const gone = (error: unknown): void => {
    if (!away) onChange('own_share', error);
    away = true;
    tryAtMs = now() + TRY_EVERY_MS;
  };
  return {
    shared,
    workers,
    reachable() {
      if (away && now() >= tryAtMs) {
        tryAtMs = now() + TRY_EVERY_MS;
        shared.ping().then(back, gone);
      }
      return !away;
    },
    reached: back,
    unreachable: gone,
  };
}
