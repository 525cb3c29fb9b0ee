// Keeps the page fresh without a reload: fetches the main part, morphs it in place (focus, scroll and selection stay), and ticks
// countdowns and ages on the service's race clock. A stream reports when there is something new; without one the page polls. A hidden page
// has no stream and never fetches, and a page fetches less often while the service is away.
import { raceClock } from './clock.mjs';
import { ageText, clockText, countdownText, isOld } from './format.mjs';

const EVERY_MS = 2500;
const SLOWEST_MS = 30_000;
/** While the stream is open, which sends something every ten seconds. */
const QUIET_MS = 25_000;
const NO_STREAM_MS = 60_000;
const root = document.documentElement;
const main = document.getElementById('main');
const link = document.getElementById('link');
const linkText = document.getElementById('link-text');

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
}

function tickPage() {
  setText(document.getElementById('now'), clockText(raceClock.now()));
  tick(main);
}

let etag = null;
let lastGoodText = clockText(raceClock.now());
let failures = 0;
let timer = 0;

async function refresh() {
  const headers = etag ? { 'If-None-Match': etag } : {};
  const response = await fetch(root.dataset.refresh, { headers, cache: 'no-store', signal: AbortSignal.timeout(8000) });
  if (response.status !== 200 && response.status !== 304) throw new Error(`status ${response.status}`);
  const raceMs = Number(response.headers.get('X-Race-Now'));
  if (response.status === 200) {
    show(await response.text(), raceMs);
    etag = response.headers.get('ETag');
  }
  raceClock.set(raceMs);
}

function show(text, raceMs) {
  raceClock.set(raceMs);
  const fresh = document.createElement('template');
  fresh.innerHTML = text;
  tick(fresh.content);
  const changed = [];
  window.Idiomorph.morph(main, fresh.content, {
    morphStyle: 'innerHTML',
    callbacks: {
      beforeNodeMorphed: (before, after) => {
        if (priceMoved(before, after)) changed.push(before);
        return !isDrawn(before);
      },
      beforeAttributeUpdated: (name) => !VISITORS.includes(name),
    },
  });
  main.dispatchEvent(new Event('refreshed'));
  changed.forEach(flash);
}

// The visitor opened the folds and picked the runner and the book: a refresh changes none of them.
const VISITORS = ['open', 'checked', 'aria-pressed'];
// Only charts.mjs changes a chart.
const isDrawn = (element) => element.hasAttribute?.('data-drawn');

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
  lastGoodText = clockText(raceClock.now());
  if (link.dataset.state === 'live') return;
  link.dataset.state = 'live';
  setText(linkText, 'Live');
}

function lost() {
  failures += 1;
  if (failures < 2 || link.dataset.state === 'lost') return;
  link.dataset.state = 'lost';
  setText(linkText, `Connection lost, showing data from ${lastGoodText}`);
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
  if (document.hidden || !root.dataset.refresh) return;
  behind = fetching;
  if (fetching) return;
  fetching = true;
  await refresh().then(live, lost);
  fetching = false;
  if (behind) turn();
  else next();
}

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
  else listen();
  turn();
});
window.addEventListener('online', turn);
tickPage();
setInterval(tickPage, Math.max(200, 1000 / Math.max(1, raceClock.speed)));
if (root.dataset.refresh) timer = setTimeout(turn, EVERY_MS);
listen();
