// What a chart's canvas shows beside its lines: the scale of prices, the jump, and the names of the strong lines at
// their ends.
import { roundedPriceText } from './format.mjs';

/** Never shown: its colour is a token as the theme of the moment has it. */
const sample = document.head.appendChild(document.createElement('meta'));

/** Of a colour token, for the canvas. */
export function colour(name) {
  sample.style.color = `var(${name})`;
  return getComputedStyle(sample).color;
}

/**
 * The scale covers best price and consensus; a placeholder far above them may be cut off.
 * @param {import('uplot')} uplot
 * @returns {[low: number, high: number]}
 */
export function priceRange(uplot) {
  const numbers = (lines) => lines.flat().filter((value) => typeof value === 'number');
  const strong = numbers(uplot.data.slice(-2));
  if (strong.length === 0) return [1, 2];
  const low = Math.min(...numbers(uplot.data.slice(1)));
  const high = Math.max(...strong);
  const room = Math.max((high - low) * 0.12, high * 0.03);
  return [Math.max(1, low - room), high + room];
}

/** Marks the jump, or the advertised start until the race has jumped. */
export function drawJump(uplot, { jumped, start }) {
  const at = jumped ?? start;
  const { min, max } = uplot.scales.x;
  if (at <= min || at > max) return;
  const { ctx, bbox } = uplot;
  const x = Math.round(uplot.valToPos(at, 'x', true));
  ctx.save();
  ctx.strokeStyle = colour('--faint');
  ctx.fillStyle = colour('--soft');
  ctx.font = uplot.axes[0].font[0];
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.textAlign = 'right';
  ctx.textBaseline = 'top';
  ctx.fillText(jumped === null ? 'start' : 'jump', x - 5 * devicePixelRatio, bbox.top);
  ctx.restore();
}

/** Name and price at the ends of both strong lines: colour is not the only sign. */
export function drawEnds(uplot) {
  const lines = [
    { name: 'best', value: last(uplot, -1), colour: '--accent' },
    { name: 'cons.', value: last(uplot, -2), colour: '--ink' },
  ].filter(({ value }) => value !== null);
  const { ctx, bbox } = uplot;
  const placed = apart(lines.map((end) => ({ ...end, y: uplot.valToPos(end.value, 'y', true) })));
  ctx.save();
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.font = uplot.axes[0].font[0];
  for (const end of placed) {
    ctx.fillStyle = colour(end.colour);
    ctx.fillText(`${end.name} ${roundedPriceText(end.value)}`, bbox.left + bbox.width + 6 * devicePixelRatio, end.y);
  }
  ctx.restore();
}

const last = (uplot, line) => uplot.data.at(line).at(-1) ?? null;

function apart(names) {
  const [a, b] = names;
  const short = b ? 15 * devicePixelRatio - Math.abs(a.y - b.y) : 0;
  if (short <= 0) return names;
  const [upper, lower] = a.y < b.y ? [a, b] : [b, a];
  return [
    { ...upper, y: upper.y - short / 2 },
    { ...lower, y: lower.y + short / 2 },
  ];
}
