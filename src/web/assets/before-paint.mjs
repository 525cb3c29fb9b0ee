// Runs before the first paint, as a classic script in one file with what it imports (assets.ts): no flash of another
// theme, and no time that changes before the visitor's eyes. Times are written as the parser adds them and their text.
import { applyChoices } from './theme.mjs';
import { writeTime, zoneTimes } from './zone.mjs';

applyChoices();
const parsed = new MutationObserver((records) => {
  const touched = new Set(records.flatMap(({ target, addedNodes }) => [target, ...addedNodes]));
  for (const node of touched) if (node instanceof HTMLElement && node.matches('time[data-at]')) writeTime(node);
  parsed.takeRecords();
});
parsed.observe(document.documentElement, { childList: true, subtree: true });
document.addEventListener('DOMContentLoaded', () => {
  parsed.disconnect();
  zoneTimes(document);
});
