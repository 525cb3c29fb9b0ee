// All that outsiders (API, discovery, tests, operators) may know of the workflows: ids, queues, messages. Types and names only.
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { RaceEvent, RaceState } from '../domain/lifecycle/lifecycle';
import type { FeedPlacing } from '../domain/race/feed-race';
import type { Category, Day, Instant } from '../domain/race/race';
import type { RaceClock } from '../domain/time/clock';

export const QUEUES = {
  /** Workflow tasks only. */
  workflows: 'racing-workflows',
  /** Long live pollers: many slots, no shutdown grace. */
  poll: 'racing-poll',
  /** Short I/O: decisions, card polls, results, discovery. */
  io: 'racing-io',
} as const;

export const raceWorkflowId = (raceId: string): string => `race:${raceId}`;

/** Names of the workflow types, as they are started by outsiders. */
export const WORKFLOWS = { race: 'race', discover: 'discoverMeetings', uptime: 'measureUptime' } as const;

/** What a race workflow starts from. Plain JSON. */
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
}

/** What continue-as-new hands over, and what a race that is taken up again begins with. Null: from the beginning. */
export interface RaceCarry {
  readonly state: RaceState;
  readonly story: readonly StoryLine[];
  /** Told and not yet acted on. */
  readonly inbox: readonly RaceEvent[];
}

/** One line of the race's story, as an operator reads it in the Temporal UI. */
export interface StoryLine {
  readonly at: Instant;
  readonly what: string;
}

/** A fact, versioned: repeats and older ones change nothing. */
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
/** The race was abandoned elsewhere (its meeting, a registry notice). */
export const abandonedElsewhere = defineSignal<[{ readonly note: string }]>('abandonedElsewhere');
/** A field was written by hand or long after: re-read the coverage. */
export const lateFill = defineSignal<[]>('lateFill');

/** Updates answer when what they ask for is written, and are refused at once when the race's state does not allow it. */
export const abandon = defineUpdate<void, [AbandonRequest]>('abandon');
export const reinstate = defineUpdate<void, [{ readonly reason: string }]>('reinstate');
export const overrideResult = defineUpdate<void, [OverrideRequest]>('overrideResult');

export const raceState = defineQuery<RaceState>('raceState');
