// The two API-NG calls that this service makes: POST, JSON, never conditional.
import type { FeedCall } from '../feed';
import type { Http, HttpFailure } from '../transport/http';
import { type Catalogue, mapCatalogue, resultOf } from './catalogue';
import type { CatalogueRequest, MarketBookRequest, MarketFilter, MarketProjection } from './payload';
import { mostInCatalogue } from './weights';

const CATALOGUE_PATH = '/exchange/betting/rest/v1.0/listMarketCatalogue/';
const BOOK_PATH = '/exchange/betting/rest/v1.0/listMarketBook/';

export type ApiReply<T> = { readonly kind: 'ok'; readonly read: T; readonly observedAt: string } | HttpFailure;

/** As many markets as the request's points allow, earliest start first. */
export function fetchCatalogue(
  http: Http,
  filter: MarketFilter,
  marketProjection: readonly MarketProjection[],
  call?: FeedCall,
): Promise<ApiReply<Catalogue>> {
  const maxResults = mostInCatalogue(marketProjection);
  const body: CatalogueRequest = { filter, marketProjection, sort: 'FIRST_TO_START', maxResults };
  return post(http, CATALOGUE_PATH, body, mapCatalogue, call);
}

export function fetchMarketBooks(
  http: Http,
  body: MarketBookRequest,
  call?: FeedCall,
): Promise<ApiReply<readonly unknown[]>> {
  return post(http, BOOK_PATH, body, resultOf, call);
}

async function post<T>(
  http: Http,
  path: string,
  body: unknown,
  read: (body: unknown) => T | null,
  call?: FeedCall,
): Promise<ApiReply<T>> {
  const reply = await http.get({ path, post: body, read, call });
  if (reply.kind === 'unchanged') throw new Error('a request without a validator was answered as unchanged');
  return reply;
}
