// The value of a bet at the best price at each mark before the start: its closing line value against the runner's best
// close.
import { bookmaker } from '../../domain/bookmakers';
import type { MarkedBest } from '../../domain/clv/best-at-marks';
import { MARK_NAMES, type MarkName } from '../../domain/market/intelligence/marks';
import { priceText, signedPercentText, UNKNOWN } from '../format';
import { type Html, html } from '../html';
import { raceName } from '../race-parts';
import type { ClosesRow, PastRace } from './model';

const minutesOf = (mark: MarkName): string => mark.slice(1);

export function marksTable({ sheet, closes }: PastRace): Html | null {
  const rows = closes.filter(({ marks }) => marks.some(({ best }) => best !== null));
  if (rows.length === 0) return null;
  const caption = `Closing line value of the best price at each mark, ${raceName(sheet)}`;
  return html`<section class="marks" aria-labelledby="marks-title"><h2 class="market-title" id="marks-title">Value against the close<span class="h-note">best price at each mark, in percent of the best close</span></h2>
<div class="scroller" role="region" aria-label="${caption}" tabindex="0"><table class="marks-table"><caption class="vh">${caption}. Minutes are before the advertised start.</caption>
<thead><tr><th scope="col" class="m-runner">Runner</th>${MARK_NAMES.map((mark) => html`<th scope="col"><span class="vh">${minutesOf(mark)} minutes out</span><span aria-hidden="true">${minutesOf(mark)} min</span></th>`)}<th scope="col">Best close</th></tr></thead>
<tbody>${rows.map((row) => markRow(sheet.category, row))}</tbody></table></div>
<p class="formula">Closing line value (CLV) = 100 × (price ÷ best close − 1), in percent. Positive: the price was better than the best close. The best price leaves out placeholders; a dash means that no price stood, or that no book has a closing line.</p>
</section>`;
}

const markRow = (category: string, { number, name, marks, close }: ClosesRow): Html =>
  html`<tr><th scope="row" class="m-runner"><span class="cloth cloth-${category}-${number}">${number}</span><span class="name">${name}</span></th>${marks.map(markCell)}<td>${priceText(close?.price ?? null)}</td></tr>`;

function markCell({ best, clvPct }: MarkedBest): Html {
  if (best === null) return html`<td class="none">${UNKNOWN}</td>`;
  const value = clvPct === null ? html`<span class="clv">${UNKNOWN}</span>` : valueText(clvPct);
  return html`<td title="${bookmaker(best.bookmaker)?.title ?? best.bookmaker}">${value}<span class="m-price">${priceText(best.price)}</span></td>`;
}

const valueText = (pct: number): Html =>
  html`<span class="clv${pct >= 0.05 && ' over'}">${signedPercentText(pct)}</span>`;
