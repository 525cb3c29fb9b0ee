// The heads by which a visitor sorts a table: a button in each, of use once the script has loaded. The server's order,
// by number, is the one without a choice.
import type { BookColumn } from '../board/model';
import type { Fragment, Html } from '../html';
import { html } from '../html';

export type SortColumn =
  | 'no'
  | 'runner'
  | 'first'
  | 't60'
  | 't30'
  | 't10'
  | 't5'
  | 'move'
  | 'win'
  | 'place'
  | 'fair'
  | 'tote'
  | 'top2'
  | 'top3'
  | 'top4';

/** `about`: what the column has, where its head is too short for that. */
export const sortHead = (column: SortColumn, classes: string, text: Fragment, about?: string): Html =>
  html`<th scope="col" class="${classes}"${about !== undefined && html` title="${about}"`}><button type="button" class="sort" data-sort="${column}">${text}</button></th>`;

/** By a book's own prices of the table's market. */
export const bookSort = ({ key, title }: Pick<BookColumn, 'key' | 'title'>): Html =>
  html`<button type="button" class="sort sort-book" data-sort="book-${key}" aria-label="Sort by ${title}">↕</button>`;
