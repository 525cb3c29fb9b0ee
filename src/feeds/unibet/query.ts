// Unibet's persisted queries: how to send one, and how to read errors that come with HTTP 200. Knows nothing about
// racing.
import type { FeedCall, FeedEndpoint } from '../feed';
import { asRow, listOf, rowOf, textOf } from '../reading/read';
import type { Http, HttpReply } from '../transport/http';
import type { Mapped } from '../transport/reply';
import type { UnibetExtensions } from './payload';

export interface PersistedQuery {
  readonly operationName: string;
  readonly sha256Hash: string;
}

const DOCUMENTED = {
  /** Unchanged from June to September 2026. */
  meetings: ['MeetingsByDateRange', '6126ca780c4d2e5092c50a8fb0dc15b3693eca18fa896372cf28829dd9a5e533'],
  /** Since September 2026; the hash was different in June. */
  event: ['EventQuery', 'fd256aba334b359ae57e55a4eddf6d1ad8f4559a5d13b08dc924ccaa5bc51b38'],
} as const;

/** The documented hash, unless configured (`FEED_UNIBET_MEETINGS_HASH`, `FEED_UNIBET_EVENT_HASH`). */
export function persistedQuery(which: keyof typeof DOCUMENTED, { settings }: FeedEndpoint): PersistedQuery {
  const [operationName, hash] = DOCUMENTED[which];
  return { operationName, sha256Hash: settings?.[`${which}_hash`] ?? hash };
}

/** A bare GET is refused with 400 (Apollo's guard against forged requests). */
const PREFLIGHT = { 'content-type': 'application/json' } as const;

const NOT_FOUND = 'PERSISTED_QUERY_NOT_FOUND';

type GraphQlReply<T> =
  | { readonly kind: 'mapped'; readonly mapped: Mapped<T> }
  | { readonly kind: 'errors'; readonly error: string };

export interface QueryOptions<T> {
  readonly query: PersistedQuery;
  readonly variables: object;
  /** Maps `data.viewer`; null if it is not as documented. */
  readonly map: (viewer: unknown) => Mapped<T> | null;
  readonly call?: FeedCall;
  /** As in `http.get`. */
  readonly readOnce?: string;
}

/**
 * Never conditional: an error comes as a 200, and its ETag would make the next one "unchanged". A query that the book
 * reports as not found is retried once immediately, because another of its nodes may have it.
 */
export async function fetchPersisted<T>(http: Http, options: QueryOptions<T>): Promise<HttpReply<Mapped<T>>> {
  const { query, call, map, readOnce } = options;
  const path = pathOf(options);
  const once = () =>
    http.get<GraphQlReply<T>>({ path, headers: PREFLIGHT, read: (body) => readReply(body, map), readOnce, call });
  const first = await once();
  const reply = isNotFound(first) ? await once() : first;
  if (reply.kind !== 'ok') return reply;
  const { read, observedAt } = reply;
  if (read.kind === 'mapped') return { kind: 'ok', read: read.mapped, observedAt };
  const detail = isNotFound(reply)
    ? `${NOT_FOUND} twice: the hash of ${query.operationName} may have changed (${query.sha256Hash.slice(0, 8)}…)`
    : `HTTP 200 with errors: ${read.error.slice(0, 120)}`;
  return { kind: 'failed', reason: 'http_error', detail, retryAfterMs: null, observedAt };
}

function pathOf<T>({ query, variables }: QueryOptions<T>): string {
  const extensions: UnibetExtensions = { persistedQuery: { version: 1, sha256Hash: query.sha256Hash } };
  const parameters = new URLSearchParams({
    operationName: query.operationName,
    variables: JSON.stringify(variables),
    extensions: JSON.stringify(extensions),
  });
  return `/api/v1/graphql?${parameters}`;
}

const isNotFound = <T>(reply: HttpReply<GraphQlReply<T>>): boolean =>
  reply.kind === 'ok' && reply.read.kind === 'errors' && reply.read.error === NOT_FOUND;

function readReply<T>(body: unknown, map: QueryOptions<T>['map']): GraphQlReply<T> | null {
  const reply = asRow(body);
  const errors = listOf(reply?.errors);
  if (errors.length > 0) return { kind: 'errors', error: errorOf(errors) };
  const mapped = map(rowOf(reply?.data).viewer);
  return mapped && { kind: 'mapped', mapped };
}

/** Apollo's code if sent, otherwise the first error's message. */
function errorOf(errors: readonly unknown[]): string {
  const texts = errors.map(rowOf).flatMap((error) => [textOf(rowOf(error.extensions).code), textOf(error.message)]);
  if (texts.includes(NOT_FOUND)) return NOT_FOUND;
  return texts.find((text) => text !== null) ?? 'no message';
}
