// Writes times on the page in the zone that the visitor chose (zoned-time.mjs says what each reads).
import { raceClock } from './clock.mjs';
import { timesIn } from './format.mjs';
import { SYDNEY, sydneyText, zonedTime } from './zoned-time.mjs';

/** @returns {'sydney' | 'mine' | 'both'} */
function chosenZone() {
  const { zone } = document.documentElement.dataset;
  return zone === 'mine' || zone === 'both' ? zone : 'sydney';
}

/** @type {ReturnType<typeof timesIn> | null} */
let browsers = null;
const ownTimes = () => (browsers ??= timesIn(undefined));

/** Writes the times within an element as the visitor chose. @param {ParentNode} within */
export function zoneTimes(within) {
  for (const element of within.querySelectorAll('time[data-at]')) writeTime(/** @type {HTMLElement} */ (element));
}

/** @param {HTMLElement} element a `<time>` with `data-at` */
export function writeTime(element) {
  const { at = '', day } = element.dataset;
  const ms = Date.parse(element.getAttribute('datetime') ?? '');
  const { main, second, title } = zonedTime(
    ms,
    { kind: at, day, zone: chosenZone(), nowMs: raceClock.now() },
    ownTimes(),
  );
  if (title === null) element.removeAttribute('title');
  else element.title = title;
  const isServers = main === sydneyText(ms, at, day);
  if (isServers && !('zoned' in element.dataset)) return;
  element.dataset.zoned = '';
  element.replaceChildren(main);
  if (isServers) element.append(part('vh', ` ${SYDNEY.zoneText(ms)}`));
  if (second !== null) element.append(' ', part('own-time', second));
}

/** @param {string} className @param {string} textContent */
const part = (className, textContent) => Object.assign(document.createElement('span'), { className, textContent });

/**
 * A time in one zone, for a chart and for a sentence: with its zone where that is not Sydney's.
 * @param {number} ms
 * @param {'time' | 'clock'} kind
 */
export const plainTime = (ms, kind) =>
  zonedTime(ms, { kind, zone: chosenZone() === 'sydney' ? 'sydney' : 'mine', nowMs: raceClock.now() }, ownTimes()).main;

/**
 * The same without its zone, for a scale whose first mark has it.
 * @param {number} ms
 */
export const bareTime = (ms) => (chosenZone() === 'sydney' ? SYDNEY : ownTimes()).timeText(ms);

/** The visitor's day: times written on another are written again. */
export const ownDay = () => ownTimes().dateText(raceClock.now());

/**
 * The visitor's own clock, for the header; empty where it would only repeat Sydney's.
 * @param {number} ms
 */
export function ownClock(ms) {
  const text = `${ownTimes().clockText(ms)} ${ownTimes().zoneText(ms)}`;
  const repeats = ownTimes().startText(ms, 0) === SYDNEY.startText(ms, 0);
  return chosenZone() === 'both' && repeats ? '' : text;
}
