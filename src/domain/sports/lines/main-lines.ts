// The lines of a market in the order in which readers look for them.
import { median } from '../../market/median';

/**
 * `points`: one of each book. The most common first; of equally common ones the nearest to the median, then the lower.
 */
export function commonFirst(points: readonly number[]): readonly number[] {
  const middle = median(points) ?? 0;
  const count = (point: number) => points.filter((one) => one === point).length;
  return [...new Set(points)].sort(
    (a, b) => count(b) - count(a) || Math.abs(a - middle) - Math.abs(b - middle) || a - b,
  );
}
