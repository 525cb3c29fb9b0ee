// @ts-check
// What a visitor asks of a table's figures: their order, and what a stake returns. Whole numbers throughout: cents
// times a price with its decimals, so no fraction of binary arithmetic reaches a sum of money. No document here.

/** @typedef {{ readonly by: string, readonly down: boolean }} Sort */

/**
 * The order of rows by a column: places in `values`. Rows without a value come last in either direction, and equal ones
 * are in order of number: the order depends on nothing else, so a refresh moves no row by itself.
 * @param {readonly string[]} values of the rows, `''` for unknown
 * @param {boolean} down
 * @param {readonly string[]} numbers of the runners, aligned to `values`
 * @returns {number[]}
 */
export function orderOf(values, down, numbers) {
  const sign = down ? -1 : 1;
  const byNumber = (/** @type {number} */ a, /** @type {number} */ b) => Number(numbers[a]) - Number(numbers[b]);
  const places = values.map((_, i) => i);
  return places.sort((a, b) => {
    const left = /** @type {string} */ (values[a]);
    const right = /** @type {string} */ (values[b]);
    if (left === '' || right === '') return Number(left === '') - Number(right === '') || byNumber(a, b);
    return sign * compared(left, right) || byNumber(a, b);
  });
}

/** @type {(left: string, right: string) => number} */
function compared(left, right) {
  const difference = Number(left) - Number(right);
  return Number.isNaN(difference) ? left.localeCompare(right, 'en-AU') : difference;
}

/**
 * The choice after a press on a column's head: ascending, descending, then the server's order.
 * @param {Sort | null} sort
 * @param {string} by
 * @returns {Sort | null}
 */
export function nextSort(sort, by) {
  if (sort?.by !== by) return { by, down: false };
  return sort.down ? null : { by, down: true };
}

/** A stake of more is a slip of the finger. */
const MOST_CENTS = 100_000_000n;

/**
 * `20`, `12.50`, `$1,000` in cents; null for anything else, for nothing and for more than a million.
 * @param {string} text
 */
export function stakeCents(text) {
  const found = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (found === null) return null;
  const cents = BigInt(`${/** @type {string} */ (found[1]).replaceAll(',', '')}${(found[2] ?? '').padEnd(2, '0')}`);
  return cents > 0n && cents <= MOST_CENTS ? cents : null;
}

/**
 * The whole return of a winning bet in cents, rounded down: never more than the book pays. Null without a decimal
 * price.
 * @param {bigint} stake in cents
 * @param {string} price `4.2`
 */
export function returnCents(stake, price) {
  const found = /^(\d+)(?:\.(\d+))?$/.exec(price);
  if (found === null) return null;
  const [, whole = '', decimals = ''] = found;
  return (stake * BigInt(whole + decimals)) / 10n ** BigInt(decimals.length);
}
