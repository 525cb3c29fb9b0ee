// How a request for an account page is answered: by a page, or by the address of the next one (post, redirect, get). A
// form is accepted from the service's own pages only. Never answers a person with a problem document for what a form
// can explain.
import type Router from '@koa/router';
import type { Context } from 'koa';
import { type AppError, PROBLEMS } from '../../errors';
import { isOwnOrigin } from '../../own-origin';
import { html } from '../html';
import type { AccountBrowser, AccountPagesDeps, Download } from './deps';
import { type AccountPage, taskPage } from './page';

export type VisitAnswer =
  | { readonly page: AccountPage; readonly status?: number }
  | { readonly to: string }
  | { readonly download: Download }
  /** Answers the request itself, or throws a refusal. */
  | { readonly serve: (ctx: Context) => Promise<void> };

export interface Visit {
  readonly browser: AccountBrowser;
  /** Of the address. */
  readonly query: URLSearchParams;
  readonly params: Readonly<Record<string, string>>;
  /** Empty for a GET. */
  readonly form: URLSearchParams;
}

export type Act = (visit: Visit) => Promise<VisitAnswer>;

/** Shows the form again, with why it was refused. */
export type Again = (visit: Visit, error: AppError) => Promise<VisitAnswer> | VisitAnswer;

export type SendAccountPage = (ctx: Context, status: number, page: AccountPage, isSignedIn: boolean) => void;

export interface Visits {
  get(path: string, act: Act): void;
  /** Without `again`, a refusal is a page of its own. */
  post(path: string, act: Act, again?: Again): void;
  /**
   * What a signed link allows, from any site and program: it needs no session, and another site cannot know it. A body
   * that is no form is not read.
   */
  postByLink(path: string, act: Act): void;
}

/** Of a request that changes something: from the service's own pages, or with a token that only its owner has. */
type Sender = 'own' | 'link';

export function createVisits(router: Router, deps: AccountPagesDeps, send: SendAccountPage): Visits {
  const { ownOrigins, browserOf, readForm, refusalOf, sendDownload } = deps;

  async function answer(ctx: Context, { hasSession }: AccountBrowser, one: VisitAnswer): Promise<void> {
    if ('download' in one) return sendDownload(ctx, one.download);
    if ('serve' in one) return one.serve(ctx);
    ctx.set('Cache-Control', 'no-store');
    if ('to' in one) {
      ctx.status = 303;
      ctx.set('Location', one.to);
      ctx.body = '';
    } else send(ctx, one.status ?? 200, one.page, one.page.signsIn ?? hasSession);
  }

  async function handle(ctx: Context, sender: Sender | null, act: Act, again: Again = refusedPage): Promise<void> {
    const browser = browserOf(ctx);
    let form = new URLSearchParams();
    const query = new URLSearchParams(ctx.querystring);
    const visit = (): Visit => ({ browser, form, query, params: withoutNul(ctx.params) });
    try {
      if (sender === 'own' && !isOwnOrigin(ctx.req.headers, ownOrigins)) return await answer(ctx, browser, FOREIGN);
      if (sender === 'own' || (sender === 'link' && ctx.is('urlencoded'))) form = await readForm(ctx.req);
      await answer(ctx, browser, await act(visit()));
    } catch (thrown) {
      const error = refusalOf(ctx, thrown);
      const { retry_after_seconds: wait } = error.extensions;
      if (wait !== undefined) ctx.set('Retry-After', String(Math.ceil(wait)));
      const shown = error.status < 500 ? await again(visit(), error) : refusedPage(visit(), error);
      await answer(ctx, browser, 'page' in shown ? { status: statusOf(error), ...shown } : shown);
    }
  }

  return {
    get: (path, act) => void router.get(path, (ctx) => handle(ctx, null, act)),
    post: (path, act, again) => void router.post(path, (ctx) => handle(ctx, 'own', act, again)),
    postByLink: (path, act) => void router.post(path, (ctx) => handle(ctx, 'link', act)),
  };
}

/** A 401 would have to name a scheme by which a program authenticates. */
const statusOf = ({ status }: AppError): number => (status === 401 ? 422 : status);

const FOREIGN: VisitAnswer = {
  status: 403,
  page: taskPage(
    'This form came from another site',
    html`<p>Nothing was changed. Open the page here and send it again.</p><p class="actions"><a class="button primary" href="/account">Your account</a></p>`,
  ),
};

const refusedPage = (_: Visit, error: AppError): VisitAnswer => ({
  status: statusOf(error),
  page: taskPage(
    PROBLEMS[error.code].title,
    html`<p>${error.message}</p><p class="actions"><a class="button primary" href="/account">Your account</a><a class="button" href="/live">Live board</a></p>`,
  ),
});

/** PostgreSQL has no text with it. */
const withoutNul = (params: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.replaceAll('\0', '')]));
