// One book's connector before one host that answers what a question needs: what both halves of the conformance suite set up.
import type { Feed, FeedCall, FeedReply } from '../../../src/feeds/feed';
import { createFeeds } from '../../../src/feeds/registry';
import { PATIENT_MS } from '../../support/patient';
import type { Book } from './book';
import { type BookServer, startBookServer } from './book-server';

export const NOW = Date.parse('2026-11-21T03:59:31.500Z');
export const FIELD = [
  { number: 1, name: 'Alpha', win: 4.2 },
  { number: 2, name: "Bravo's Best", win: 11 },
];

export interface Asking {
  readonly server: BookServer;
  readonly feed: Feed;
  /** Our clock, that the questions may move. */
  now: number;
  race(call?: FeedCall): ReturnType<Feed['fetchRace']>;
  races(call?: FeedCall): ReturnType<Feed['listRaces']>;
}

/** A connector of the book that asks this server. */
export function feedOf(book: Book, server: BookServer, { timeoutMs, now }: { timeoutMs: number; now: () => number }) {
  const endpoint = { baseUrl: `${server.url}/`, contact: 'ops@example.org', partner: 'example', timeoutMs };
  return createFeeds({ [book.key]: endpoint }, now).get(book.key)!;
}

/** To be called inside a `describe`: a fresh connector before each question. */
export function askBook(book: Book, timeoutMs = PATIENT_MS): Asking {
  const asking = { now: NOW } as { -readonly [K in keyof Asking]: Asking[K] };
  beforeAll(async () => {
    asking.server = await startBookServer();
  });
  afterAll(() => asking.server.close());
  beforeEach(() => {
    asking.now = NOW;
    asking.feed = feedOf(book, asking.server, { timeoutMs, now: () => asking.now });
  });
  asking.race = (call) => asking.feed.fetchRace(book.sourceRaceId, call);
  asking.races = (call) => asking.feed.listRaces('2026-11-21', call);
  return asking;
}

export function value<T>(reply: FeedReply<T>): T {
  if (reply.kind !== 'ok') throw new Error(JSON.stringify(reply));
  return reply.value;
}

export const dropped = (reply: FeedReply<unknown>) => (reply.kind === 'ok' ? reply.dropped : null);
