// What a visitor chose for the price tables, kept by the browser: the column they are sorted by, the market that is
// shown, and the stake. A fresh page is brought into their order before it is morphed in, so nothing moves twice.
// Without this script the tables are in order of number, and every price is there.
import { nextSort, orderOf, returnCents, stakeCents } from './figures.mjs';
import { dollarsText } from './format.mjs';
import { keep, kept } from './kept.mjs';

const main = /** @type {HTMLElement} */ (document.getElementById('main'));
const COLUMN = /^[a-z\d]{2,8}$/;

function keptSort() {
  const sort = kept('sort', null);
  return COLUMN.test(sort?.by) && typeof sort.down === 'boolean' ? sort : null;
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

function sortTable(table) {
  const heads = [...table.tHead.rows[0].cells];
  const column = heads.findIndex((head) => head.querySelector('[data-sort]')?.dataset.sort === sort?.by);
  heads.forEach((head, i) => {
    if (sort !== null && i === column) head.setAttribute('aria-sort', sort.down ? 'descending' : 'ascending');
    else head.removeAttribute('aria-sort');
  });
  const rows = runnersOf(table.tBodies[0]);
  const by = sort === null || column < 0 ? 0 : column;
  const figures = (at) => rows.map(([row]) => figureOf(row, at));
  const order = orderOf(figures(by), by === column && sort?.down === true, figures(0));
  if (order.some((from, to) => from !== to)) table.tBodies[0].append(...order.flatMap((i) => rows[i]));
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

/** Of a scratched runner, which has one cell for all columns: its number and name alone. */
function figureOf(row, column) {
  const { price, value } = row.cells[column]?.dataset ?? {};
  return price ?? value ?? '';
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
main.addEventListener('refreshed', () => {
  showStake();
  showMarket();
});

document.documentElement.toggleAttribute('data-scripted', true);
reserve();
applyChoices(main);
showStake();
showMarket();
