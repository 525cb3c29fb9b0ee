// The addresses of the search. Its page is the one public page whose form is sent, to itself.
import type Router from '@koa/router';
import type { Context } from 'koa';
import { FORM_PAGE } from '../../security-headers';
import type { SendPage } from '../past/routes';
import { searchMain } from './page';
import { LONGEST, type NameSearch } from './search';
import { suggestionsOf } from './suggestions';

interface SearchPagesDeps {
  readonly search: NameSearch;
  /** Race time in epoch milliseconds. */
  readonly now: () => number;
}

interface Senders {
  readonly page: SendPage;
  readonly json: (ctx: Context, value: object, seconds: number) => void;
}

const SUGGESTIONS_SECONDS = 10;

export function searchPages(router: Router, { search, now }: SearchPagesDeps, send: Senders): void {
  router.get('/search', async (ctx) => {
    const text = textOf(ctx);
    const main = searchMain(text, await search.find(text), now());
    send.page(ctx, { title: text === '' ? 'Search' : `Search: ${text}`, canonical: '/search', main });
    ctx.set(FORM_PAGE);
  });
  router.get('/search/suggestions', async (ctx) => {
    send.json(ctx, suggestionsOf(await search.find(textOf(ctx))), SUGGESTIONS_SECONDS);
  });
}

const textOf = ({ query: { q } }: Context): string => (typeof q === 'string' ? q.slice(0, LONGEST) : '');
