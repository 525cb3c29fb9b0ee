// Shows the visitor's own bookmakers in the price tables: the others are hidden, mine are in my order, and the best
// price among mine is named beside the market's, which stays. Runs before the first paint, and on every fresh part of a
// page before it is shown, so that nothing flashes or moves. Changes nothing while no choice is kept.
import { bestOfMine, choiceOnPage, isAll, ordered } from './bookmakers.mjs';
import { keep, kept } from './kept.mjs';

export const KEPT_AS = 'bookmakers';

export const isSignedIn = 'signedIn' in document.documentElement.dataset;
export const keptChoice = () => choiceOnPage(kept(KEPT_AS, null), isSignedIn);

let choice = keptChoice();
// Another one may sign in next, in the same browser.
if (kept(KEPT_AS, null)?.version && choice.version === null) keep(KEPT_AS, undefined);
let isArranged = false;
/** The account has another choice. */
let isAsking = false;

export const currentChoice = () => choice;

export function useChoice(next, asking = false) {
  choice = next;
  isAsking = asking;
  arrangeBookmakers(document);
  document.getElementById('main')?.dispatchEvent(new Event('rearranged'));
}

/** All price tables and the panel, in a page or a part of one. */
export function arrangeBookmakers(within) {
  if (isAll(choice) && !isArranged && !isAsking) return;
  isArranged = true;
  const list = within.querySelector('.my-books-list');
  const listed = list?.dataset.listed?.split(' ') ?? [];
  if (list) arrangePanel(list, listed);
  for (const table of within.querySelectorAll('table.prices')) arrangeTable(table, listed);
}

const isHidden = (key) => choice.hidden.includes(key);

function setText(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/** Moves only what stands elsewhere: a button keeps its focus. */
function inOrder(parent, elements, keyOf, keys) {
  const place = new Map(keys.map((key, i) => [key, i]));
  const sorted = [...elements].sort((a, b) => place.get(keyOf(a)) - place.get(keyOf(b)));
  const after = elements.at(-1).nextSibling;
  if (sorted.some((element, i) => element !== elements[i])) for (const one of sorted) parent.insertBefore(one, after);
}

/** Hidden ones first, so that the last is one that is seen. */
function keysOf(elements, listed) {
  const keys = elements.map((element) => element.dataset.bookmaker);
  const known = [...listed.filter((key) => keys.includes(key)), ...keys.filter((key) => !listed.includes(key))];
  const sorted = ordered(known, choice);
  return [...sorted.filter(isHidden), ...sorted.filter((key) => !isHidden(key))];
}

function arrangePanel(list, listed) {
  const items = [...list.children];
  inOrder(list, items, (item) => item.dataset.choice, ordered(listed, choice));
  for (const item of items) {
    const box = item.querySelector('input');
    box.checked = !isHidden(item.dataset.choice);
    box.toggleAttribute('checked', box.checked);
  }
  const mine = listed.filter((key) => !isHidden(key)).length;
  const count = mine === listed.length ? `all ${mine}` : `${mine} of ${listed.length}`;
  const asking = isAsking ? ': your account has another choice' : '';
  setText(list.closest('.my-books').querySelector('.my-books-count'), count + asking);
}

function arrangeTable(table, listed) {
  const heads = new Map();
  for (const head of table.querySelectorAll('thead .c-book[data-bookmaker]')) heads.set(head.dataset.bookmaker, head);
  // The closes of a past race have books of their own.
  if (heads.size === 0) return;
  const marked = [...table.querySelectorAll('[data-bookmaker]')];
  for (const element of marked) element.hidden = isHidden(element.dataset.bookmaker);
  for (const parent of new Set(marked.map((element) => element.parentElement))) arrangeParent(parent, listed);
  const hides = [...heads.keys()].some(isHidden);
  for (const row of table.tBodies[0]?.rows ?? []) if (row.querySelector('.c-price')) arrangeRow(row, heads, hides);
  countBooks(table.tHead?.querySelector('.fold [data-count-all]'), [...heads.keys()]);
}

function arrangeParent(parent, listed) {
  const own = [...parent.children].filter((child) => child.dataset.bookmaker);
  if (!parent.classList.contains('by-price')) {
    inOrder(parent, own, (child) => child.dataset.bookmaker, keysOf(own, listed));
    return;
  }
  // Best first; my order counts among equal prices.
  for (let from = 0; from < own.length; ) {
    const run = own.slice(from).findIndex((child) => child.dataset.quote !== own[from].dataset.quote);
    const equal = own.slice(from, run < 0 ? undefined : from + run);
    inOrder(parent, equal, (child) => child.dataset.bookmaker, keysOf(equal, listed));
    from += equal.length;
  }
}

function countBooks(element, keys) {
  if (!element) return;
  const shown = keys.filter((key) => !isHidden(key)).length;
  setText(element, shown === keys.length ? element.dataset.countAll : `${shown} of ${element.dataset.countAll}`);
}

const titleOf = (head) => head?.querySelector('.book')?.textContent ?? '';
const isStale = (head) => head?.classList.contains('stale') ?? false;
const textOf = (cell) => cell.querySelector('.value').textContent.trim();

function arrangeRow(row, heads, hides) {
  const cells = new Map();
  for (const cell of row.querySelectorAll('.c-price[data-bookmaker]'))
    if (!cells.has(cell.dataset.bookmaker)) cells.set(cell.dataset.bookmaker, cell);
  const quotes = [...cells].map(([key, cell]) => ({
    key,
    price: cell.dataset.price ? Number(cell.dataset.price) : null,
    suspect: cell.classList.contains('suspect'),
    stale: isStale(heads.get(key)),
  }));
  const market = row.querySelector('.c-best');
  const best = hides ? bestOfMine(quotes, choice) : null;
  // Where mine have the market's best price, that is marked already; equal prices are not marked at all.
  const isMarked = best !== null && !best.shared && best.price < Number(market.dataset.price);
  const marks = new Set(isMarked ? best.keys : []);
  for (const [key, cell] of cells) markMine(cell, marks.has(key), heads.get(key));
  const fold = row.nextElementSibling?.classList.contains('fold') ? row.nextElementSibling : null;
  for (const item of fold?.querySelectorAll('[data-bookmaker]') ?? [])
    markMine(item, marks.has(item.dataset.bookmaker), heads.get(item.dataset.bookmaker));
  nameMine(market, hides ? { best, heads, text: best && textOf(cells.get(best.keys[0])) } : null);
  countPrices(fold?.querySelector('[data-count-all]'), quotes, cells);
}

/** It becomes stale by itself, as the market's best does. */
function markMine(element, isMine, head) {
  element.classList.toggle('best-mine', isMine);
  const note = element.querySelector('.mine-note');
  if (isMine && !note) {
    element.append(spanOf(', best among mine', 'vh mine-note'));
    if (head?.dataset.staleFrom) element.dataset.staleFrom = head.dataset.staleFrom;
  }
  if (!isMine && note) {
    note.remove();
    delete element.dataset.staleFrom;
  }
  if (isMine) element.classList.toggle('stale', isStale(head));
}

const spanOf = (text, className = '') =>
  Object.assign(document.createElement('span'), { className, textContent: text });

/** Under the market's best price, in every row alike, so that no row grows later. */
function nameMine(market, mine) {
  market.querySelector('.mine')?.remove();
  if (mine === null) return;
  const { best, heads, text } = mine;
  const line = spanOf('', 'mine');
  const price = document.createElement('strong');
  price.textContent = best === null ? '–' : text;
  line.append(spanOf('best among ', 'vh'), 'mine ', price);
  if (best !== null) {
    const more = best.keys.length > 1 ? ` +${best.keys.length - 1}` : '';
    const by = best.shared ? 'all' : titleOf(heads.get(best.keys[0])) + more;
    line.append(' ', staleText(line, best, heads), by);
  }
  market.append(line);
}

function staleText(line, best, heads) {
  const until = best.keys.map((key) => Number(heads.get(key)?.dataset.staleFrom ?? Number.NaN));
  if (until.every((ms) => ms > 0)) line.dataset.staleFrom = String(Math.max(...until));
  line.classList.toggle('stale', best.stale);
  const mark = spanOf(best.stale ? 'stale: ' : '');
  mark.dataset.staleText = 'stale: ';
  return mark;
}

/** `5 of 14 prices, 4.80 to 5.00`: placeholders are not part of the span. */
function countPrices(element, quotes, cells) {
  if (!element) return;
  const mine = quotes.filter(({ key, price }) => price !== null && !isHidden(key));
  if (mine.length === quotes.filter(({ price }) => price !== null).length) {
    setText(element, element.dataset.countAll + element.dataset.span);
    return;
  }
  const offered = mine.filter(({ suspect }) => !suspect).sort((a, b) => a.price - b.price);
  const [low, high] = [offered.at(0), offered.at(-1)].map((quote) => quote && textOf(cells.get(quote.key)));
  const span = low === undefined ? '' : low === high ? `, ${low}` : `, ${low} to ${high}`;
  setText(element, `${mine.length} of ${element.dataset.countAll}${span}`);
}

arrangeBookmakers(document);
