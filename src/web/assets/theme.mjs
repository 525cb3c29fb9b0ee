// The visitor's choice of colours and of the zone of times, kept by this browser and put on the document.
import { kept } from './kept.mjs';

const CHOICES = { theme: ['light', 'dark', 'contrast'], zone: ['mine', 'both'] };

/** Its first choice, which marks nothing, is the browser's own wish or Sydney's time. */
const markOf = (/** @type {'theme' | 'zone'} */ name) => CHOICES[name].find((one) => one === kept(name, null));

/** Marks the document; the bar of the browser takes the page's colour. */
export function applyChoices() {
  const root = document.documentElement;
  for (const name of /** @type {const} */ (['theme', 'zone'])) {
    const mark = markOf(name);
    if (mark) root.dataset[name] = mark;
    else delete root.dataset[name];
  }
  const { theme } = root.dataset;
  for (const meta of /** @type {NodeListOf<HTMLMetaElement>} */ (document.querySelectorAll('meta[data-scheme]'))) {
    const { scheme } = meta.dataset;
    const isChosen = theme === 'light' || theme === 'dark';
    meta.media = isChosen ? (scheme === theme ? 'all' : 'not all') : `(prefers-color-scheme: ${scheme})`;
  }
}
