// The coverage report as a page: the share of the races for which each bookmaker had prices, how complete results are,
// and what the archive contains.

import type { Day } from '../../domain/race/race';
import { aetDay } from '../../domain/time/aet';
import type { AppError } from '../../errors';
import { instant, isOld, percentText, timeText, UNKNOWN, zoneText } from '../format';
import { type Fragment, type Html, html } from '../html';
import { dayText } from '../past/words';
import { age, CODE_NAMES, codeIcon, countryTag, staleFrom, tag } from '../race-parts';
import type { ArchiveView, CodeView, CollectedView, CoverageView, PricesView, ResultsView } from './coverage';

export function coverageMain(view: CoverageView, nowMs: number): Html {
  const { prices, results, archive, bookmakers } = view;
  const missing = (name: string): Html =>
    html`<p class="empty">${view.unavailable.find((one) => one.name === name)?.reason}</p>`;
  const today = aetDay(Date.parse(view.as_of));
  return framed(
    html`<p>Counted ${momentText(view.as_of, today)}, and again after half an hour at the latest. The same as <a href="/coverage-report.json">JSON</a>.</p>`,
    [
      section('prices', 'Prices', prices ? pricesPart(prices) : missing('prices')),
      section('results', 'Results', results ? resultsPart(results) : missing('results')),
      section('archive', 'Archive', archive ? archivePart(archive, today) : missing('archive')),
      section(
        'bookmakers',
        'Bookmakers',
        bookmakers
          ? bookmakersPart(bookmakers, Date.parse(view.bookmakers_as_of ?? view.as_of), nowMs)
          : missing('bookmakers'),
      ),
    ],
  );
}

/** While nothing can be measured: what is missing and why, and no figure. */
export const noCoverageMain = ({ message, extensions }: AppError): Html =>
  framed(html`<p>${message}</p>`, [
    html`<ul class="cov-missing">${(extensions.unavailable ?? []).map(({ reason }) => html`<li>${reason}</li>`)}</ul>`,
  ]);

const framed = (head: Html, parts: readonly Html[]): Html => html`<p class="back"><a href="/live">Live board</a></p>
<section class="panel coverage" aria-labelledby="page-title"><header class="list-head"><h1 id="page-title">Coverage</h1>${head}</header>
${parts}
</section>`;

const section = (id: string, title: string, body: Html): Html =>
  html`<section aria-labelledby="cov-${id}"><h2 id="cov-${id}">${title}</h2>${body}</section>`;

const spanText = (from: Day, to: Day): string => `${dayText(from, to)} to ${dayText(to, to)}.`;

function momentText(at: string, today: Day): Html {
  const ms = Date.parse(at);
  return html`<time datetime="${instant(ms)}">${dayText(aetDay(ms), today)}, ${timeText(ms)} ${zoneText(ms)}</time>`;
}

const codeName = ({ category, country }: Pick<CodeView, 'category' | 'country'>): Html =>
  html`${codeIcon(category)}<span aria-hidden="true">${CODE_NAMES[category]}</span>${countryTag(country)}`;

const number = (n: number): string => n.toLocaleString('en-AU');

function pricesPart({ measured, by_code, from_day, to_day }: PricesView): Html {
  return html`<p class="cov-note">${spanText(from_day, to_day)} ${measured}</p>
<div class="cov-codes">${by_code.map(codeTable)}</div>`;
}

const codeTable = (code: CodeView): Html => html`<table class="cov-table">
<caption>${codeName(code)}<span class="h-note">${number(code.races)} ${code.races === 1 ? 'race' : 'races'}</span></caption>
<thead><tr><th scope="col">Bookmaker</th><th scope="col" class="num">With prices</th><th scope="col" class="num">With close</th></tr></thead>
<tbody>${code.bookmakers.map((one) => html`<tr><th scope="row">${one.title}</th><td class="num">${percentText(one.races_priced_pct)}</td><td class="num">${percentText(one.races_closed_pct)}</td></tr>`)}</tbody></table>`;

const resultsPart = ({ by_category, from_day, to_day }: ResultsView): Html =>
  html`<p class="cov-note">${spanText(from_day, to_day)} Races by the day of their meeting. The full field is every runner with its finish; it is missing while it is awaited, late, or no longer expected. Some codes have no source for it.</p>
<table class="cov-table cov-wide"><caption class="vh">Results by code and country</caption>
<thead><tr><th scope="col">Code</th>${RESULT_COLUMNS.map(([title]) => html`<th scope="col" class="num">${title}</th>`)}</tr></thead>
<tbody>${by_category.map((row) => html`<tr><th scope="row">${codeName(row)}</th>${RESULT_COLUMNS.map(([, count]) => html`<td class="num">${number(count(row))}</td>`)}</tr>`)}</tbody></table>`;

type ResultRow = ResultsView['by_category'][number];

const RESULT_COLUMNS: readonly (readonly [title: string, count: (row: ResultRow) => number])[] = [
  ['Results', (row) => row.races],
  ['None yet', (row) => row.without_result],
  ['Full field', (row) => row.complete],
  ['Missing', (row) => row.pending + row.overdue + row.unavailable],
  ['No source', (row) => row.unsupported],
];

function archivePart({ archive_from, archive_to, races, rows, bookmakers, ...pct }: ArchiveView, today: Day): Html {
  const at = (instant: string | null): Fragment => (instant === null ? UNKNOWN : momentText(instant, today));
  return html`<dl class="cov-facts"><dt>First race</dt><dd>${at(archive_from)}</dd><dt>Last race</dt><dd>${at(archive_to)}</dd>
<dt>Races</dt><dd>${number(races)}, ${percentText(pct.resulted_races_pct)} with a result</dd>
<dt>Closing prices</dt><dd>${number(rows)}, ${percentText(pct.is_closing_line_pct)} genuine closing lines</dd>
<dt>Bookmakers</dt><dd>${number(bookmakers)}</dd></dl>
<p class="cov-note"><a href="/past">Past races</a>, day by day</p>`;
}

/** A state read longer ago than this is not current: as `isOld`. */
const PAST_MS = 120_001;

const bookmakersPart = (
  books: readonly CollectedView[],
  readMs: number,
  nowMs: number,
): Html => html`<p class="cov-note">As of ${age(readMs, nowMs)} ago. <a href="/data-quality">Data quality</a> has what went wrong.</p>
<table class="cov-table cov-wide${isOld(readMs, nowMs) && ' stale'}"${staleFrom(readMs + PAST_MS)}><caption class="vh">Bookmakers that are collected</caption>
<thead><tr><th scope="col">Bookmaker</th><th scope="col">Last response</th><th scope="col">Last successful response</th></tr></thead>
<tbody>${books.map(({ title, status, last_ok }) => html`<tr><th scope="row">${title}</th><td>${pollTag(status, isOld(readMs, nowMs))}</td><td>${last_ok === null ? 'none yet' : html`${age(Date.parse(last_ok), nowMs)} ago`}</td></tr>`)}</tbody></table>`;

/** An older outcome is not a current state, and does not have its colour. */
function pollTag(status: CollectedView['status'], past: boolean): Fragment {
  if (status === null) return 'none yet';
  if (past) return status === 'ok' ? 'was ok' : 'had failed';
  return status === 'ok' ? tag('good', 'ok') : tag('bad', 'failed');
}
