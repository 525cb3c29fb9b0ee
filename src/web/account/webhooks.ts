// Webhooks on the account page, in plain values.

export interface WebhookCard {
  readonly id: string;
  /** Without what its query has. */
  readonly url: string;
  /** Empty: all. */
  readonly events: readonly string[];
  /** What else its events are filtered by: sports, countries, venues and bookmakers. Empty: nothing. */
  readonly only: readonly string[];
  /** Of arbs; null: any. */
  readonly minEdgePct: number | null;
  /** Of prices, in percent; null: any. */
  readonly minMovePct: number | null;
  /** Why nothing is posted; null: events are posted. */
  readonly pausedReason: 'plan' | 'paused' | 'gone' | 'failing' | null;
  readonly lastDeliveryMs: number | null;
  /** Attempts that have failed since then. */
  readonly failures: number;
}

interface AttemptRow {
  readonly attempt: number;
  readonly startedMs: number;
  /** Null: it is under way, or was cut off. */
  readonly durationMs: number | null;
  /** Null: there was no response. */
  readonly statusCode: number | null;
  readonly error: string | null;
}

export interface DeliveryRow {
  readonly id: string;
  readonly event: string;
  readonly isTest: boolean;
  readonly isReplay: boolean;
  readonly status: 'pending' | 'retrying' | 'delivered' | 'failed' | 'cancelled';
  /** Why the last attempt failed, or why it was cancelled. */
  readonly error: string | null;
  readonly createdMs: number;
  /** The first one first. */
  readonly attempts: readonly AttemptRow[];
}

export interface Webhooks {
  /** Whether the plan includes delivery. */
  readonly isEntitled: boolean;
  readonly list: readonly WebhookCard[];
  /** The webhook whose last deliveries are shown, the newest first; null: none is chosen. */
  readonly open: { readonly id: string; readonly deliveries: readonly DeliveryRow[] } | null;
}
