// Metrics of sent webhooks. The age of the oldest first attempt is read from the database
// (`src/store/webhooks/outbox-age.ts`).
import { metrics } from '@opentelemetry/api';
import type { FannedOut } from '../store/webhooks/fan-out';

const meter = metrics.getMeter('racing-odds/webhooks');

const offered = meter.createCounter('racing.webhooks.offered', {
  description: 'Deliveries that events were made into',
});
const superseded = meter.createCounter('racing.webhooks.superseded', {
  description: 'Price moves that were not sent, because a newer one of their race came or a minute had passed',
});
const attempts = meter.createCounter('racing.webhooks.attempts', {
  description: 'Posts to webhooks, by event and how they ended',
});

const dropped = meter.createCounter('racing.webhooks.dropped', {
  description: 'Days of events, deliveries and attempts that were dropped after their time, by table',
});

export function recordFanOut(fanned: FannedOut): void {
  if (fanned.offered > 0) offered.add(fanned.offered);
  recordSuperseded(fanned.superseded);
}

export function recordSuperseded(moves: number): void {
  if (moves > 0) superseded.add(moves);
}

export const recordAttempt = (event: string, isDelivered: boolean): void =>
  attempts.add(1, { event, outcome: isDelivered ? 'delivered' : 'failed' });

/** `parts`: their names begin with that of their table. */
export function recordDropped(parts: readonly string[]): void {
  for (const part of parts) dropped.add(1, { table: /^(\w+?)_(?:\d{8}|before)/.exec(part)![1]! });
}
