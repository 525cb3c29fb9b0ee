// Metrics of the collection: how late polls are, and their outcomes. Reasons of failures are in the connectors' health.
import { metrics } from '@opentelemetry/api';
import type { Urgency } from '../../feeds/feed';

const meter = metrics.getMeter('racing-odds/collection');

const lag = meter.createHistogram('racing.poll.lag', {
  unit: 's',
  description: 'Start of a poll behind its due time (D21), wall seconds',
  advice: { explicitBucketBoundaries: [0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 5, 7.5, 10, 15, 20, 30] },
});
const polls = meter.createCounter('racing.polls', { description: 'Polls of one race at one book, by how they ended' });
const thinned = meter.createCounter('racing.polls.thinned', {
  description: 'Due polls (D21) that were not made: the next of the same race and book fell due first',
});
const ticks = meter.createCounter('racing.ticks', { description: 'Price ticks written' });

/**
 * `urgency`, as in the feed call: races near their jump are thinned after all others. `rides`: with the call of another
 * poll of the book, which is made anyway.
 */
export const recordLag = (book: string, urgency: Urgency, wallSeconds: number, rides: boolean): void =>
  lag.record(wallSeconds, { book, urgency, rides });

export const recordThinned = (book: string, urgency: Urgency, count: number): void =>
  thinned.add(count, { book, urgency });

/** `outcome`: `written`, `same`, `fenced` or the failure's reason. */
export function recordPoll(book: string, outcome: string, ticksWritten: number): void {
  polls.add(1, { book, outcome });
  if (ticksWritten > 0) ticks.add(ticksWritten, { book });
}
