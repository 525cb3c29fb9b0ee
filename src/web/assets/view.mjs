// The View menu of every page: what is chosen there holds on all pages and in all tabs at once.
import { keep } from './kept.mjs';
import { applyChoices } from './theme.mjs';
import { zoneTimes } from './zone.mjs';

const menu = /** @type {HTMLDetailsElement | null} */ (document.querySelector('details.view'));

function show() {
  applyChoices();
  zoneTimes(document);
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (menu?.querySelectorAll('input') ?? []))
    input.checked = input.value === (document.documentElement.dataset[nameOf(input)] ?? '');
  document.dispatchEvent(new Event('viewed'));
}

const nameOf = ({ name }) => name.replace('view-', '');

menu?.addEventListener('change', ({ target }) => {
  const input = /** @type {HTMLInputElement} */ (target);
  keep(nameOf(input), input.value || undefined);
  show();
});
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || !menu?.open) return;
  const isWithin = menu.contains(document.activeElement);
  menu.open = false;
  if (isWithin) menu.querySelector('summary')?.focus();
});
document.addEventListener('click', ({ target }) => {
  if (menu?.open && !menu.contains(/** @type {Node} */ (target))) menu.open = false;
});
window.addEventListener('storage', show);
window.addEventListener('pageshow', ({ persisted }) => persisted && show());
if (menu) show();
