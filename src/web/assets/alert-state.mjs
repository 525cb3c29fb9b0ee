// @ts-check
// Which price alerts a browser shows: each once, of the account that chose it here, and never of another that is signed
// in now. Values only: the tests import this file and the browser loads it.

/**
 * What the browser keeps. `seen`: alerts that it has shown, or that were there when it was chosen; newest last.
 * @typedef {{ readonly account: string, readonly seen: readonly string[] }} AlertChoice
 */
/**
 * @typedef {{
 *   readonly id: string, readonly title: string, readonly text: string, readonly path: string,
 * }} AlertNotice
 */
/**
 * The service's answer; `account` null: the browser is not signed in.
 * @typedef {{
 *   readonly account: string | null, readonly open: number, readonly reached: readonly AlertNotice[],
 * }} AlertNews
 */

/** More than the service sends at once, of several accounts. */
const MOST_SEEN = 400;
/** At once; the others are one notification. */
const MOST_SHOWN = 4;
/** An answer that is older was read before the browser slept. */
const FRESH_MS = 12_000;
const EVERY_MS = 10_000;
/** While no alert waits: one may be made in another browser. A page that loads reads at once. */
const IDLE_MS = 60_000;

const isText = (/** @type {unknown} */ value) => typeof value === 'string';

/**
 * A value that was kept, if it is a choice.
 * @param {any} value
 * @returns {AlertChoice | null}
 */
export function alertChoiceOf(value) {
  const { account, seen } = value ?? {};
  if (!isText(account) || !Array.isArray(seen)) return null;
  return { account, seen: seen.filter(isText).slice(-MOST_SEEN) };
}

/**
 * An answer, if it is one. A path that leaves the service is refused.
 * @param {any} value
 * @returns {AlertNews | null}
 */
export function alertNewsOf(value) {
  const { account, open, reached } = value ?? {};
  if ((account !== null && !isText(account)) || !Number.isInteger(open) || !Array.isArray(reached)) return null;
  const isNotice = (/** @type {any} */ one) =>
    [one?.id, one?.title, one?.text, one?.path].every(isText) && /^\/race\/[\w-]+$/.test(one.path);
  return reached.every(isNotice) ? { account, open, reached } : null;
}

/**
 * The choice of an account, with everything that is there already: only what is reached later is shown.
 * @param {string} account
 * @param {Pick<AlertNews, 'reached'>} news
 * @returns {AlertChoice}
 */
export const alertChoiceAt = (account, { reached }) => ({ account, seen: reached.map(({ id }) => id) });

/**
 * What is to be shown of an answer, and the choice to keep before it is. `more`: how many are not shown one by one.
 * @param {AlertChoice | null} choice
 * @param {AlertNews} news
 * @returns {{ readonly show: readonly AlertNotice[], readonly more: number, readonly choice: AlertChoice | null }}
 */
export function alertsToShow(choice, { account, reached }) {
  if (choice === null || choice.account !== account) return { show: [], more: 0, choice };
  const unseen = reached.filter(({ id }) => !choice.seen.includes(id));
  const seen = [...choice.seen, ...unseen.map(({ id }) => id)].slice(-MOST_SEEN);
  const show = unseen.slice(0, MOST_SHOWN);
  return { show, more: unseen.length - show.length, choice: { account: choice.account, seen } };
}

/**
 * When the next answer is due.
 * @param {number} begunMs
 * @param {AlertNews | null} news the last that is known; null: none came
 * @param {AlertChoice} choice
 */
export const nextReadMs = (begunMs, news, choice) =>
  begunMs + (news === null || (news.account === choice.account && news.open > 0) ? EVERY_MS : IDLE_MS);

/**
 * Whether an answer is due; a clock that went back makes it so.
 * @param {unknown} nextMs
 * @param {number} nowMs
 */
export const isReadDue = (nextMs, nowMs) => typeof nextMs !== 'number' || nowMs >= nextMs || nextMs - nowMs > IDLE_MS;

/**
 * @param {number} begunMs
 * @param {number} nowMs
 */
export const isFreshAnswer = (begunMs, nowMs) => nowMs >= begunMs && nowMs - begunMs <= FRESH_MS;
