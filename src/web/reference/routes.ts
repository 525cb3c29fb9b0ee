// The addresses of the reference. A page is rendered once.
import type Router from '@koa/router';
import { GUIDES, guidePath } from '../guides/guides';
import { guidePage } from '../guides/page';
import type { PlainPage } from '../plain/plain-pages';
import type { SendPlain } from '../plain/routes';
import { eventPage } from './event-page';
import { indexPage, MOST_QUERY_CHARACTERS, searchPage } from './index-page';
import type { ApiReference } from './model';
import { operationPage } from './operation-page';
import { createSearch } from './search';

export function referencePages(router: Router, reference: ApiReference, send: SendPlain): void {
  const search = createSearch(reference);
  const page = once(pagesOf(reference));
  router.get('/docs', (ctx) => {
    const query = [ctx.query.q].flat()[0]?.slice(0, MOST_QUERY_CHARACTERS).trim() ?? '';
    send(ctx, 200, query === '' ? page('/docs')! : searchPage(query, search(query)));
  });
  for (const path of ['/docs/:slug', '/docs/events/:slug', ...GUIDES.map(guidePath)]) {
    router.get(path, (ctx, next) => {
      const found = page(ctx.path);
      return found ? send(ctx, 200, found) : next();
    });
  }
}

type Pages = ReadonlyMap<string, () => PlainPage>;

const pagesOf = (reference: ApiReference): Pages =>
  new Map([
    ['/docs', () => indexPage(reference)],
    ...reference.groups.flatMap((group) =>
      group.operations.map((one) => [`/docs/${one.slug}`, () => operationPage(group, one)] as const),
    ),
    ...GUIDES.map((one) => [guidePath(one), () => guidePage(one, reference.baseUrl)] as const),
    ...reference.events.map((one) => [`/docs/events/${one.slug}`, () => eventPage(one)] as const),
  ]);

function once(pages: Pages): (path: string) => PlainPage | null {
  const rendered = new Map<string, PlainPage>();
  return (path) => {
    const page = rendered.get(path) ?? pages.get(path)?.() ?? null;
    if (page) rendered.set(path, page);
    return page;
  };
}
