// What a visitor chose for the price tables, kept by the browser: the column they are sorted by, the market that is
// shown, and the stake. A fresh page is brought into their order before it is morphed in, so nothing moves twice.
// Without this script the tables are in order of number, and every price is there.
import { nextSort, orderOf, returnCents, stakeCents } from './figures.mjs';
import { dollarsText } from './format.mjs';
import { keep, kept } from './kept.mjs';

const main = /** @type {HTMLElement} */ (document.getElementById('main'));
const COLUMN = /^[a-z\d]{2,8}$/;
/** A book's own prices: `book-tab`. */
const BOOK = /^book-([a-z\d_]{1,40})$/;

function keptSort() {
  const sort = kept('sort', null);
  return (COLUMN.test(sort?.by) || BOOK.test(sort?.by)) && typeof sort.down === 'boolean' ? sort : null;
}

function keptStake() {
  const stake = kept('stake', '');
  return typeof stake === 'string' ? stake.slice(0, 12) : '';
}

let sort = keptSort();
let stake = keptStake();

/** A stake has its line in every row, also where it returns nothing. */
const reserve = () => document.documentElement.toggleAttribute('data-stake', stakeCents(stake) !== null);

/** Brings the tables within an element into the visitor's order, and writes what the stake returns. */
export function applyChoices(within) {
  within.querySelectorAll('table.prices:has([data-sort])').forEach(sortTable);
  within.querySelectorAll('[data-return]').forEach(writeReturn);
}

/** A book that the visitor hides is no order: its prices are not to be seen. */
function sortTable(table) {
  const heads = [...table.tHead.rows[0].cells];
  const column = heads.findIndex(
    (head) => !head.hidden && head.querySelector('[data-sort]')?.dataset.sort === sort?.by,
  );
  heads.forEach((head, i) => {
    if (sort !== null && i === column) head.setAttribute('aria-sort', sort.down ? 'descending' : 'ascending');
    else head.removeAttribute('aria-sort');
  });
  const rows = runnersOf(table.tBodies[0]);
  const by = sort === null || column < 0 ? 0 : column;
  const figures = (at) => rows.map(([row]) => figureOf(row, at));
  const order = orderOf(figures(by), by === column && sort?.down === true, figures(0));
  if (order.some((from, to) => from !== to)) table.tBodies[0].append(...order.flatMap((i) => rows[i]));
  nameOrder(table, rows, heads[column]);
}

/** Each runner's row with the folds under it. */
function runnersOf(body) {
  const runners = [];
  for (const row of body.rows) {
    if (row.classList.contains('fold')) runners.at(-1)?.push(row);
    else runners.push([row]);
  }
  return runners;
}

/**
 * Of a scratched runner, which has one cell for all columns: its number and name alone. A placeholder is no price to be
 * had: it is last, with those that are unknown.
 */
function figureOf(row, column) {
  const cell = row.cells[column];
  if (cell === undefined || cell.classList.contains('suspect')) return '';
  const { price, value } = cell.dataset;
  return price ?? value ?? '';
}

/** A phone shows no book's column: it names the order by a book, and that book's price of each runner. */
function nameOrder(table, rows, head) {
  const key = BOOK.exec(head ? sort?.by : '')?.[1];
  for (const button of table.tHead.querySelectorAll('.by-book [data-sort]'))
    button.setAttribute('aria-pressed', String(key !== undefined && button.dataset.sort === sort?.by));
  const note = table.tHead.querySelector('.ordered');
  const title = head?.querySelector('.book')?.textContent;
  const text = key === undefined ? '' : `Sorted by ${title}, ${sort?.down ? 'longest' : 'shortest'} first`;
  if (note && note.textContent !== text) note.textContent = text;
  for (const [row, fold] of rows) {
    fold?.querySelector('.own-price')?.remove();
    const cell = key === undefined ? null : row.querySelector(`.c-price[data-bookmaker="${key}"]`);
    if (fold && cell) fold.querySelector('summary').append(ownPrice(title, cell, head));
  }
}

/** It becomes stale by itself, as the head of its column does. */
function ownPrice(title, cell, head) {
  const own = document.createElement('span');
  const stale = document.createElement('span');
  stale.dataset.staleText = 'stale ';
  stale.textContent = head.classList.contains('stale') ? 'stale ' : '';
  own.className = `own-price${stale.textContent ? ' stale' : ''}`;
  if (head.dataset.staleFrom) own.dataset.staleFrom = head.dataset.staleFrom;
  const isPlaceholder = cell.classList.contains('suspect');
  own.append(`${title} `, stale, cell.querySelector('.value').textContent.trim(), isPlaceholder ? ' placeholder' : '');
  return own;
}

function writeReturn(element) {
  const stakes = stakeCents(stake);
  const returned = stakes && returnCents(stakes, element.closest('td').dataset.price);
  const text = returned === null ? '' : dollarsText(returned);
  if (element.textContent !== text) element.textContent = text;
}

function showStake() {
  const input = /** @type {HTMLInputElement | null} */ (document.getElementById('stake'));
  if (input === null) return;
  if (document.activeElement !== input && input.value !== stake) input.value = stake;
  const isKnown = stake === '' || stakeCents(stake) !== null;
  input.setAttribute('aria-invalid', String(!isKnown));
  const note = document.getElementById('stake-note');
  const text = isKnown ? '' : 'an amount, such as 20 or 12.50';
  if (note && note.textContent !== text) note.textContent = text;
}

/** A race without the market that was picked shows win. */
function showMarket() {
  const market = kept('market', 'win');
  const radio =
    (COLUMN.test(market) && document.getElementById(`view-${market}`)) || document.getElementById('view-win');
  if (radio instanceof HTMLInputElement && !radio.checked) radio.checked = true;
}

main.addEventListener('click', (/** @type {any} */ { target }) => {
  const button = target.closest('[data-sort]');
  if (!button) return;
  sort = nextSort(sort, button.dataset.sort);
  keep('sort', sort ?? undefined);
  applyChoices(main);
});
main.addEventListener('input', (/** @type {any} */ { target }) => {
  if (target.id !== 'stake') return;
  stake = target.value;
  keep('stake', stake === '' ? undefined : stake);
  showStake();
  reserve();
  applyChoices(main);
});
main.addEventListener('change', (/** @type {any} */ { target }) => {
  if (target.name === 'view') keep('market', target.value === 'win' ? undefined : target.value);
});
main.addEventListener('rearranged', () => applyChoices(main));
main.addEventListener('refreshed', () => {
  showStake();
  showMarket();
});

document.documentElement.toggleAttribute('data-scripted', true);
reserve();
applyChoices(main);
showStake();
showMarket();
