// Keeps the races of a widget fresh. A new reading is charged to the site's owner: a hidden page fetches nothing, and none fetches before there can be
// a new one.
const RETRY_SECONDS = 60;
/** So that not all readers come at the same moment. */
const SPREAD_SECONDS = 3;
const races = document.getElementById('races');
const state = document.getElementById('state');

let timer = 0;
let fetching = false;

/** Seconds until the next one. */
async function refresh() {
  const response = await fetch(document.documentElement.dataset.races, {
    cache: 'no-store',
    signal: AbortSignal.timeout(20_000),
  });
  // The owner changed the title, the colours or the sites: only a page that is loaded anew has them, if this site may still have it.
  if (response.status === 409) location.reload();
  if (!response.headers.get('Content-Type')?.startsWith('text/html')) throw new Error(`status ${response.status}`);
  races.innerHTML = await response.text();
  races.removeAttribute('aria-busy');
  const wait = response.headers.get('X-Next-Fill-Seconds') ?? response.headers.get('Retry-After');
  return Number(wait ?? RETRY_SECONDS);
}

async function turn() {
  clearTimeout(timer);
  if (document.hidden || fetching) return;
  fetching = true;
  let seconds = RETRY_SECONDS;
  try {
    seconds = await refresh();
    state.textContent = '';
  } catch {
    state.textContent = 'Odds cannot be updated at the moment.';
  }
  fetching = false;
  timer = setTimeout(turn, (seconds + Math.random() * SPREAD_SECONDS) * 1000);
}

document.addEventListener('visibilitychange', turn);
turn();
