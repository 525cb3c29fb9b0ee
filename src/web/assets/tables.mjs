// The price tables: shows how many books are beyond the right edge and scrolls to them, and opens or closes all folds
// of a phone at once. Without this script the tables scroll and each fold opens all the same.
const main = /** @type {HTMLElement} */ (document.getElementById('main'));

function markEdges(frame) {
  const scroller = frame.querySelector('.scroller');
  const edge = scroller.getBoundingClientRect().right;
  const hidden = [...scroller.querySelectorAll('.c-book')].filter(
    (head) => head.offsetWidth > 0 && head.getBoundingClientRect().right > edge + 1,
  ).length;
  frame.toggleAttribute('data-beyond', hidden > 0);
  frame.toggleAttribute('data-before', scroller.scrollLeft > 0);
  setText(frame.querySelector('.beyond'), hidden > 0 ? `${hidden} more ${hidden === 1 ? 'book' : 'books'}` : '');
}

const foldsOf = (button) => [...button.closest('table').querySelectorAll('tbody details')];
const allOpen = (folds) => folds.every((fold) => fold.open);

function labelFoldAll(button) {
  const folds = foldsOf(button);
  button.hidden = folds.length === 0;
  setText(button, allOpen(folds) ? 'Hide all prices' : 'Show all prices');
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function mark() {
  main.querySelectorAll('.table-frame').forEach(markEdges);
  main.querySelectorAll('.fold-all').forEach(labelFoldAll);
}

main.addEventListener('click', (/** @type {any} */ { target }) => {
  if (target.matches('.beyond')) {
    const scroller = target.closest('.table-frame').querySelector('.scroller');
    scroller.scrollBy({ left: scroller.clientWidth / 2 });
  }
  if (target.matches('.fold-all')) {
    const folds = foldsOf(target);
    const open = !allOpen(folds);
    for (const fold of folds) fold.open = open;
  }
});
main.addEventListener('toggle', mark, true);
main.addEventListener('scroll', mark, { capture: true, passive: true });
for (const happened of ['refreshed', 'rearranged']) main.addEventListener(happened, mark);
new ResizeObserver(mark).observe(main);
mark();
