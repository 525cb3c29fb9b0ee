// When a race jumps, the board turns to the next one. What stands in an order (the strip, the races that jumped, the
// results) is put in anew when its order changes, in the room that it had: nothing slides under the reader's eyes or
// finger. A race that the reader is in stays, until the reader asks for the next.
const main = /** @type {HTMLElement} */ (document.getElementById('main'));

const LISTS = ['.strip ol', '#jumped', '#results'];
/** Scrolled by more, the reader is in the race or below it. */
const TOP_PX = 120;

const part = (within, selector) => within.querySelector(selector);
const raceOf = (within) => part(within, '.col-main > .sheet')?.id ?? '';
const nameOf = (within) => part(within, '.clock-race')?.textContent ?? '';
const orderOf = (list) => [...list.querySelectorAll('a[id], li[id], article[id]')].map(({ id }) => id).join();

/** A page that was hidden has no reader in it. */
let isAway = false;
document.addEventListener('visibilitychange', () => {
  isAway ||= document.hidden;
});

const keepsRace = () =>
  !isAway && (scrollY > TOP_PX || Boolean(part(main, '.col-main')?.contains(document.activeElement)));

/** Whether the race of a fresh board waits for the reader. */
export const isHeld = (fresh) => raceOf(main) !== '' && raceOf(main) !== raceOf(fresh) && keepsRace();

/** Before a fresh board is morphed in: what would slide is replaced. */
export function turnTo(fresh, held) {
  // With all that is below it: a race is as long as its field.
  if (!held && raceOf(main) !== raceOf(fresh)) replace(part(main, '.cols'), part(fresh, '.cols'));
  for (const selector of LISTS) {
    const [before, after] = [part(main, selector), part(fresh, selector)];
    if (before && after && orderOf(before) !== orderOf(after)) replace(before, after);
  }
  if (!held) isAway = false;
}

function replace(before, after) {
  if (!before || !after) return;
  const focused = before.contains(document.activeElement) ? document.activeElement?.id : null;
  // Its focus could not be found again: it is morphed.
  if (focused === '') return;
  keepHeight(before);
  const put = after.cloneNode(true);
  for (const { id } of before.querySelectorAll('details[open][id]'))
    put.querySelector(`#${id}`)?.toggleAttribute('open', true);
  before.replaceWith(put);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** A strip with fewer cards keeps its rows until the window has another width. */
function keepHeight(list) {
  const strip = list.closest('.strip');
  if (strip) strip.style.minHeight = `${strip.offsetHeight}px`;
}
window.addEventListener('resize', () => part(main, '.strip')?.style.removeProperty('min-height'));

const tables = () => [.../** @type {NodeListOf<HTMLElement>} */ (main.querySelectorAll('.priced'))];
const pricesTop = () =>
  tables()
    .find((table) => table.offsetWidth > 0)
    ?.getBoundingClientRect().top ?? 0;

/** What comes in above the prices of a race, as its result does, pushes nothing down: the page scrolls by as much. */
export function keepingPrices(change) {
  const [race, before] = [raceOf(main), pricesTop()];
  change();
  if (race === '' || race !== raceOf(main)) return;
  const by = pricesTop() - before;
  if (Math.abs(by) >= 0.5) scrollBy({ top: by, behavior: 'instant' });
}

const bar = document.createElement('aside');
bar.className = 'turn-bar';
bar.hidden = true;
bar.setAttribute('aria-label', 'Next race');
const text = Object.assign(document.createElement('span'), { role: 'status' });
const button = Object.assign(document.createElement('button'), { type: 'button' });
bar.append(text, button);
document.querySelector('.foot')?.before(bar);

/** Says that the shown race waits, and what is next. `fresh` null: it no longer does. */
export function sayHeld(fresh) {
  bar.hidden = fresh === null;
  if (fresh === null) return;
  const kicker = part(main, '.col-main .kicker');
  if (kicker) kicker.textContent = 'No longer next to jump';
  setText(text, `${nameOf(main)} is no longer next to jump.`);
  setText(button, nameOf(fresh) === '' ? 'Show the board' : `Show ${nameOf(fresh)}`);
}

function setText(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

/** @param {() => void} show */
export function onAsked(show) {
  button.addEventListener('click', () => {
    isAway = true;
    show();
    scrollTo({ top: 0 });
    part(main, '#sheet-title a')?.focus({ preventScroll: true });
  });
}

/** Whether the reader has left the race that waits. */
export const isFree = () => !bar.hidden && !keepsRace();
