// Runners by books: one table per market. The best price is said in words as well as drawn; a placeholder quote is marked and never
// best; a scratched runner is struck out and never priced (A 2.4).
import type { BookColumn, PriceCell, PriceLine, RaceSheet, RunnerRow } from '../api/services/board-model';
import { clockText, instant, percentText, priceText, startText, UNKNOWN } from './format';
import { type Html, html } from './html';
import { age, raceName, tag } from './race-parts';

export type Market = 'win' | 'place';

export function priceTable(race: RaceSheet, market: Market, nowMs: number): Html {
  const caption = `${market === 'win' ? 'Win' : 'Place'} prices, ${raceName(race)}: runners by bookmakers`;
  return html`<div class="scroller" role="region" aria-label="${caption}" tabindex="0">
<table class="prices" id="${market}-${race.raceId}">
<caption class="vh">${caption}. Times in Sydney.</caption>
<thead><tr><th scope="col" class="c-no"><abbr title="Number">No</abbr></th><th scope="col" class="c-runner">Runner</th><th scope="col" class="c-best">Best ${market}</th>${race.books.map((book) => bookHead(book, nowMs))}</tr></thead>
<tbody>${race.runners.map((runner) => runnerRow(race, runner, market, nowMs))}</tbody>
${market === 'win' && marketRow(race)}
</table>
</div>`;
}

function bookHead(book: BookColumn, nowMs: number): Html {
  const freshness =
    book.polledMs === null
      ? html`<span class="fresh">no reply yet</span>`
      : html`<span class="fresh${book.stale && ' is-stale'}">${book.stale && 'stale '}${age(book.polledMs, nowMs)}<span class="vh"> old</span></span>`;
  return html`<th scope="col" class="c-book${book.stale && ' stale'}"><span class="book">${book.title}</span>${freshness}</th>`;
}

function runnerRow(race: RaceSheet, runner: RunnerRow, market: Market, nowMs: number): Html {
  const line = runner[market];
  const cells = runner.scratching
    ? html`<td class="c-out" colspan="${race.books.length + 1}">${scratchingText(runner.scratching, nowMs)}</td>`
    : html`${bestCell(line)}${line.cells.map((cell, i) => priceCell(cell, race.books[i]!, line.best?.shared === true))}`;
  return html`<tr id="${market}-${race.raceId}-${runner.number}"${runner.scratching && html` class="scratched"`}><td class="c-no"><span class="cloth cloth-${race.category}-${runner.number}">${runner.number}</span></td><th scope="row" class="c-runner">${runnerText(race, runner)}</th>${cells}</tr>`;
}

function runnerText(race: RaceSheet, runner: RunnerRow): Html {
  const name = runner.scratching
    ? html`<s class="name">${runner.name}</s>`
    : html`<span class="name">${runner.name}</span>`;
  const barrier =
    race.category === 'greyhound' || runner.barrier === null
      ? null
      : html` <span class="barrier"><span class="vh">barrier </span>(${runner.barrier})</span>`;
  return html`${name}${barrier}${runner.emergency && html` ${tag('quiet', 'emergency')}`}${runner.favourite && html` ${tag('fav', 'fav')}`}<span class="who">${connections(race, runner)}</span>`;
}

function connections(race: RaceSheet, runner: RunnerRow): Html {
  const rider = race.category === 'harness' ? 'Driver' : 'Jockey';
  const known = [
    runner.jockey && html`<abbr title="${rider}">${rider[0]}:</abbr> ${runner.jockey}`,
    runner.trainer && html`<abbr title="Trainer">T:</abbr> ${runner.trainer}`,
    runner.weightKg && html`${runner.weightKg} kg`,
    runner.form && html`<abbr title="Form, latest last">F:</abbr> ${runner.form}`,
  ].filter((part) => part instanceof Object);
  return html`${known.map((part) => html`<span>${part}</span>`)}`;
}

function scratchingText({ atMs, late }: NonNullable<RunnerRow['scratching']>, nowMs: number): Html {
  const at = atMs !== null && html` <time datetime="${instant(atMs)}">${startText(atMs, nowMs)}</time>`;
  return html`Scratched${at}${late && html` ${tag('warn', 'late')}`}`;
}

function bestCell({ best }: PriceLine): Html {
  if (best === null) return html`<td class="c-best" data-price="">${UNKNOWN}</td>`;
  const [first, ...others] = best.books;
  return html`<td class="c-best" data-price="${best.price}" title="${best.books.join(', ')}"><b>${priceText(best.price)}</b> <span class="at">${best.shared ? 'all books' : first}${!best.shared && others.length > 0 && ` +${others.length}`}</span></td>`;
}

function priceCell(cell: PriceCell | null, book: BookColumn, shared: boolean): Html {
  const label = html`<span class="label" aria-hidden="true">${book.title}</span>`;
  if (cell === null)
    return html`<td class="c-price none" data-price="">${label}<span class="value">${UNKNOWN}</span></td>`;
  const classes = [
    'c-price',
    cell.best && (shared ? 'best shared' : 'best'),
    cell.suspectAgainst !== null && 'suspect',
    book.stale && 'stale',
  ];
  return html`<td class="${classes.filter(Boolean).join(' ')}" data-price="${cell.price}"${title(cell)}>${label}<span class="value">${priceText(cell.price)}${arrow(cell)}</span>${spoken(cell, book)}</td>`;
}

function arrow({ move }: PriceCell): Html {
  return html`<i class="move${move && ` ${move.direction}`}" aria-hidden="true"></i>`;
}

function title({ move, suspectAgainst }: PriceCell): Html | false {
  const texts = [
    suspectAgainst !== null && `Placeholder quote, others say ${priceText(suspectAgainst)}`,
    move && `${move.direction}, ${priceText(move.from)} at ${clockText(move.fromMs)}`,
  ].filter(Boolean);
  return texts.length > 0 && html` title="${texts.join('; ')}"`;
}

function spoken({ best, suspectAgainst, move }: PriceCell, book: BookColumn): Html | false {
  const words = [
    best && 'best',
    suspectAgainst !== null && 'suspect',
    move && `${move.direction} from ${priceText(move.from)}`,
    book.stale && 'stale',
  ].filter(Boolean);
  return words.length > 0 && html`<span class="vh"> ${words.join(', ')}</span>`;
}

function marketRow(race: RaceSheet): Html {
  return html`<tfoot><tr><td class="c-no"></td><th scope="row" class="c-runner">Market</th><td class="c-best"><b>${percentText(race.bestMarketPct)}</b></td>${race.books.map(
    (book) =>
      html`<td class="c-price"><span class="label" aria-hidden="true">${book.title}</span><span class="value">${percentText(book.marketPct)}<i class="move"></i></span></td>`,
  )}</tr></tfoot>`;
}
