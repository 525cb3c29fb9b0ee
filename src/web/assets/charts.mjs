// Draws the picked runner's prices of the last hour with uPlot: every book a quiet step, the best price across them a
// strong one, their consensus dashed; the book under the pointer, or picked by its header, is strong. Fetches its data
// when the page has changed. The page's text has the same figures and needs no chart.
import { booksAt, labelOf, placeLabel } from './chart-books.mjs';
import { chartColumns } from './chart-columns.mjs';
import { colour, drawEnds, drawJump, priceRange } from './chart-marks.mjs';
import { raceClock } from './clock.mjs';
import { roundedPriceText } from './format.mjs';
import { bareTime, plainTime } from './zone.mjs';

/** Undefined where it could not be loaded. */
const { uPlot } = /** @type {Window & { uPlot: typeof import('uplot') }} */ (window);
const main = /** @type {HTMLElement} */ (document.getElementById('main'));
const EVERY_MS = 5000;
const RIGHT_PX = 74;

/**
 * The data of the race on the page, and the chart drawn from them.
 * @type {{ path: string | null, etag: string | null, data: any }}
 */
let loaded = { path: null, etag: null, data: null };
/** @type {any} */
let drawn = null;
/** The book that the visitor picked by its header. */
let pickedBook = null;

const panel = () => /** @type {HTMLElement | null} */ (main.querySelector('.hour[data-prices]'));
const pickedOf = (section) => section.querySelector('.pick input:checked') ?? section.querySelector('.pick input');

async function load() {
  const path = panel()?.dataset.prices;
  if (!path) return;
  /** @type {Record<string, string>} */
  const headers = loaded.path === path && loaded.etag ? { 'If-None-Match': loaded.etag } : {};
  const response = await fetch(path, { headers, cache: 'no-store', signal: AbortSignal.timeout(8000) });
  if (response.status === 304) return;
  if (response.status !== 200) throw new Error(`status ${response.status}`);
  loaded = { path, etag: response.headers.get('ETag'), data: await response.json() };
  draw();
}

function draw() {
  const section = panel();
  if (!section) return;
  const picked = pickedOf(section);
  picked.checked = true;
  const number = Number(picked.value);
  for (const summary of /** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll('.runner-summary')))
    summary.toggleAttribute('data-shown', Number(summary.dataset.runner) === number);
  // Without uPlot the summary follows the pick all the same.
  if (!uPlot || loaded.path !== section.dataset.prices) return;
  const shown = chartColumns(loaded.data, number, raceClock.now() / 1000);
  if (shown) plot(section.querySelector('.plot'), shown, number);
}

function plot(element, shown, number) {
  element.setAttribute(
    'aria-label',
    `Chart of the prices of ${number} ${shown.name} over the last hour; the table below lists them.`,
  );
  const books = loaded.data.books;
  if (drawn?.element !== element || drawn.books.length !== books.length) start(element, books);
  drawn.books = books;
  drawn.shown = shown;
  drawn.uplot.setData(shown.columns);
  note('');
}

function note(text) {
  const element = panel()?.querySelector('.plot-note');
  if (element && element.textContent !== text) element.textContent = text;
}

const isStrong = (book) => drawn.pointed.includes(book) || drawn.books[book] === pickedBook;

function emphasise() {
  if (!drawn) return;
  drawn.books.forEach((_, i) => {
    drawn.uplot.series[i + 1].width = isStrong(i) ? 2.25 : 1.25;
  });
  drawn.uplot.redraw(false);
}

function point(uplot) {
  const pointed = booksAt(uplot, drawn.books);
  drawn.label.hidden = pointed.length === 0;
  if (pointed.length > 0) {
    drawn.label.textContent = labelOf(uplot, drawn.books, pointed);
    placeLabel(drawn.label, uplot);
  }
  if (String(pointed) === String(drawn.pointed)) return;
  drawn.pointed = pointed;
  emphasise();
}

/** A second click on the same header lets it go. */
function pickBook(title) {
  pickedBook = pickedBook === title ? null : title;
  markPicked();
  emphasise();
}

function markPicked() {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (main.querySelectorAll('button.book')))
    button.setAttribute('aria-pressed', String(button.dataset.line === pickedBook));
}

function start(element, books) {
  drawn?.uplot.destroy();
  const label = Object.assign(document.createElement('span'), { className: 'plot-book', hidden: true });
  drawn = { element, books, label, pointed: [], shown: { from: 0, until: 1 } };
  drawn.uplot = new uPlot(
    options(element, books),
    [[0, 1], ...books.map(() => [null, null]), [null, null], [null, null]],
    element,
  );
  drawn.uplot.over.append(label);
  emphasise();
}

const stepped = uPlot?.paths.stepped?.({ align: 1 });
const line = (name, width) => ({ stroke: () => colour(name), width, paths: stepped, points: { show: false } });

/** @returns {import('uplot').Options} */
function options(element, books) {
  const text = () => colour('--soft');
  const grid = { stroke: () => colour('--line'), width: 1 };
  const font = `12px ${getComputedStyle(document.body).fontFamily}`;
  const axis = { stroke: text, font, grid, ticks: { show: false }, border: { show: false } };
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    padding: [10, RIGHT_PX, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { show: false } },
    scales: { x: { time: false, range: () => [drawn.shown.from, drawn.shown.until] }, y: { range: priceRange } },
    axes: [
      {
        ...axis,
        space: 76,
        size: 28,
        gap: 6,
        incrs: [60, 120, 300, 600, 900, 1200],
        values: (_, at) => at.map((s, i) => (i === 0 ? plainTime(s * 1000, 'time') : bareTime(s * 1000))),
      },
      { ...axis, space: 36, size: 48, gap: 6, values: (_, at) => at.map(roundedPriceText) },
    ],
    series: [
      {},
      ...books.map((_, i) => ({
        ...line('--chart-book', 1.25),
        stroke: () => colour(isStrong(i) ? '--chart-strong' : '--chart-book'),
      })),
      { ...line('--ink', 1.75), dash: [6, 4] },
      line('--accent', 2.5),
    ],
    hooks: {
      draw: [(uplot) => drawJump(uplot, loaded.data), drawEnds],
      setCursor: [point, readOut],
    },
  };
}

/** The prices under the pointer. */
function readOut(uplot) {
  const out = panel()?.querySelector('.readout');
  const { idx: at, left } = uplot.cursor;
  if (!out) return;
  const pointed = typeof at === 'number' && left >= 0;
  out.textContent = pointed ? [plainTime(uplot.data[0][at] * 1000, 'clock'), ...standing(uplot, at)].join(' · ') : '';
}

function standing(uplot, at) {
  const picked = drawn.books.indexOf(pickedBook);
  const named = [
    ['best', uplot.data.at(-1)[at]],
    ['consensus', uplot.data.at(-2)[at]],
    [drawn.books[picked], uplot.data[picked + 1]?.[at]],
  ];
  return named
    .filter(([name, value]) => name && typeof value === 'number')
    .map(([name, value]) => `${name} ${roundedPriceText(value)}`);
}

/** For a screen reader, when a runner is picked: a refresh is not read out. */
function announce(section) {
  const text = section.querySelector('.runner-summary[data-shown]').textContent;
  section.querySelector('[role=status]').textContent = text.replace(/\s+/g, ' ');
}

/** Scrolls only the row of picks, never the page. */
function bringIntoView(pick) {
  const row = pick.parentElement;
  if (row.scrollWidth > row.clientWidth) row.scrollLeft = pick.offsetLeft - (row.clientWidth - pick.offsetWidth) / 2;
}

const FAILED = 'The chart could not be loaded; it is tried again. The table below has its figures.';
const isLoaded = () => loaded.path === panel()?.dataset.prices;

const attempt = () =>
  load().then(
    () => uPlot || note(FAILED),
    () => isLoaded() || note(FAILED),
  );
main.addEventListener('refreshed', () => {
  markPicked();
  draw();
  attempt();
});
main.addEventListener('click', (/** @type {any} */ { target }) => {
  const button = target.closest('button.book');
  if (button) pickBook(button.dataset.line);
});
main.addEventListener('change', (/** @type {any} */ { target }) => {
  if (!target.closest('.pick')) return;
  draw();
  announce(panel());
  bringIntoView(target.closest('.pick'));
});
for (const wish of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)'])
  window.matchMedia(wish).addEventListener('change', () => drawn?.uplot.redraw());
document.addEventListener('viewed', () => drawn?.uplot.redraw(false, true));
new ResizeObserver(() => {
  if (!drawn?.element.isConnected) return;
  const { clientWidth: width, clientHeight: height } = drawn.element;
  if (width > 0 && (width !== drawn.uplot.width || height !== drawn.uplot.height))
    drawn.uplot.setSize({ width, height });
}).observe(main);
setInterval(
  () => {
    if (document.hidden) return;
    draw();
    if (!isLoaded()) attempt();
  },
  Math.max(1000, EVERY_MS / Math.max(1, raceClock.speed)),
);
draw();
const first = main.querySelector('.pick input:checked');
if (first) bringIntoView(first.closest('.pick'));
attempt();
