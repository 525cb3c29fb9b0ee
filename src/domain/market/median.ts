// The median of a few numbers (D23). Sorts by insertion: a market has fifteen books, and a scan calls this tens of
// thousands of times.

/** The middle value, or the mean of the middle two of an even count; null for an empty list. */
export function median(values: readonly number[]): number | null {
  const sorted: number[] = [];
  for (const value of values) insert(sorted, value);
  return middleOf(sorted);
}

/** Inserts a value into an ascending list. */
function insert(sorted: number[], value: number): void {
  let at = sorted.length;
  sorted.push(value);
  for (; at > 0 && sorted[at - 1]! > value; at--) sorted[at] = sorted[at - 1]!;
  sorted[at] = value;
}

function middleOf(sorted: readonly number[]): number | null {
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return null;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
