// One book's connector and a host that replies as a test needs: the set-up of both halves of the conformance suite.
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

export interface BookUnderTest {
  readonly server: BookServer;
  readonly feed: Feed;
  /** Our clock; a test may move it. */
  now: number;
  race(call?: FeedCall): ReturnType<Feed['fetchRace']>;
  races(call?: FeedCall): ReturnType<Feed['listRaces']>;
}

/** A connector of the book that calls this server. */
export function feedOf(book: Book, server: BookServer, { timeoutMs, now }: { timeoutMs: number; now: () => number }) {
  const endpoint = { baseUrl: `${server.url}/`, contact: 'ops@example.org', partner: 'example', timeoutMs };
  return createFeeds({ [book.key]: endpoint }, now).get(book.key)!;
}

/** Call it inside a `describe`: a fresh connector before each test. */
export function bookUnderTest(book: Book, timeoutMs = PATIENT_MS): BookUnderTest {
  const subject = { now: NOW } as { -readonly [K in keyof BookUnderTest]: BookUnderTest[K] };
  beforeAll(async () => {
    subject.server = await startBookServer();
  });
  afterAll(() => subject.server.close());
  beforeEach(() => {
    subject.now = NOW;
    subject.feed = feedOf(book, subject.server, { timeoutMs, now: () => subject.now });
  });
  subject.race = (call) => subject.feed.fetchRace(book.sourceRaceId, call);
  subject.races = (call) => subject.feed.listRaces('2026-11-21', call);
  return subject;
}

export function value<T>(reply: FeedReply<T>): T {
  if (reply.kind !== 'ok') throw new Error(JSON.stringify(reply));
  return reply.value;
}

export const dropped = (reply: FeedReply<unknown>) => (reply.kind === 'ok' ? reply.dropped : null);
