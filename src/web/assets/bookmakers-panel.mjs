// The panel "My bookmakers": what the visitor ticks and moves is kept by this browser and, for a signed-in owner, by
// the account. A change made elsewhere is never overwritten in silence: the newest choice wins if it knew the one
// before it, and otherwise the visitor decides.
import { ALL, choiceOf, isSameChoice, meeting, moved, toggled } from './bookmakers.mjs';
import { currentChoice, isSignedIn, KEPT_AS, keptChoice, useChoice } from './bookmakers-table.mjs';
import { keep } from './kept.mjs';

const STORED = '/account/bookmakers';
/** Ticks that follow each other are one write. */
const SEND_AFTER_MS = 600;
const main = /** @type {HTMLElement} */ (document.getElementById('main'));

/** The account's, while the visitor is to decide. */
let there = null;
let timer = 0;

const listed = () => [...main.querySelectorAll('[data-choice]')].map((/** @type {any} */ item) => item.dataset.choice);

function use(choice) {
  keep(KEPT_AS, choice);
  useChoice(choice, there !== null);
  showQuestion();
}

function showQuestion() {
  const question = document.getElementById('my-books-ask');
  if (question) question.hidden = there === null;
}

function news(text) {
  const line = document.getElementById('my-books-news');
  if (line) line.textContent = text;
}

function change(next) {
  const { version } = currentChoice();
  use({ ...next, version, changed: true });
  if (!isSignedIn || there !== null) return;
  clearTimeout(timer);
  timer = setTimeout(() => send().catch(failed), SEND_AFTER_MS);
}

async function meet() {
  const response = await fetch(STORED, { cache: 'no-store', headers: { Accept: 'application/json' } });
  if (!response.ok) return;
  const { bookmakers } = await response.json();
  const stored = bookmakers && { ...choiceOf(bookmakers), version: bookmakers.version };
  const what = meeting(currentChoice(), stored);
  if (what === 'take') take(stored);
  if (what === 'send') await send();
  if (what === 'ask') {
    there = stored;
    use(currentChoice());
  }
}

function take(stored) {
  there = null;
  use({ ...(stored ?? { ...ALL, version: null }), changed: false });
}

async function send() {
  const sent = currentChoice();
  const { order, hidden, version } = sent;
  const body = new URLSearchParams({ order: order.join(), hidden: hidden.join(), version: version ?? '' });
  const response = await fetch(STORED, { method: 'PUT', body, headers: { Accept: 'application/json' } });
  if (response.status === 409) return meet();
  if (!response.ok) return news('Kept in this browser; the account could not be reached.');
  const { bookmakers } = await response.json();
  const now = currentChoice();
  use({ ...choiceOf(now), version: bookmakers.version, changed: !isSameChoice(now, sent) });
  news('Saved with your account.');
}

const failed = () => news('Kept in this browser; the account could not be reached.');

main.addEventListener('change', (/** @type {any} */ { target }) => {
  const item = target.closest('[data-choice]');
  if (item) change(toggled(currentChoice(), listed(), item.dataset.choice, target.checked));
});
main.addEventListener('click', (/** @type {any} */ { target }) => {
  const button = target.closest('button');
  if (button?.dataset.step) {
    change(
      moved(currentChoice(), listed(), button.closest('[data-choice]').dataset.choice, Number(button.dataset.step)),
    );
    button.focus();
  }
  if (button && 'allBooks' in button.dataset) change(ALL);
  if (button && 'noBooks' in button.dataset) change({ ...currentChoice(), hidden: listed() });
  if (button?.dataset.take === 'account' && there) take(there);
  if (button?.dataset.take === 'browser' && there) {
    const { version } = there;
    there = null;
    use({ ...currentChoice(), version, changed: true });
    send().catch(failed);
  }
});
main.addEventListener('refreshed', showQuestion);
// Another tab.
window.addEventListener('storage', ({ key }) => {
  if (key?.endsWith(`.${KEPT_AS}`)) useChoice(keptChoice(), there !== null);
});
if (isSignedIn) meet().catch(failed);
