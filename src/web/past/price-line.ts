// A run's prices as a small line, on a scale of ratios: from 2 to 4 is as far as from 10 to 20. Its figures are beside
// it.
import { priceText, UNKNOWN } from '../format';
import { type Html, html } from '../html';
import { PRICE_MARKS } from './runner/model';

const WIDTH = 112;
const HEIGHT = 26;
/** Room for the dot at its end. */
const EDGE = 3;

/** One price is shown without a line, none as a dash. */
export function priceLine(prices: readonly (number | null)[]): Html {
  const known = prices.flatMap((price, i) => (price === null ? [] : [{ price, i }]));
  const first = known[0];
  const last = known.at(-1);
  if (!first || !last || known.length < 2)
    return html`<span class="p-none">${last ? priceText(last.price) : UNKNOWN}</span>`;
  const logs = known.map(({ price }) => Math.log(price));
  const low = Math.min(...logs);
  const high = Math.max(...logs);
  const points = known.map(({ i }, n) => [x(i), y(logs[n]!, low, high)] as const);
  const [endX, endY] = points.at(-1)!;
  const path = points.map(([atX, atY]) => `${atX},${atY}`).join(' ');
  return html`<span class="price-line ${direction(first.price, last.price)}"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${label(known)}"><polyline points="${path}"/><circle cx="${endX}" cy="${endY}" r="2.5"/></svg><span class="from-to">${priceText(first.price)} → <b>${priceText(last.price)}</b></span></span>`;
}

const tenths = (value: number): number => Math.round(value * 10) / 10;
const x = (mark: number): number => tenths(EDGE + ((WIDTH - 2 * EDGE) * mark) / (PRICE_MARKS.length - 1));
const y = (log: number, low: number, high: number): number =>
  tenths(high === low ? HEIGHT / 2 : HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (log - low)) / (high - low));

const direction = (from: number, to: number): string =>
  priceText(from) === priceText(to) ? 'steady' : to < from ? 'went-in' : 'went-out';

/** `Consensus: 60 minutes out 6.50, …, at the jump 4.20`. */
function label(known: readonly { readonly price: number; readonly i: number }[]): string {
  const texts = known.map(({ price, i }) => {
    const minutes = PRICE_MARKS[i]!;
    return `${minutes === 0 ? 'at the jump' : `${minutes} minutes out`} ${priceText(price)}`;
  });
  return `Consensus: ${texts.join(', ')}`;
}
