// The parts of the workflows that outside code (API, discovery, tests, operators) uses: ids, queues, messages. Types
// and names only.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { RaceEvent, RaceState } from '../domain/lifecycle/lifecycle';
import type { AuditedSport } from '../domain/quality/audit';
import type { FeedPlacing } from '../domain/race/feed-race';
import type { Category, Day, Instant } from '../domain/race/race';
import type { RaceClock } from '../domain/time/clock';

export const QUEUES = {
  /** Workflow tasks only. */
  workflows: 'racing-workflows',
  /** Long live pollers: many slots, no shutdown grace. */
  poll: 'racing-poll',
  /** The exchange's stream, apart from the pollers: it must not wait for one of their slots. */
  exchange: 'racing-exchange',
  /** Card polls, results, discovery, collectors. */
  io: 'racing-io',
  /** What a race has decided and what an operator orders: short writes that must not wait behind card polls. */
  decisions: 'racing-decisions',
  /** Form pages and the gates of registries, workflow tasks too (D62). */
  forms: 'racing-forms',
  /** Backfill jobs, workflow tasks too (D62). */
  backfill: 'racing-backfill',
  /** Retries of webhook deliveries, workflow tasks too (D62). */
  webhooks: 'racing-webhooks',
} as const;

/** Of all workers of a namespace: Temporal routes work by their builds, if they have one. */
export const DEPLOYMENT = 'racing-odds';

const RACE = 'race:';
export const raceWorkflowId = (raceId: string): string => `${RACE}${raceId}`;
export const raceIdOf = (workflowId: string): string => workflowId.slice(RACE.length);

/** `code`: one that the horse has or had at any meeting, digits only. */
export const formWorkflowId = (code: string): string => `form:${code}`;
export const backfillWorkflowId = (jobId: string): string => `backfill:${jobId}`;
export const deliveryWorkflowId = (webhookId: string, deliveryId: string): string =>
  `delivery:${webhookId}:${deliveryId}`;
/** One audit of a sport at a time, scheduled or ordered. */
export const auditWorkflowId = (sport: AuditedSport): string => `audit:${sport}`;
export const gateWorkflowId = (registry: string): string => `registry-gate:${registry}`;

/** Workflow types that other code starts by name. */
export const WORKFLOWS = {
  race: 'race',
  discover: 'discoverMeetings',
  uptime: 'measureUptime',
  audit: 'auditQuality',
  form: 'readForm',
  gate: 'registryGate',
  backfill: 'backfill',
  delivery: 'webhookDelivery',
} as const;

/**
 * The namespace must have these (scripts/servers/search-attributes.json registers them): without one no race gets
 * beyond its first task.
 */
export const SEARCH_ATTRIBUTES = [
  'RacePhase',
  'PollTier',
  'FieldStatus',
  'Venue',
  'Category',
  'Country',
  'AdvertisedStart',
  'WorkStatus',
  'EventType',
] as const;

/** Argument of a race workflow. Plain JSON. */
export interface RaceInput {
  readonly raceId: string;
  readonly meetingDate: Day;
  readonly category: Category;
  readonly country: string | null;
  readonly venue: string;
  readonly raceNumber: number;
  readonly advertisedStart: Instant;
  readonly startVersion: number;
  readonly clock: RaceClock;
  /** Wall, of its live pollers. Absent: 20 s. */
  readonly heartbeatTimeoutMs?: number;
}

/** Passed on by continue-as-new, and to a race that is started again from stored data. Null: from the beginning. */
export interface RaceCarry {
  readonly state: RaceState;
  readonly story: readonly StoryLine[];
  /** Received events that are not yet decided. */
  readonly inbox: readonly RaceEvent[];
}

/** One line of the race's story in the Temporal UI. */
export interface StoryLine {
  readonly at: Instant;
  readonly what: string;
}

/** Versioned: repeats and older versions change nothing. */
export interface StartMoved {
  readonly advertisedStart: Instant;
  readonly version: number;
}

export interface AbandonRequest {
  readonly scope: 'race' | 'meeting';
  /** `abandoned`, `postponed` or `transferred to X` (A 3). */
  readonly note: string;
}

export interface OverrideRequest {
  readonly placings: readonly FeedPlacing[];
  readonly note: string | null;
}

export const startMoved = defineSignal<[StartMoved]>('startMoved');
/**
 * The race was abandoned elsewhere (its meeting, a registry notice). Each version counts once; an older version of this
 * service sends none.
 */
export const abandonedElsewhere =
  defineSignal<[{ readonly note: string; readonly version?: number }]>('abandonedElsewhere');
/** A field was written by hand or long after: re-read the coverage. */
export const lateFill = defineSignal<[]>('lateFill');
/** The database was restored from a backup: store the race's whole state again. */
export const resync = defineSignal<[]>('resync');

/** An update completes when its change is written, and is rejected at once when the race's state does not allow it. */
export const abandon = defineUpdate<void, [AbandonRequest]>('abandon');
export const reinstate = defineUpdate<void, [{ readonly reason: string }]>('reinstate');
export const overrideResult = defineUpdate<void, [OverrideRequest]>('overrideResult');

/** For a registry's gate: opens the door for an operator, before a probe has read a page. */
export const forceOpen = defineUpdate<void, [{ readonly reason: string }]>('forceOpen');

/**
 * How the reading of a horse's form page ended. `absent`: the registry has no such page; `unreadable`: its page is not
 * that of a horse; `failed`: no page came.
 */
export type FormRead =
  | { readonly kind: 'stored' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'failed' }
  /** A pause, a wall, no turn in time, or no worker. Wall. */
  | { readonly kind: 'away'; readonly retryAfterMs: number };

/** For a waiting backfill job: compares at once what it waits for, instead of within ten minutes. */
export const hasten = defineSignal<[]>('hasten');

/** Argument of a backfill job's workflow. Plain JSON. */
export interface BackfillInput {
  readonly jobId: string;
}

/** The current state of a backfill job, as the search attribute `WorkStatus` shows it. */
export type BackfillWorkStatus = 'running' | 'blocked' | 'paused' | 'walled';

/** One post of a webhook delivery, in figures. */
export interface DeliveryAttempt {
  readonly attempt: number;
  /** Null: there was no response. */
  readonly statusCode: number | null;
  /** Wall time. Null: the attempt was interrupted. */
  readonly durationMs: number | null;
}

/** Argument of the workflow that retries a delivery. Plain JSON. */
export interface DeliveryInput {
  readonly webhookId: string;
  readonly deliveryId: string;
  /** As customers subscribe to it: `race.result`. */
  readonly event: string;
  /** The attempts before it. */
  readonly attempts: readonly DeliveryAttempt[];
}

/** To a delivery's workflow: all its attempts so far. Only for display. */
export const attempted = defineSignal<[readonly DeliveryAttempt[]]>('attempted');

export const raceState = defineQuery<RaceState>('raceState');
