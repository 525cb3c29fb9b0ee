// Runs before the first paint, as a classic script in one file with what it imports (assets.ts): no flash of another
// theme, and no time that changes before the visitor's eyes. Times are written as the parser adds them and their text.
import { applyChoices } from './theme.mjs';
import { ownClock, writeTime, zoneTimes } from './zone.mjs';

applyChoices();
const root = document.documentElement;

function write(node) {
  if (!(node instanceof HTMLElement)) return;
  if (node.matches('time[data-at]')) writeTime(node);
  if (node.id === 'own-now' && root.dataset.zone) node.textContent = ownClock(Number(root.dataset.now));
}

const parsed = new MutationObserver((records) => {
  const touched = new Set(records.flatMap(({ target, addedNodes }) => [target, ...addedNodes]));
  touched.forEach(write);
  parsed.takeRecords();
});
// Without a chosen zone a time only gets its title, which can wait.
if (root.dataset.zone) parsed.observe(root, { childList: true, subtree: true });
document.addEventListener('DOMContentLoaded', () => {
  parsed.disconnect();
  zoneTimes(document);
});
