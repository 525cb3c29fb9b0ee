// Wraps a feed of races or of matches with metrics and traces of its calls. Never changes a reply.
import { metrics, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Feed, FeedReply } from './feed';
import type { Metered, SportsFeed } from './sports-feed';

const tracer = trace.getTracer('racing-odds/feeds');
const meter = metrics.getMeter('racing-odds/feeds');
const duration = meter.createHistogram('racing.feed.call.duration', {
  unit: 's',
  description: 'One question to a book, all its HTTP calls together, by how it ended',
  advice: { explicitBucketBoundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10] },
});
const dropped = meter.createCounter('racing.feed.dropped', { description: 'Rows and values a connector refused' });

export function observedFeed(feed: Feed): Feed {
  const { bookmakerKey: book, bulk } = feed;
  const one = <T>(what: string, send: () => Promise<FeedReply<T>>) => observed(book, what, send, (reply) => [reply]);
  return {
    bookmakerKey: book,
    listRaces: (day, call) => one('listRaces', () => feed.listRaces(day, call)),
    fetchRace: (id, call) => one('fetchRace', () => feed.fetchRace(id, call)),
    ...(bulk && {
      bulk: {
        maxRaces: bulk.maxRaces,
        fetchRaces: (ids, call) =>
          observed(
            book,
            'fetchRaces',
            () => bulk.fetchRaces(ids, call),
            (replies) => [...replies.values()],
          ),
      },
    }),
  };
}

export function observedSportsFeed(feed: SportsFeed): SportsFeed {
  const one = <T>(what: string, send: () => Promise<Metered<T>>) =>
    observed(feed.source, what, send, ({ reply }) => [reply]);
  return {
    ...feed,
    sports: (call) => one('sports', () => feed.sports(call)),
    starts: (sourceKey, call) => one('starts', () => feed.starts(sourceKey, call)),
    odds: (sport, call) => one('odds', () => feed.odds(sport, call)),
  };
}

function observed<T>(
  book: string,
  what: string,
  send: () => Promise<T>,
  repliesOf: (result: T) => readonly FeedReply<unknown>[],
): Promise<T> {
  const startedMs = performance.now();
  return tracer.startActiveSpan(`feed ${what}`, { attributes: { 'racing.book': book } }, async (span) => {
    try {
      const result = await send();
      const outcome = outcomeOf(span, book, repliesOf(result));
      duration.record((performance.now() - startedMs) / 1000, { book, call: what, outcome });
      return result;
    } finally {
      span.end();
    }
  });
}

/** `ok`, `unchanged` or the failure's reason; for several replies, the first failure. */
function outcomeOf(span: Span, book: string, replies: readonly FeedReply<unknown>[]): string {
  for (const reply of replies) if (reply.kind === 'ok') countDropped(book, reply.dropped);
  const failure = replies.find((reply) => reply.kind === 'failed');
  if (!failure) return replies[0]?.kind ?? 'ok';
  span.setStatus({ code: SpanStatusCode.ERROR, message: `${failure.reason}: ${failure.detail}` });
  return failure.reason;
}

function countDropped(book: string, counts: Readonly<Record<string, number>>): void {
  for (const [reason, count] of Object.entries(counts)) dropped.add(count, { book, reason });
}
