// What the pages about the service show beyond its plans. Unknown is null, never 0 (D3).
import type { Instant } from '../../domain/race/race';

/** An operation that costs credits, as it declares itself. */
export interface CallCost {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** `2 credits`, or a sentence where it depends on the call. */
  readonly cost: string;
  /** Its page in the reference. */
  readonly page: string;
}

/** Checks of the service's own health that failed one after another. */
export interface Outage {
  readonly from: Instant;
  /** The first check that passed again; null: none has, or checks were missing before it. */
  readonly until: Instant | null;
  /** No check followed. */
  readonly isLatest: boolean;
  readonly checks: number;
}

/** Of one UTC day. */
export interface CheckedDay {
  readonly day: string;
  readonly checks: number;
  readonly ok: number;
}

/** Of the last 30 days. */
export interface ServiceStatus {
  readonly asOf: Instant;
  readonly checks: number;
  readonly ok: number;
  readonly firstCheck: Instant | null;
  readonly lastCheck: Instant | null;
  readonly lastOk: boolean | null;
  /** Milliseconds; null: no check passed. */
  readonly medianLatencyMs: number | null;
  /** Newest first; days without a check are absent. */
  readonly days: readonly CheckedDay[];
  /** Newest first. */
  readonly outages: readonly Outage[];
}

export interface AboutSource {
  costs(): readonly CallCost[];
  status(nowMs: number): Promise<ServiceStatus>;
  /** `mailto:` or https; null: none is set. */
  readonly contact: string | null;
}
