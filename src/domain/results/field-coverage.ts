// Whether the full field of a run race is stored, awaited or lost (A 3 "Result field coverage", A 2.12, D25). The
// race's workflow and `results/coverage` use the same function, so that counts and rows always agree.

import type { Category, Day, Instant } from '../race/race';
import { addDays, aetDay, aetDayBounds } from '../time/aet';

export type FieldStatus = 'complete' | 'pending' | 'overdue' | 'unavailable' | 'unsupported' | 'not_applicable';
export type FieldSource = 'racing_australia' | 'topaz';

/** `note` is the published `field_note`; `expectedAt` is the next scheduled pass, null if none is scheduled. */
export interface FieldState {
  readonly status: FieldStatus;
  readonly source: FieldSource | null;
  readonly note: string | null;
  readonly expectedAt: Instant | null;
}

export interface FieldFacts {
  readonly category: Category;
  readonly country: string | null;
  readonly resultStatus: 'interim' | 'final' | 'abandoned';
  readonly hasRunners: boolean;
  /** The stored field's order of finish differs from the placings: one of the two was corrected later. */
  readonly contradicted?: boolean;
  readonly startTime: Instant;
  /** When a collector pass last ran over the race without a field; null before the first. */
  readonly lastPassAt: Instant | null;
  readonly now: Instant;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/**
 * Epoch milliseconds of the passes of a day. Racing Australia: of the Sydney day, at six in the morning, counted back
 * from the day's end because the clocks change before six. Topaz: of the UTC day (22:30 and 00:30, reference-shapes 7).
 */
const PASSES: Readonly<Record<FieldSource, (day: Day) => readonly number[]>> = {
  racing_australia: (day) => [aetDayBounds(day).endMs - 18 * HOUR_MS],
  topaz: (day) => [0.5, 22.5].map((hour) => Date.parse(day) + hour * HOUR_MS),
};
const HORIZON_DAYS: Readonly<Record<FieldSource, number>> = { racing_australia: 6, topaz: 10 };

/** Which registry provides the field (D25); null if there is no collector for it. */
export function fieldSource(category: Category, country: string | null): FieldSource | null {
  if (country !== 'AU') return null;
  if (category === 'horse') return 'racing_australia';
  return category === 'greyhound' ? 'topaz' : null;
}

/**
 * The instant from which no scheduled pass selects the race (D25: horse 6 days, greyhound 10); null without a
 * collector.
 */
export function fieldHorizon(category: Category, country: string | null, startTime: Instant): Instant | null {
  const source = fieldSource(category, country);
  return source && new Date(horizonMs(source, startTime)).toISOString();
}

const horizonMs = (source: FieldSource, startTime: Instant): number =>
  Date.parse(startTime) + HORIZON_DAYS[source] * DAY_MS;

/**
 * The first scheduled collector pass strictly after `after`, never before the end of the race's Sydney day nor at or
 * after the horizon. Null if none is left or no collector exists. If this instant is past for the last pass that ran, a
 * pass was missed.
 */
export function nextFieldPass(
  race: { readonly category: Category; readonly country: string | null; readonly startTime: Instant },
  after: Instant,
): Instant | null {
  const source = fieldSource(race.category, race.country);
  if (source === null) return null;
  const dayOver = aetDayBounds(aetDay(Date.parse(race.startTime))).endMs;
  const passMs = passAfter(source, Math.max(Date.parse(after), dayOver - 1));
  return passMs < horizonMs(source, race.startTime) ? new Date(passMs).toISOString() : null;
}

/** A Sydney day begins on the UTC day before it: its pass may be two days later. */
const DAYS_TO_LOOK = [0, 1, 2];

function passAfter(source: FieldSource, ms: number): number {
  const today = new Date(ms).toISOString().slice(0, 10);
  for (const day of DAYS_TO_LOOK) for (const pass of PASSES[source](addDays(today, day))) if (pass > ms) return pass;
  throw new Error(`no pass of ${source} after ${ms}`);
}

/** The note of a complete field whose order of finish differs from the placings. Bets are settled on the placings. */
export const CONTRADICTED = 'the official order of finish differs from the settled placings';

/**
 * Field coverage of a race with a result.
 * A 3 rows: pending -> overdue (a pass ran without a field), overdue -> unavailable (horizon closed), any of the three
 * -> complete (field written); `unsupported` and `not_applicable` never change. If facts are only added, the state
 * never goes back.
 */
export function fieldStateOf(facts: FieldFacts): FieldState {
  const source = fieldSource(facts.category, facts.country);
  if (facts.resultStatus === 'abandoned') return settled('not_applicable', null, null);
  if (source === null) return settled('unsupported', null, null);
  if (facts.hasRunners) return settled('complete', source, facts.contradicted ? CONTRADICTED : null);
  if (Date.parse(facts.now) >= horizonMs(source, facts.startTime)) {
    return settled('unavailable', source, 'no further collector pass is scheduled');
  }
  const expectedAt = nextFieldPass(facts, facts.now);
  if (facts.lastPassAt !== null && Date.parse(facts.lastPassAt) >= Date.parse(facts.startTime)) {
    return { status: 'overdue', source, note: overdueNote(expectedAt), expectedAt };
  }
  return { status: 'pending', source, note: pendingNote(expectedAt), expectedAt };
}

const settled = (status: FieldStatus, source: FieldSource | null, note: string | null): FieldState => ({
  status,
  source,
  note,
  expectedAt: null,
});

const pendingNote = (expectedAt: Instant | null): string =>
  expectedAt === null
    ? 'no collector pass has run, and none is left inside the horizon'
    : `collector pass expected at ${expectedAt}`;

const overdueNote = (expectedAt: Instant | null): string =>
  expectedAt === null
    ? 'a collector pass ran without a field; no further pass inside the horizon'
    : `a collector pass ran without a field; next pass at ${expectedAt}`;
