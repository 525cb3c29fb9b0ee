// Price alerts of the signed-in account as notifications, while one of its pages is open and by a choice that only a
// click makes. All tabs share one reading under one lock, and what was shown is kept before it is shown: a tab that
// dies, a reload or a second tab shows nothing twice.
import {
  alertChoiceAt,
  alertChoiceOf,
  alertNewsOf,
  alertsToShow,
  isFreshAnswer,
  isReadDue,
  nextReadMs,
} from './alert-state.mjs';
import { keep, kept } from './kept.mjs';

const CHOICE = 'alert-notice';
const NEXT = 'alert-read';
const TICK_MS = 2000;
const button = /** @type {HTMLButtonElement | null} */ (document.getElementById('alert-notice'));
const state = document.getElementById('alert-notice-state');
const canNotify = 'Notification' in window && 'locks' in navigator;

/**
 * Of the last answer, which this tab has handled.
 * @type {string | null}
 */
let tag = null;
/** @type {import('./alert-state.mjs').AlertNews | null} */
let last = null;

const choice = () => alertChoiceOf(kept(CHOICE, null));
const isAllowed = () => canNotify && Notification.permission === 'granted';
const isChosen = () => isAllowed() && choice() !== null;
/** No two tabs at once. A tab that only looks does not wait. */
const alone = (work, ifAvailable = false) =>
  navigator.locks.request('odds.alerts', { ifAvailable }, (lock) => (lock ? work() : undefined));

/** Null: there was no answer, or it is too old. */
async function read(known) {
  const begunMs = Date.now();
  const response = await fetch('/account/alerts/news', {
    cache: 'no-store',
    signal: AbortSignal.timeout(8000),
    ...(known && { headers: { 'If-None-Match': known } }),
  });
  if (response.status === 304) return { news: last, tag: known, isNew: false };
  const news = response.ok ? alertNewsOf(await response.json()) : null;
  if (news === null || !isFreshAnswer(begunMs, Date.now())) return null;
  return { news, tag: response.headers.get('ETag'), isNew: true };
}

function notify(title, body, id, path) {
  try {
    const shown = new Notification(title, { body, tag: id });
    shown.addEventListener('click', () => {
      window.focus();
      location.assign(path);
    });
  } catch {
    // One that the browser refuses takes none of the others with it.
  }
}

function show(news) {
  const { show: notices, more, choice: next } = alertsToShow(choice(), news);
  if (notices.length === 0) return;
  keep(CHOICE, next);
  // A browser that keeps nothing would show them again.
  if (JSON.stringify(choice()) !== JSON.stringify(next)) return;
  for (const { id, title, text, path } of notices) notify(title, text, id, path);
  if (more > 0)
    notify(`${more} more price alerts are done`, 'Your page of alerts has them.', 'alerts', '/account/alerts');
}

async function readAndShow() {
  const begunMs = Date.now();
  const chosen = choice();
  if (chosen === null || !isReadDue(kept(NEXT, null), begunMs)) return;
  keep(NEXT, nextReadMs(begunMs, null, chosen));
  const answer = await read(tag).catch(() => null);
  if (answer === null) return;
  ({ news: last, tag } = answer);
  keep(NEXT, nextReadMs(begunMs, last, chosen));
  if (answer.isNew && last) show(last);
}

function tick() {
  if (isChosen() && isReadDue(kept(NEXT, null), Date.now())) alone(readAndShow, true);
}

const TEXTS = {
  none: 'This browser shows no notifications of a page. Mails come as before.',
  denied: 'This browser refuses notifications of this site. Its settings of the site allow them.',
  on: 'On in this browser, while a page of this service is open.',
  off: 'Off in this browser.',
  failed: 'Not changed: the service did not answer, or this browser keeps nothing. Try again.',
};

/** @param {keyof typeof TEXTS | null} problem */
function showState(problem = null) {
  if (!button || !state) return;
  const isOn = isAllowed() && choice()?.account === button.dataset.account;
  const denied = canNotify && Notification.permission === 'denied';
  button.disabled = !canNotify;
  button.setAttribute('aria-pressed', String(isOn));
  state.textContent = TEXTS[problem ?? (canNotify ? (denied ? 'denied' : isOn ? 'on' : 'off') : 'none')];
}

/** What is there already is not shown. The page of another account than that which is signed in turns nothing on. */
async function turnOn() {
  try {
    new Notification('Price alerts', { body: 'They are shown like this.', tag: 'alerts' });
  } catch {
    return 'none';
  }
  const answer = await read(null).catch(() => null);
  const news = answer?.news ?? null;
  if (news === null || news.account === null || news.account !== button?.dataset.account) return 'failed';
  keep(CHOICE, alertChoiceAt(news.account, news));
  keep(NEXT, undefined);
  return choice() === null ? 'failed' : null;
}

button?.addEventListener('click', async () => {
  const isOn = button.getAttribute('aria-pressed') === 'true';
  // In the click itself: a browser asks its user of no other moment.
  const isGranted = isOn || (await Notification.requestPermission()) === 'granted';
  const problem = isGranted && (await alone(() => (isOn ? keep(CHOICE, undefined) : turnOn())));
  showState(problem || null);
});
window.addEventListener('storage', () => showState());
showState();
// An alert may have been made just before this page, here or elsewhere.
keep(NEXT, undefined);
setInterval(tick, TICK_MS);
tick();
