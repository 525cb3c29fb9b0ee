// The addresses of the reference. It is made at its first request, and a page is rendered once.
import { posix } from 'node:path';
import type Router from '@koa/router';
import { GUIDES, guidePath, NOTEBOOK } from '../guides/guides';
import { guidePage, notebookText } from '../guides/page';
import type { PlainPage } from '../plain/plain-pages';
import type { SendPlain } from '../plain/routes';
import { eventPage } from './event-page';
import { indexPage, MOST_QUERY_CHARACTERS, searchPage } from './index-page';
import type { ApiReference } from './model';
import { operationPage } from './operation-page';
import { createSearch } from './search';

export function referencePages(router: Router, read: () => ApiReference, send: SendPlain): void {
  const reference = once(read);
  const search = once(() => createSearch(reference()));
  const pages = once(() => pagesOf(reference()));
  const page = (path: string): PlainPage | null => pages().get(path)?.() ?? null;
  router.get('/docs', (ctx) => {
    const query = [ctx.query.q].flat()[0]?.slice(0, MOST_QUERY_CHARACTERS).trim() ?? '';
    send(ctx, 200, query === '' ? page('/docs')! : searchPage(query, search()(query)));
  });
  notebook(router, reference);
  for (const path of ['/docs/:operation', '/docs/events/:event', ...GUIDES.map(guidePath)]) {
    router.get(path, (ctx, next) => {
      const found = page(ctx.path);
      return found ? send(ctx, 200, found) : next();
    });
  }
}

/** To save and run: with this service's address. */
function notebook(router: Router, reference: () => ApiReference): void {
  const bytes = once(() => Buffer.from(notebookText(reference().baseUrl)));
  router.get(NOTEBOOK.path, (ctx) => {
    ctx.attachment(posix.basename(NOTEBOOK.path));
    ctx.type = 'application/x-ipynb+json';
    ctx.set('Cache-Control', 'public, max-age=3600');
    ctx.body = bytes();
  });
}

const pagesOf = (reference: ApiReference): ReadonlyMap<string, () => PlainPage> =>
  new Map([
    ['/docs', once(() => indexPage(reference))],
    ...reference.groups.flatMap((group) =>
      group.operations.map((one) => [`/docs/${one.slug}`, once(() => operationPage(group, one))] as const),
    ),
    ...GUIDES.map((one) => [guidePath(one), once(() => guidePage(one, reference.baseUrl))] as const),
    ...reference.events.map((one) => [`/docs/events/${one.slug}`, once(() => eventPage(one))] as const),
  ]);

function once<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
