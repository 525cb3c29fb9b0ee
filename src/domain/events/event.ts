// The events that a customer may subscribe to (B 6, D31), and the body in which each is sent.
import type { Instant } from '../race/race';
import { ACCOUNT_EVENT_KINDS } from './account-event';
import { canonicalJson } from './canonical-json';

const OTHER_KINDS = [
  'race.odds_open',
  'odds.change',
  'arb.opportunity',
  'race.result',
  'race.scratching',
  'race.market_closed',
  'backfill.completed',
  'race.start_moved',
  'race.track_changed',
  'arb.corrected',
  // Accepted, never sent (D58).
  'market.suspend',
] as const;

export const EVENT_KINDS = [...OTHER_KINDS, ...ACCOUNT_EVENT_KINDS] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** Newer than webhooks that want all events: sent only to those that name them (`webhook_wants`). */
export const NAMED_ONLY = [
  'race.start_moved',
  'race.track_changed',
  'arb.corrected',
  ...ACCOUNT_EVENT_KINDS,
] as const satisfies readonly EventKind[];

export interface StoredEvent {
  readonly eventId: string;
  readonly kind: EventKind;
  /** Race time, of the fact. */
  readonly occurredAt: Instant;
  readonly raceId: string | null;
  /** Only this account's webhooks; null: everybody's. */
  readonly accountId: string | null;
  /** The members of the body, except those that every event has. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Counts the events of the race; null for an event without a race, and before the fan-out. */
  readonly sequence: number | null;
}

/** What is sent and signed, byte for byte the same for all attempts, endpoints and replays. */
export const eventBody = ({ eventId, kind, occurredAt, facts, sequence }: StoredEvent): string =>
  canonicalJson({ ...facts, event: kind, id: eventId, occurred_at: occurredAt, sequence });
