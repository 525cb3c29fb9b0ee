// The prices of a table that link to the bookmakers are one stop of the keyboard: arrows go from price to price.
// Without this script each price is a stop.
const main = /** @type {HTMLElement} */ (document.getElementById('main'));

/** Where the keyboard was last, by table. @type {Map<string, string>} */
const last = new Map();

const linksOf = (within) =>
  [...within.querySelectorAll('tbody .c-price a.value')].filter((link) => !link.closest('[hidden]'));

function rove() {
  for (const table of main.querySelectorAll('table.prices')) {
    const links = linksOf(table);
    const stop = links.find((link) => link.getAttribute('href') === last.get(table.id)) ?? links[0];
    for (const link of links) link.tabIndex = link === stop ? 0 : -1;
  }
}

/** Beside it in its row, or in the same place of a row above or below. */
function neighbour(link, key) {
  const inRow = linksOf(link.closest('tr'));
  const at = inRow.indexOf(link);
  if (key === 'ArrowLeft') return inRow[at - 1];
  if (key === 'ArrowRight') return inRow[at + 1];
  const book = link.closest('td').dataset.bookmaker;
  const column = linksOf(link.closest('table')).filter((one) => one.closest('td').dataset.bookmaker === book);
  return column[column.indexOf(link) + (key === 'ArrowDown' ? 1 : -1)];
}

main.addEventListener('keydown', (event) => {
  const link = /** @type {any} */ (event.target).closest('.c-price a.value');
  if (!link || !/^Arrow(Left|Right|Up|Down)$/.test(event.key)) return;
  const next = neighbour(link, event.key);
  if (!next) return;
  event.preventDefault();
  next.focus();
});
main.addEventListener('focusin', (/** @type {any} */ { target }) => {
  const link = target.closest('.c-price a.value');
  if (!link) return;
  last.set(link.closest('table').id, link.getAttribute('href'));
  rove();
});
for (const happened of ['refreshed', 'rearranged']) main.addEventListener(happened, rove);
rove();
