// Keeps the prices of a widget fresh. A new reading is charged to the site's owner, so a hidden page fetches nothing. A
// reader keeps the place: what stays in the table is changed and not replaced.
import { raceClock } from './clock.mjs';
import { agoText, countdownText } from './format.mjs';

const LONGEST_SECONDS = 60;
/** So that not all readers come at the same moment. */
const SPREAD_SECONDS = 3;
const dataset = /** @type {{ prices: string, token: string }} */ (document.documentElement.dataset);
const prices = /** @type {HTMLElement} */ (document.getElementById('prices'));
const state = /** @type {HTMLElement} */ (document.getElementById('state'));

let timer = 0;
let fetching = false;

/** Seconds until the next one. */
async function refresh() {
  const response = await fetch(dataset.prices, {
    // Browsers that do not send Sec-Fetch-Site are served for it: no page of another site may send it.
    headers: { 'X-Widget': '1', 'X-Widget-Token': dataset.token },
    cache: 'no-store',
    signal: AbortSignal.timeout(20_000),
  });
  const wait = Number(response.headers.get('X-Next-Fill-Seconds') ?? Number.NaN);
  // Not the service's: a proxy's, for example.
  if (!Number.isFinite(wait)) throw new Error(`status ${response.status}`);
  // The owner changed the title, the colours or the sites: only a page that is loaded again has them, if this site may
  // still have it. Never at once after loading, so that it is not loaded over and over.
  if (response.status === 409 && !prices.hasAttribute('aria-busy')) {
    location.reload();
    return LONGEST_SECONDS;
  }
  raceClock.set(Number(response.headers.get('X-Race-Now')));
  show(await response.text(), response.ok);
  if (response.ok) await keepToken(response.headers.get('X-Widget-Token'));
  return Math.min(Math.max(wait, 1), LONGEST_SECONDS);
}

/**
 * It expires in a page that was hidden for long: a new one comes with the page. Without it there are prices too, only
 * fewer new ones.
 */
async function keepToken(token) {
  if (token === null) {
    const page = await fetch(location.href, { cache: 'no-store', signal: AbortSignal.timeout(20_000) }).catch(
      () => null,
    );
    if (!page?.ok) return;
    token = new DOMParser().parseFromString(await page.text(), 'text/html').documentElement.dataset.token;
  }
  if (token) dataset.token = token;
}

function show(text, isFilled) {
  const fresh = document.createElement('template');
  fresh.innerHTML = text;
  announce(isFilled ? '' : fresh.content.textContent);
  if (isFilled) /** @type {any} */ (window).Idiomorph.morph(prices, fresh.content, { morphStyle: 'innerHTML' });
  else prices.replaceChildren();
  prices.removeAttribute('aria-busy');
}

const setText = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

/** Countdowns and ages go on between two readings, and while none arrives. */
function tick() {
  retime('count', countdownText);
  retime('ago', agoText);
}

function retime(name, textOf) {
  const elements = /** @type {NodeListOf<HTMLElement>} */ (prices.querySelectorAll(`[data-${name}]`));
  for (const element of elements) setText(element, textOf(Number(element.dataset[name]), raceClock.now()));
}

/** The site that frames the page can fit its frame to it. It says nothing else, so any site may read it. */
function reportHeight() {
  const height = Math.ceil(document.body.getBoundingClientRect().height);
  parent.postMessage({ type: 'racing-odds-height', height }, '*');
}

/** Once: a repeated text would be read out each minute. */
function announce(text) {
  if (state.textContent !== text) state.textContent = text;
}

async function turn() {
  clearTimeout(timer);
  if (document.hidden || fetching) return;
  fetching = true;
  let seconds = LONGEST_SECONDS;
  try {
    seconds = await refresh();
  } catch {
    announce('Odds cannot be updated at the moment.');
  }
  fetching = false;
  timer = setTimeout(turn, (seconds + Math.random() * SPREAD_SECONDS) * 1000);
}

document.addEventListener('visibilitychange', turn);
setInterval(tick, 1000);
if (parent !== window) new ResizeObserver(reportHeight).observe(document.body);
turn();
