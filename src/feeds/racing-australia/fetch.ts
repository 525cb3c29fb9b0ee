// Racing Australia's free fields, the thoroughbred registry: pages, not an API. Known from public readers of 2016 to October 2026,
// the last of them read live in July 2026: medium to high confidence in paths, keys, ids, titles, columns and classes; the columns of
// the scratching sheet are low (taken to be those of the fields). Its use for wagering needs the owners' approval.
// Keeps at least `spacingMs` between two calls, whatever calls them: polite readers do, and bursts are answered with stubs.
import { setTimeout as delay } from 'node:timers/promises';
import { aetDay } from '../../domain/aet';
import type {
  RegistryCard,
  RegistryCondition,
  RegistryListing,
  RegistrySheet,
  RegistryState,
} from '../../domain/registry';
import type { FeedCall, FeedEndpoint, FeedReply } from '../feed';
import { createHttp, type Http } from '../http';
import { feedReply, type Mapped } from '../reply';
import { mapAcceptances } from './acceptances';
import { PATHS } from './address';
import { mapCalendar } from './calendar';
import { mapScratchings } from './scratchings';
import { mapTrackConditions } from './track-condition';

export interface RegistryFeed {
  calendar(state: RegistryState, call?: FeedCall): Promise<FeedReply<readonly RegistryListing[]>>;
  acceptances(key: string, call?: FeedCall): Promise<FeedReply<RegistryCard>>;
  scratchings(key: string, call?: FeedCall): Promise<FeedReply<RegistrySheet>>;
  trackConditions(state: RegistryState, call?: FeedCall): Promise<FeedReply<readonly RegistryCondition[]>>;
}

export interface RegistryOptions {
  readonly endpoint: FeedEndpoint;
  /** Epoch milliseconds in race time. */
  readonly now: () => number;
  /** On the wall, between the end of a call and the start of the next. */
  readonly spacingMs?: number;
  readonly wait?: (ms: number) => Promise<unknown>;
}

const SPACING_MS = 1000;

export function createRegistryFeed({
  endpoint,
  now,
  spacingMs = SPACING_MS,
  wait = delay,
}: RegistryOptions): RegistryFeed {
  const http = createHttp({ endpoint, now });
  const inTurn = createTurns(() => wait(spacingMs));
  const ask = <T>(path: string, map: (html: string) => Mapped<T> | null, call?: FeedCall): Promise<FeedReply<T>> =>
    inTurn(() => readPage(http, path, map, call));
  return {
    calendar: (state, call) => ask(PATHS.calendar(state), mapCalendar, call),
    acceptances: (key, call) => ask(PATHS.acceptances(key), (html) => mapAcceptances(html, key), call),
    scratchings: (key, call) => ask(PATHS.scratchings(key), (html) => mapScratchings(html, key), call),
    trackConditions: (state, call) =>
      ask(PATHS.trackConditions(state), (html) => mapTrackConditions(html, aetDay(now())), call),
  };
}

/** One after the other, with the pause between them. */
function createTurns(pause: () => Promise<unknown>): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> | null = null;
  return (work) => {
    const turn = last === null ? work() : last.then(pause).then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

async function readPage<T>(
  http: Http,
  path: string,
  map: (html: string) => Mapped<T> | null,
  call?: FeedCall,
): Promise<FeedReply<T>> {
  return feedReply(await http.get({ path, expect: 'page', ...(call && { call }), read: (html) => map(String(html)) }));
}
