// Keeps the page fresh without a reload: fetches the main part, morphs it in place (focus, scroll and selection stay),
// and ticks countdowns and ages on the service's race clock. A stream reports when there is something new; without one
// the page polls. A hidden page has no stream and never fetches, and a page fetches less often while the service is
// away. What it says of the prices follows their newest poll.
import { arrangeBookmakers } from './bookmakers-table.mjs';
import { applyChoices } from './choices.mjs';
import { raceClock } from './clock.mjs';
import { ageText, clockText, countdownText, dateText, isOld, zoneText } from './format.mjs';
import { pricesState } from './freshness.mjs';
import { isFree, isHeld, keepingPrices, onAsked, sayHeld, turnTo } from './turn.mjs';
import { ownClock, ownDay, plainTime, zoneTimes } from './zone.mjs';

const SLOWEST_MS = 30_000;
/** While the stream is open, which sends something every ten seconds. */
const QUIET_MS = 25_000;
const NO_STREAM_MS = 60_000;
const root = document.documentElement;
const EVERY_MS = Number(root.dataset.every ?? 2500);
const main = /** @type {HTMLElement} */ (document.getElementById('main'));
/** A page that is refreshed or has a stream has it. */
const link = /** @type {HTMLElement} */ (document.getElementById('link'));
const linkText = document.getElementById('link-text');
const linkNews = document.getElementById('link-news');

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function tick(within) {
  const now = raceClock.now();
  for (const element of within.querySelectorAll('[data-count]')) {
    const at = Number(element.dataset.count);
    setText(element, countdownText(at, now));
    element.classList.toggle('soon', at - now < 120_000);
  }
  for (const element of within.querySelectorAll('[data-age]')) {
    const at = Number(element.dataset.age);
    setText(element, ageText(at, now));
    element.classList.toggle('old', isOld(at, now));
  }
  for (const element of within.querySelectorAll('[data-stale-from]')) {
    const stale = now >= Number(element.dataset.staleFrom);
    element.classList.toggle('stale', stale);
    for (const mark of element.querySelectorAll('[data-stale-text]'))
      setText(mark, stale ? mark.dataset.staleText : '');
  }
  const sheet = within.querySelector('[data-freshness]');
  sheet?.classList.toggle('unread', pricesState(freshnessOf(sheet), now).state === 'old');
}

function freshnessOf(sheet) {
  const { freshness: kind = 'none', polled, oldFrom } = sheet?.dataset ?? {};
  return { kind, polledMs: Number(polled), oldFromMs: Number(oldFrom) };
}

let day = ownDay();

function tickPage() {
  const now = raceClock.now();
  setText(document.getElementById('now'), clockText(now));
  setText(document.querySelector('.now .date'), dateText(now));
  setText(document.querySelector('.now abbr'), zoneText(now));
  if (day !== ownDay()) zoneTimes(document);
  day = ownDay();
  if (root.dataset.zone) setText(document.getElementById('own-now'), ownClock(raceClock.now()));
  tick(main);
  if (isFree()) bringIn(shown);
  if (link) showState();
}

/** @type {string | null} */
let etag = null;
let lastGoodMs = raceClock.now();
let failures = 0;
let timer = 0;

async function refresh(address) {
  /** @type {Record<string, string>} */
  const headers = etag ? { 'If-None-Match': etag } : {};
  const response = await fetch(address, { headers, cache: 'no-store', signal: AbortSignal.timeout(8000) });
  if (response.status !== 200 && response.status !== 304) throw new Error(`status ${response.status}`);
  const raceMs = Number(response.headers.get('X-Race-Now'));
  if (response.status === 200) {
    show(await response.text(), raceMs);
    etag = response.headers.get('ETag');
  }
  raceClock.set(raceMs);
}

/** The last text that was shown, or of which a race waits. */
let shown = '';

function show(text, raceMs) {
  raceClock.set(raceMs);
  shown = text;
  bringIn(text);
}

function bringIn(text) {
  const fresh = document.createElement('template');
  fresh.innerHTML = text;
  tick(fresh.content);
  zoneTimes(fresh.content);
  arrangeBookmakers(fresh.content);
  applyChoices(fresh.content);
  const held = isHeld(fresh.content);
  sayHeld(held ? fresh.content : null);
  const changed = [];
  keepingPrices(() => {
    turnTo(fresh.content, held);
    morph(fresh.content, held, changed);
  });
  main.dispatchEvent(new Event('refreshed'));
  changed.forEach(flash);
}

function morph(fresh, held, changed) {
  /** @type {any} */ (window).Idiomorph.morph(main, fresh, {
    morphStyle: 'innerHTML',
    callbacks: {
      beforeNodeMorphed: (before, after) => {
        if (priceMoved(before, after)) changed.push(before);
        return !isDrawn(before) && !(held && isRace(before));
      },
      beforeAttributeUpdated: (name) => !VISITORS.includes(name),
    },
  });
}

// The visitor opened the folds, picked the runner and the book, and is at a price: a refresh changes none of them.
// A style is a script's: the server writes none.
const VISITORS = ['open', 'checked', 'aria-pressed', 'tabindex', 'style'];
// Only charts.mjs changes a chart.
const isDrawn = (element) => element.hasAttribute?.('data-drawn');
const isRace = (element) => element.classList?.contains('col-main');

const priceMoved = (before, after) =>
  before.dataset?.price && after.dataset?.price && before.dataset.price !== after.dataset.price;

const still = window.matchMedia('(prefers-reduced-motion: reduce)');
function flash(cell) {
  if (still.matches) return;
  cell.animate([{ backgroundColor: 'var(--flash)' }, { backgroundColor: 'transparent' }], {
    duration: 1400,
    easing: 'ease-out',
  });
}

function live() {
  failures = 0;
  lastGoodMs = raceClock.now();
  showState();
}

function lost() {
  failures += 1;
  showState();
}

function showState() {
  const { state, text, news } = failures < 2 ? statePrices() : stateLost();
  setText(linkText, text);
  if (link.dataset.state === state) return;
  link.dataset.state = state;
  setText(linkNews, news);
}

const statePrices = () => pricesState(freshnessOf(main.querySelector('[data-freshness]')), raceClock.now());

function stateLost() {
  const text = `Connection lost, showing data from ${plainTime(lastGoodMs, 'clock')}`;
  return { state: 'lost', text, news: text };
}

let fetching = false;
let behind = false;

function next() {
  clearTimeout(timer);
  const slower = Math.min(SLOWEST_MS, EVERY_MS * 2 ** Math.max(0, failures - 1));
  timer = setTimeout(turn, streaming && failures === 0 ? QUIET_MS : slower);
}

async function turn() {
  clearTimeout(timer);
  const address = root.dataset.refresh;
  if (document.hidden || !address) return;
  behind = fetching;
  if (fetching) return;
  fetching = true;
  await refresh(address).then(live, lost);
  fetching = false;
  if (behind) turn();
  else next();
}

/** @type {EventSource | null} */
let source = null;
let streaming = false;

function listen() {
  if (!root.dataset.stream || document.hidden || source) return;
  source = new EventSource(root.dataset.stream);
  source.addEventListener('changed', ({ data }) => {
    streaming = true;
    if (data === etag) next();
    else turn();
  });
  source.addEventListener('beat', ({ data }) => {
    raceClock.set(Number(data));
    live();
    next();
  });
  source.addEventListener('error', () => {
    streaming = false;
    next();
    if (source?.readyState !== EventSource.CLOSED) return;
    source = null;
    setTimeout(listen, NO_STREAM_MS);
  });
}

function unlisten() {
  source?.close();
  source = null;
  streaming = false;
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) unlisten();
  else {
    tickPage();
    listen();
  }
  turn();
});
window.addEventListener('online', turn);
document.addEventListener('viewed', tickPage);
onAsked(() => bringIn(shown));
tickPage();
setInterval(tickPage, Math.max(200, 1000 / Math.max(1, raceClock.speed)));
if (root.dataset.refresh) timer = setTimeout(turn, EVERY_MS);
listen();
