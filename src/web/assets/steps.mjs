// The page before and after by the arrow keys and by a swipe: the next race of the meeting, the next day. Without this
// script their links are there.

/** Pixels. A shorter movement is a tap, a steeper one a scroll. */
const FAR = 70;
/** Where the browser's own gestures begin. */
const EDGE = 24;
/** These use the keys or the movement themselves. */
const OWN = 'input, select, textarea, summary, .strip, .scroller, .plot, .picks';

function follow(rel) {
  /** @type {HTMLElement | null} */ (document.querySelector(`a[rel="${rel}"]`))?.click();
}

const isOwn = (target) => target instanceof Element && target.closest(OWN) !== null;

document.addEventListener('keydown', (event) => {
  const { key, altKey, ctrlKey, metaKey, shiftKey, target } = event;
  if (event.defaultPrevented || altKey || ctrlKey || metaKey || shiftKey || isOwn(target)) return;
  if (key === 'ArrowLeft') follow('prev');
  if (key === 'ArrowRight') follow('next');
});

/** @type {{ x: number, y: number } | null} */
let from = null;

const isZoomed = () => (window.visualViewport?.scale ?? 1) > 1.05;

document.addEventListener(
  'touchstart',
  ({ touches, target }) => {
    const { clientX: x, clientY: y } = /** @type {Touch} */ (touches[0]);
    const isEdge = x < EDGE || x > window.innerWidth - EDGE;
    from = touches.length > 1 || isEdge || isZoomed() || isOwn(target) ? null : { x, y };
  },
  { passive: true },
);
document.addEventListener('touchend', ({ changedTouches }) => {
  const { clientX, clientY } = /** @type {Touch} */ (changedTouches[0]);
  if (from === null) return;
  const [across, down] = [clientX - from.x, clientY - from.y];
  from = null;
  if (Math.abs(across) >= FAR && Math.abs(down) < Math.abs(across) / 2) follow(across < 0 ? 'next' : 'prev');
});
