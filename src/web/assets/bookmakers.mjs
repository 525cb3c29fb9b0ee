// @ts-check
// A visitor's own bookmakers: which are shown, in which order, and the best price among them. The server's tests import
// this file and the browser loads it. Never counts a hidden book's price, and never a placeholder; a book that the
// choice does not know is shown, after those that it does.

/** `order`: books by key, mine first. `hidden`: those that are not mine. */
/** @typedef {{ readonly order: readonly string[], readonly hidden: readonly string[] }} Choice */
/** @typedef {{ readonly suspect: boolean, readonly stale: boolean }} Marks */
/** @typedef {Marks & { readonly key: string, readonly price: number | null }} Quote */
/** `shared`: all of mine that quote have it. */
/** @typedef {{ readonly shared: boolean, readonly stale: boolean }} Standing */
/** @typedef {Standing & { readonly price: number, readonly keys: readonly string[] }} BestOfMine */

/** Every book is shown, in the order of the table. @type {Choice} */
export const ALL = { order: [], hidden: [] };

/** More than there are books. */
export const MOST_BOOKS = 64;
const KEY = /^[a-z0-9_]{1,40}$/;

/**
 * The choice in a value that anybody may have written; `ALL` for what is none.
 * @param {any} value
 * @returns {Choice}
 */
export function choiceOf(value) {
  const lists = [value?.order, value?.hidden];
  if (!lists.every((list) => Array.isArray(list) && list.length <= MOST_BOOKS)) return ALL;
  const [order = [], hidden = []] = lists.map(keysOf);
  return { order, hidden };
}

/**
 * @param {readonly unknown[]} list
 * @returns {string[]}
 */
const keysOf = (list) => [...new Set(list.filter((key) => typeof key === 'string' && KEY.test(key)))].map(String);

/** @param {Choice} choice */
export const isAll = ({ order, hidden }) => order.length === 0 && hidden.length === 0;

/**
 * @param {Choice} one
 * @param {Choice} other
 */
export const isSameChoice = (one, other) =>
  one.order.join() === other.order.join() && [...one.hidden].sort().join() === [...other.hidden].sort().join();

/**
 * Those that the choice knows in its order, then the others as they are.
 * @param {readonly string[]} keys
 * @param {Pick<Choice, 'order'>} choice
 */
export function ordered(keys, { order }) {
  /** @param {string} key */
  const place = (key) => (order.includes(key) ? order.indexOf(key) : order.length);
  return [...keys].sort((a, b) => place(a) - place(b));
}

/**
 * The best price of a runner among the books that are shown, by the rule of the market's best: never a placeholder, and
 * stale if every book that has it is. Books at that price: fresh ones first, in the visitor's order. Null: none quotes.
 * @param {readonly Quote[]} quotes
 * @param {Choice} choice
 * @returns {BestOfMine | null}
 */
export function bestOfMine(quotes, choice) {
  const mine = quotes.filter(({ key, price, suspect }) => price !== null && !suspect && !choice.hidden.includes(key));
  if (mine.length === 0) return null;
  const price = Math.max(...mine.map((quote) => Number(quote.price)));
  const at = mine.filter((quote) => quote.price === price);
  return {
    price,
    keys: [...keysAt(at, false, choice), ...keysAt(at, true, choice)],
    shared: at.length > 1 && at.length === mine.length,
    stale: at.every(({ stale }) => stale),
  };
}

/**
 * @param {readonly Quote[]} quotes
 * @param {boolean} stale
 * @param {Choice} choice
 */
const keysAt = (quotes, stale, choice) =>
  ordered(
    quotes.filter((quote) => quote.stale === stale).map(({ key }) => key),
    choice,
  );

/**
 * Moves a book by one place among those that are listed.
 * @param {Choice} choice
 * @param {readonly string[]} listed as the panel shows them
 * @param {string} key
 * @param {number} step 1 is down
 * @returns {Choice}
 */
export function moved(choice, listed, key, step) {
  const to = listed.indexOf(key) + step;
  if (!listed.includes(key) || to < 0 || to >= listed.length) return choice;
  const order = listed.filter((one) => one !== key);
  order.splice(to, 0, key);
  return { ...choice, order: [...order, ...choice.order.filter((one) => !listed.includes(one))] };
}

/**
 * @param {Choice} choice
 * @param {readonly string[]} listed as the panel shows them
 * @param {string} key
 * @param {boolean} mine
 * @returns {Choice}
 */
export function toggled(choice, listed, key, mine) {
  const hidden = choice.hidden.filter((one) => one !== key);
  const order = [...listed, ...choice.order.filter((one) => !listed.includes(one))];
  return { order, hidden: mine ? hidden : [...hidden, key] };
}

/** What this browser keeps. `version`: of the account's choice that it is a copy of; null: it is of this browser. */
/** @typedef {Choice & { readonly version: string | null, readonly changed: boolean }} KeptChoice */
/** What the account has; null: nothing. */
/** @typedef {(Choice & { readonly version: string }) | null} StoredChoice */

/**
 * @param {any} value
 * @returns {KeptChoice}
 */
export const keptChoiceOf = (value) => ({
  ...choiceOf(value),
  version: typeof value?.version === 'string' ? value.version : null,
  changed: value?.changed === true,
});

/**
 * What a page goes by: without the session of an owner never a copy of an account's choice, whose owner has left.
 * @param {any} value as kept
 * @param {boolean} isSignedIn
 * @returns {KeptChoice}
 */
export function choiceOnPage(value, isSignedIn) {
  const kept = keptChoiceOf(value);
  return isSignedIn || kept.version === null ? kept : keptChoiceOf(null);
}

/**
 * What is to be done when this browser meets the account's choice: `same`, `take` it, `send` this browser's, or `ask`
 * the visitor, so that no change is lost in silence. A copy of an account's choice that meets an account without one
 * is another account's: it is not sent, and there is nothing to take but `ALL`.
 * @param {KeptChoice} here
 * @param {StoredChoice} there
 * @returns {'same' | 'take' | 'send' | 'ask'}
 */
export function meeting(here, there) {
  const isOwn = here.changed || (here.version === null && !isAll(here));
  if (there === null && here.version !== null) return 'take';
  if (there === null) return isOwn ? 'send' : 'same';
  if (isSameChoice(here, there)) return here.version === there.version && !here.changed ? 'same' : 'take';
  if (!isOwn) return 'take';
  return here.version === there.version ? 'send' : 'ask';
}
