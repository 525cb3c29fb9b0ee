// A pinned race, on every page of the board and in all its tabs: its countdown in the tab's title and in a bar, and
// three minutes before its start, by choice, a sound in each tab that may make one, and one notification. One race at
// a time.
import { raceClock } from './clock.mjs';
import { countdownText } from './format.mjs';
import { keep, kept } from './kept.mjs';
import { confirmed, isDone, isDue, pinOf, pinText, rangElsewhere } from './pin-state.mjs';

const CONFIRM_EVERY_MS = 20_000;
const bar = /** @type {HTMLElement} */ (document.getElementById('pin'));
const part = (name) => /** @type {HTMLElement} */ (bar.querySelector(`[data-part="${name}"]`));
const [link, state, sound, notice] = /** @type {const} */ ([
  part('race'),
  part('state'),
  part('sound'),
  part('notice'),
]);
const pageTitle = document.title;
const path = (raceId) => `/race/${raceId}`;

let pin = pinOf(kept('pin', null));
/** @type {AudioContext | null} */
let audio = null;

/** The race that is to be pinned when the service answers. */
let wanted = null;

/** The newest of all tabs. The one that rings may have no sound: a browser wants a click in each. */
function read() {
  const before = pin;
  pin = pinOf(kept('pin', null));
  if (rangElsewhere(before, pin, raceClock.now())) beep();
}

function write(value) {
  pin = value;
  keep('pin', value ?? undefined);
  show();
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function show() {
  bar.hidden = pin === null;
  document.documentElement.classList.toggle('has-pin', pin !== null);
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-pin]'))) {
    const isPinned = button.dataset.pin === pin?.raceId;
    button.setAttribute('aria-pressed', String(isPinned));
    setText(button, isPinned ? 'Pinned' : 'Pin');
  }
  if (pin === null) {
    document.title = pageTitle;
    return;
  }
  const now = raceClock.now();
  const text = pinText(pin, now, raceClock.speed, countdownText(pin.startMs, now));
  link.setAttribute('href', path(pin.raceId));
  setText(link, pin.title);
  setText(state, text);
  document.title = `${text} ${pin.title} · ${pageTitle}`;
  showChoices();
}

const chosen = (name) => kept(name, false) === true;

function showChoices() {
  for (const [button, name] of /** @type {[HTMLElement, string][]} */ ([
    [sound, 'sound'],
    [notice, 'notice'],
  ]))
    button.setAttribute('aria-pressed', String(chosen(name)));
  setText(sound, chosen('sound') && audio?.state !== 'running' ? 'Sound: click to allow' : 'Sound at 3 min');
  notice.hidden = !('Notification' in window) || Notification.permission === 'denied';
}

/** Only a click may start it. */
async function allowSound() {
  audio ??= new AudioContext();
  await audio.resume();
  show();
}

function beep() {
  if (!chosen('sound') || audio?.state !== 'running') return;
  for (const [i, hertz] of [660, 880].entries()) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const from = audio.currentTime + i * 0.25;
    volume.gain.setValueAtTime(0.2, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + 0.22);
    tone.frequency.value = hertz;
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(from + 0.24);
  }
}

function ring() {
  bar.dispatchEvent(new Event('ring'));
  beep();
  if (!chosen('notice') || !('Notification' in window) || Notification.permission !== 'granted' || pin === null) return;
  const { raceId, title } = pin;
  const shown = new Notification(`${title}: 3 minutes to the start`, { tag: raceId });
  shown.addEventListener('click', () => {
    window.focus();
    location.assign(path(raceId));
  });
}

/** One tab at a time, so that one of them rings. */
const alone = (work) => (navigator.locks ? navigator.locks.request('odds.pin', work) : work());

async function ringIfDue() {
  if (pin === null || !isDue(pin, raceClock.now(), raceClock.speed)) return;
  await alone(() => {
    read();
    if (pin === null || !isDue(pin, raceClock.now(), raceClock.speed)) return;
    write({ ...pin, rings: false });
    ring();
  });
}

/** Null: there is no such race. */
async function startOf(raceId) {
  const response = await fetch(`${path(raceId)}/start`, { cache: 'no-store', signal: AbortSignal.timeout(8000) });
  if (response.status !== 404 && !response.ok) throw new Error(`status ${response.status}`);
  const start = response.status === 404 ? null : await response.json();
  raceClock.set(Number(response.headers.get('X-Race-Now')));
  return start;
}

/** Without an answer what was pinned stays. */
async function pinRace(raceId) {
  wanted = raceId;
  const start = await startOf(raceId).catch(() => null);
  if (start !== null && wanted === raceId) write(confirmed(null, start, raceClock.now()));
}

function unpin() {
  wanted = null;
  write(null);
}

/** Another tab may have pinned another race, or none, since. */
async function confirmAgain() {
  if (pin === null || isDone(pin)) return;
  const { raceId } = pin;
  const start = await startOf(raceId).catch(() => undefined);
  if (start === undefined) return;
  await alone(() => {
    read();
    if (pin?.raceId === raceId) write(start && confirmed(pin, start, raceClock.now()));
  });
  await ringIfDue();
}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest('[data-pin]')) : null;
  const raceId = button?.dataset.pin;
  if (!raceId) return;
  if (raceId === pin?.raceId) unpin();
  else pinRace(raceId);
});
part('off').addEventListener('click', unpin);
sound.addEventListener('click', () => {
  const isHeard = chosen('sound') && audio?.state === 'running';
  keep('sound', !isHeard);
  if (isHeard) show();
  else allowSound();
});
notice.addEventListener('click', async () => {
  const wants = !chosen('notice');
  const allowed = wants && (await Notification.requestPermission()) === 'granted';
  keep('notice', allowed);
  show();
});

function tick() {
  if (pin === null) return;
  show();
  ringIfDue();
}

window.addEventListener('storage', () => {
  read();
  show();
});
document.getElementById('main')?.addEventListener('refreshed', show);
document.documentElement.classList.add('can-pin');
if (pin && isDone(pin)) unpin();
show();
setInterval(tick, Math.max(200, 1000 / Math.max(1, raceClock.speed)));
setInterval(confirmAgain, CONFIRM_EVERY_MS);
confirmAgain();
