// What the pages about the service show beyond its plans. Unknown is null, never 0 (D3).
import type { Instant } from '../../domain/race/race';
import type { RightName } from '../../plans/rights';

interface CallLink {
  readonly summary: string;
  /** Its page in the reference. */
  readonly page: string;
}

/** An operation that costs credits, at once or later, as it declares itself. */
export interface CallCost extends CallLink {
  readonly method: string;
  readonly path: string;
  /** `2 credits`, or a sentence where it depends on the call. */
  readonly cost: string;
}

/** Operations that the same plans may call, as they declare themselves. */
export interface GatedCalls {
  /** Null: their gate has a rule of its own. */
  readonly right: RightName | null;
  /** The rule as a sentence. */
  readonly rule: string;
  readonly calls: readonly CallLink[];
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
  gates(): readonly GatedCalls[];
  status(nowMs: number): Promise<ServiceStatus>;
  /** `mailto:` or https; null: none is set. */
  readonly contact: string | null;
}
