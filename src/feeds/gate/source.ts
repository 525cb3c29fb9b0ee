// Chooses between the shared budget and this worker's own share of the rate. Each change is reported once. While the
// shared budget is unreachable, one ping per second tests it in the background, so that no poll waits.
import type { BudgetSource, SharedBudget } from './budget';

export interface SourceOptions {
  readonly shared: SharedBudget;
  /** The number of workers sharing the rates, as far as this one can determine. */
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
