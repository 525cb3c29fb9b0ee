// The price of a series that was on offer at an instant.
import type { StoredSeries } from './stored-race';

/** Decimal odds; null: none was captured until then, or it was withdrawn. */
export function standing({ changes }: Pick<StoredSeries, 'changes'>, atMs: number): number | null {
  let price: number | null = null;
  let shown = false;
  for (const { what, atMs: changedMs } of changes) {
    if (changedMs > atMs) break;
    shown = what !== 'gone';
    if (typeof what === 'number') price = what;
  }
  return shown ? price : null;
}
