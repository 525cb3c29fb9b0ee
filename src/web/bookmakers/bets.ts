// The way from a price to the bet. There is one only where the price can be taken: on the board, before the jump, with
// the market open, of a runner that is not scratched, at a book whose page of the race is known. The page links by this
// rule, and a click is judged by it again.
import type { BookColumn, RaceSheet } from '../board/model';
import { type Html, html } from '../html';

export type BetMarket = 'win' | 'place';

type Race = Pick<RaceSheet, 'onBoard' | 'state'>;

export const takesBets = ({ onBoard, state }: Race): boolean => onBoard && state === 'open';

/** The book's page of the race, where its price of this runner can be taken. */
export function pageOfBet(race: RaceSheet, number: number, key: string, market: BetMarket): string | null {
  const at = race.books.findIndex((book) => book.key === key);
  const runner = race.runners.find((one) => one.number === number);
  if (!takesBets(race) || at < 0 || !runner || runner.scratching || !runner[market].cells[at]) return null;
  return webPage(race.books[at]!);
}

/** A book reports the address itself: nothing but a page of the web is opened. */
function webPage({ page }: Pick<BookColumn, 'page'>): string | null {
  return page !== null && WEB_PAGE.test(page) ? page : null;
}

/** What a browser opens as such, and what stands in a header as it is. */
const WEB_PAGE = /^https?:\/\/[\w.:-]+(?:[/?#][\x21-\x7e]*)?$/i;

export interface PriceLink {
  readonly raceId: string;
  readonly number: number;
  readonly market: BetMarket;
}

/** The value of a cell or of a line. `link` null: this table has no links. */
export function priceValue(book: BookColumn, link: PriceLink | null, content: Html): Html {
  if (link === null || webPage(book) === null) return html`<span class="value">${content}</span>`;
  const to = `/go/${link.raceId}/${link.number}/${book.key}/${link.market}`;
  return html`<a class="value" href="${to}" target="_blank" rel="noopener nofollow" aria-describedby="opens-book">${content}</a>`;
}

export const opensText = (): Html =>
  html`<p class="vh" id="opens-book">Opens the bookmaker's page of the race in a new tab.</p>`;
