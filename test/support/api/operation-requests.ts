// The requests that the suites over all operations send, and where the rows of each response are.
import type { Endpoint } from '../../../src/api/kernel/endpoint/endpoint';
import { ENDPOINTS } from '../../../src/api/operations';
import type { seedEverything } from './served';

const OWNERS_TAGS = new Set(['Signup', 'Session', 'Billing', 'Keys', 'Account']);

/**
 * Operations with which owners manage their accounts: each call changes what the next one may do, so they have their
 * own suites.
 */
const isOwners = ({ tag, auth, method }: Endpoint): boolean =>
  OWNERS_TAGS.has(tag) && (method !== 'get' || auth !== 'key');

/** Webhooks and widgets also have their own suites: each call needs one that was created before. */
const isMade = ({ tag }: Endpoint): boolean => tag === 'Webhooks' || tag === 'Widgets';

const isOrder = ({ path }: Endpoint): boolean => path.startsWith('/v1/racing/horses/backfill');

/** Files of a period, and their manifests, which a build has to publish first. */
const isOfPeriod = ({ path }: Endpoint): boolean => path.startsWith('/v1/bulk/{dataset}/{period}');

/** Backfill jobs of one account: an order changes what the next call returns, so they have their own suite. */
export const ORDERS: readonly Endpoint[] = ENDPOINTS.filter(isOrder);

/**
 * The operations that any number of callers may send at once. Operations of files and operations that send events have
 * their own suites.
 */
export const SHARED_OPERATIONS: readonly Endpoint[] = ENDPOINTS.filter(
  (one) => !isOwners(one) && !isMade(one) && !isOrder(one) && !isOfPeriod(one) && !one.sendsEvents,
);

export type Seeded = Awaited<ReturnType<typeof seedEverything>>;

/** By operation: the query without which it has nothing to return. */
const QUERIES: Readonly<Record<string, (seeded: Seeded) => string>> = {
  create_key: () => 'label=Acme',
  consensus: ({ next }) => `race_id=${next}`,
  intelligence: ({ next }) => `race_id=${next}`,
  intelligence_scan: () => 'window=5m&min_books=1&min_move_pct=1',
  horse_form: () => 'horse=Gold%20Trip',
  horse_runs: () => 'horse=Gold%20Trip',
  greyhound_form: () => 'dog=Quick%20Sixpence',
  greyhound_stats: () => 'dog=Quick%20Sixpence&by=track,distance',
  race_form: ({ next }) => `race_id=${next}`,
  race_markets: ({ next }) => `race_id=${next}`,
  price_history: ({ next }) => `race_id=${next}`,
  racing_replay: ({ next }) => `race_id=${next}&speed=max`,
  demo_book_sport: () => 'book=tab&sport=nrl',
  movers: () => 'min_books=1&min_move_pct=1',
  // On the database's clock, which stamps the rows just written.
  racing_changes: () => `since=${new Date(Date.now() - 25 * 60_000).toISOString()}`,
};

/** Path parameters, as `seedEverything` wrote them. */
const PLACES: Readonly<Record<string, (seeded: Seeded) => string>> = {
  sport_key: () => 'nrl',
  event_id: ({ match }) => match,
};
/** Parameters that only the operation's own suite can fill in. */
const OF_OWN_SUITE = [
  ...['key_id', 'webhook_id', 'delivery_id', 'widget_id', 'job_id', 'run_id'],
  ...['dataset', 'period', 'bookmaker_key'],
];

/** Whether `requestFor` fills in the whole path. Throws for a path parameter that is in neither list. */
export function isWhole({ method, path }: Endpoint): boolean {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const unknown = names.filter((name) => !(name in PLACES) && !OF_OWN_SUITE.includes(name));
  if (unknown.length > 0) throw new Error(`${path}: ${unknown.join(', ')} has no value in PLACES`);
  return method === 'get' && names.every((name) => name in PLACES);
}

/** Path and query of an operation, with values that `seedEverything` wrote; `more` is added to the query. */
export function requestFor({ operationId, path }: Endpoint, seeded: Seeded, more = ''): string {
  const of = path.replaceAll(/\{(\w+)\}/g, (placeholder, name) => PLACES[name]?.(seeded) ?? placeholder);
  const search = [QUERIES[operationId]?.(seeded) ?? '', more].filter((part) => part !== '').join('&');
  return search === '' ? of : `${of}?${search}`;
}

/** The rows of a response: the array itself, or the array that an object wraps. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came back.
export function rowsOf(body: any): any[] {
  return Array.isArray(body) ? body : (body.races ?? body.results ?? body.meetings ?? body.rows ?? [body]);
}
