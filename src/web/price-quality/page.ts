// The page of price quality: for a day or a month, how often each bookmaker's price was the best, how it compared with
// the close and with the fair price, and how often it was stale or a placeholder. Each figure has its count.
import { MARK_MINUTES } from '../../domain/archive/archived-marks';
import type { Day } from '../../domain/race/race';
import { percentText, signedPercentText, UNKNOWN } from '../format';
import { type Fragment, type Html, html } from '../html';
import { dayText } from '../past/words';
import { CODE_NAMES, codeIcon } from '../race-parts';
import { vsClosePct, vsFairPct } from './csv';
import { isMonth, monthOf, type Period } from './period';
import type { BookQuality, CodeQuality, PriceQualityView } from './price-quality';
import type { MarkRow } from './source';

export const PRICE_QUALITY_PATH = '/price-quality';

const pathOf = (name: string): string => `${PRICE_QUALITY_PATH}/${name}`;

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

const monthText = (month: string): string => `${MONTHS[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;

/** `November 2026`, `Mon 23 Nov`. */
export const periodText = (period: Period, today: Day): string =>
  isMonth(period) ? monthText(period.name) : dayText(period.from, today);

export function priceQualityMain(view: PriceQualityView, today: Day): Html {
  const { period, codes, isOpen } = view;
  const when = periodText(period, today);
  const none = html`<p class="empty">No race of ${when} has been counted yet.</p>`;
  return html`<p class="back"><a href="/live">Live board</a></p>
<section class="panel price-quality" aria-labelledby="page-title"><header class="list-head"><h1 id="page-title">Which bookmaker had the best price, ${when}</h1>
<p>Win prices 30, 10, 5 and 1 minutes before the jump, counted over every race that was archived. ${isOpen && 'More races will be added. '}<a href="${pathOf(`${period.name}.csv`)}">The same as CSV</a> · <a href="#pq-method">How it is measured</a></p></header>
${monthLinks(view)}${dayLinks(view, today)}
${codes.length === 0 ? none : codes.map(codeSection)}
${method(view, today)}
</section>`;
}

const link = (name: string, text: string, isShown: boolean): Html =>
  html`<li><a href="${pathOf(name)}"${isShown && html` aria-current="page"`}>${text}</a></li>`;

const monthLinks = ({ months, period }: PriceQualityView): Html =>
  html`<nav class="pq-periods" aria-label="Months"><ul>${months.map((month) => link(month, monthText(month), month === period.name))}</ul></nav>`;

const dayLinks = ({ days, period }: PriceQualityView, today: Day): Fragment =>
  days.length > 0 &&
  html`<nav class="pq-periods" aria-label="Days of ${monthText(monthOf(period.from))}"><ul>${days.map((day) => link(day, dayText(day, today), day === period.name))}</ul></nav>`;

const TABLES: readonly (readonly [title: string, cell: (row: MarkRow) => Fragment])[] = [
  ['Best price', (row) => bestCell(row)],
  ['Against the close', (row) => meanCell(vsClosePct(row), row.closes)],
  ['Against the fair price', (row) => meanCell(vsFairPct(row), row.fairs)],
  ['Stale prices', ({ stale, checked }) => shareCell(stale, checked)],
  ['Placeholders', ({ placeholders, quoted, stale }) => shareCell(placeholders, quoted - stale)],
];

const codeSection = ({ category, books }: CodeQuality): Html =>
  html`<section aria-labelledby="pq-${category}"><h2 id="pq-${category}">${codeIcon(category)}<span aria-hidden="true">${CODE_NAMES[category]}</span></h2>
<div class="pq-tables">${TABLES.map(([title, cell]) => table(`${CODE_NAMES[category]}: ${title}`, title, books, cell))}</div></section>`;

const table = (
  name: string,
  title: string,
  books: readonly BookQuality[],
  cell: (row: MarkRow) => Fragment,
): Html => html`<table class="pq-table" aria-label="${name}"><caption>${title}</caption>
<thead><tr><th scope="col">Bookmaker</th>${MARK_MINUTES.map((minutes) => html`<th scope="col" class="num">${minutes} min</th>`)}</tr></thead>
<tbody>${books.map(({ title: book, marks }) => html`<tr><th scope="row">${book}</th>${MARK_MINUTES.map((minutes) => html`<td class="num">${marks[minutes] === null ? UNKNOWN : cell(marks[minutes])}</td>`)}</tr>`)}</tbody></table>`;

const number = (n: number): string => n.toLocaleString('en-AU');

const shareCell = (part: number, all: number): Fragment =>
  all === 0 ? UNKNOWN : html`${percentText((100 * part) / all)}<small>${number(part)} of ${number(all)}</small>`;

const meanCell = (pct: number | null, n: number): Fragment =>
  pct === null ? UNKNOWN : html`${signedPercentText(pct, 2)}<small>of ${number(n)}</small>`;

const bestCell = ({ best, bestAlone, compared }: MarkRow): Fragment =>
  compared === 0 ? UNKNOWN : html`${shareCell(best, compared)}<small>${number(bestAlone)} alone</small>`;

const method = (
  { checkedFrom }: PriceQualityView,
  today: Day,
): Html => html`<section class="pq-method" aria-labelledby="pq-method"><h2 id="pq-method">How it is measured</h2>
<dl><dt>Price</dt><dd>The win price that a bookmaker had on offer at the mark, as its last reading showed. Marks count back from the jump: the close of the market where that was seen, otherwise the advertised start. Scratched runners and abandoned races are left out.</dd>
<dt>Best price</dt><dd>The highest price on a runner. Bookmakers that share it all count; “alone” counts the prices that no other bookmaker had. Of: runners on which this bookmaker and at least one more had a price. Stale prices and placeholders are left out, here and in the next two figures.</dd>
<dt>Against the close</dt><dd>The mean of price ÷ best closing price − 1, over runners with a closing price. Above zero: the price was higher than the best price at the jump.</dd>
<dt>Against the fair price</dt><dd>The mean of price ÷ fair price − 1. The fair price has no margin: the median of the bookmakers that price the whole field, at the same mark. A bookmaker’s margin puts it below zero.</dd>
<dt>Stale prices</dt><dd>Prices on offer whose bookmaker had not been read for more than 120 seconds, or 30 minutes while it is read less often. That can be the bookmaker’s fault or ours. ${staleSince(checkedFrom, today)}</dd>
<dt>Placeholders</dt><dd>Prices of 21 or more that are at least four times the median of at least three other bookmakers. Of: prices that were not stale.</dd>
<dt>Counts</dt><dd>Every figure has the number of prices behind it; a few prices prove little. The numbers differ between bookmakers and between marks of one code: a bookmaker counts only while it offers a price, and each leaves out other races, opens them at other times and suspends them before the jump; closing and fair prices are not known for every runner. ${UNKNOWN} means that nothing was counted. Days are those of Sydney. A month is the sum of its days. A race that is archived again replaces its figures. Exchanges, reference books and books that are no longer collected are left out.</dd></dl>
</section>`;

const staleSince = (from: Day | null, today: Day): string => {
  const before = 'a price counts while it is on offer, whatever its age';
  return from === null
    ? `No age is known yet: ${before}.`
    : `Ages are known from ${dayText(from, today)}; before that ${before}, and no share is shown.`;
};
