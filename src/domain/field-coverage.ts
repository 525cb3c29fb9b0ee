// Whether the full field of a run race is held, awaited or lost (A 3 "Result field coverage", A 2.12, D25). One function decides, for the
// race's workflow and for results/coverage alike, so the counts can never disagree with the rows.
import { addDays, aetDay, aetDayBounds } from './aet';
import type { Category, Day, Instant } from './race';

export type FieldStatus = 'complete' | 'pending' | 'overdue' | 'unavailable' | 'unsupported' | 'not_applicable';
export type FieldSource = 'racing_australia' | 'topaz';

/** `note` is the published `field_note`; `expectedAt` the next scheduled pass, null when none is scheduled. */
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
  readonly startTime: Instant;
  /** When a collector pass last ran over the race without a field; null before the first. */
  readonly lastPassAt: Instant | null;
  readonly now: Instant;
}

const DAY_MS = 86_400_000;
/** One pass a day, six hours after Sydney midnight. */
const PASS_AFTER_MIDNIGHT_MS = 6 * 3_600_000;
const HORIZON_DAYS: Readonly<Record<FieldSource, number>> = { racing_australia: 6, topaz: 10 };

/** Which registry fills the field (D25); null where no collector exists. */
export function fieldSource(category: Category, country: string | null): FieldSource | null {
  if (country !== 'AU') return null;
  if (category === 'horse') return 'racing_australia';
  return category === 'greyhound' ? 'topaz' : null;
}

/** The instant at which no scheduled pass selects the race any more (D25: horse 6 days, greyhound 10); null without a collector. */
export function fieldHorizon(category: Category, country: string | null, startTime: Instant): Instant | null {
  const source = fieldSource(category, country);
  return source && new Date(Date.parse(startTime) + HORIZON_DAYS[source] * DAY_MS).toISOString();
}

/**
 * The first collector pass strictly after `after`: one a day from the day after the race's Sydney day, until the horizon closes.
 * Null when none is left or no collector exists.
 */
export function nextFieldPass(
  race: { readonly category: Category; readonly country: string | null; readonly startTime: Instant },
  after: Instant,
): Instant | null {
  const horizon = fieldHorizon(race.category, race.country, race.startTime);
  if (horizon === null) return null;
  const afterMs = Date.parse(after);
  const [day] = [addDays(aetDay(Date.parse(race.startTime)), 1), aetDay(afterMs)].sort().slice(-1) as [Day];
  const passMs = [passOn(day), passOn(addDays(day, 1))].find((ms) => ms > afterMs)!;
  return passMs < Date.parse(horizon) ? new Date(passMs).toISOString() : null;
}

const passOn = (day: Day): number => aetDayBounds(day).startMs + PASS_AFTER_MIDNIGHT_MS;

/**
 * Field coverage of a race with a result, from facts alone.
 * A 3 rows: pending -> overdue (a pass ran without a field), overdue -> unavailable (horizon closed), any of the three -> complete (field
 * written); `unsupported` and `not_applicable` have no moves. With facts that only grow, the answer never goes back.
 */
export function fieldStateOf(facts: FieldFacts): FieldState {
  const source = fieldSource(facts.category, facts.country);
  if (facts.resultStatus === 'abandoned') return settled('not_applicable', null, null);
  if (source === null) return settled('unsupported', null, null);
  if (facts.hasRunners) return settled('complete', source, null);
  if (Date.parse(facts.now) >= Date.parse(fieldHorizon(facts.category, facts.country, facts.startTime)!)) {
    return settled('unavailable', source, 'no further collector pass is scheduled');
  }
  const expectedAt = nextFieldPass(facts, facts.now);
  if (facts.lastPassAt !== null && Date.parse(facts.lastPassAt) >= Date.parse(facts.startTime)) {
    return { status: 'overdue', source, note: overdueNote(expectedAt), expectedAt };
  }
  return { status: 'pending', source, note: expectedAt && `collector pass expected at ${expectedAt}`, expectedAt };
}

const settled = (status: FieldStatus, source: FieldSource | null, note: string | null): FieldState => ({
  status,
  source,
  note,
  expectedAt: null,
});

const overdueNote = (expectedAt: Instant | null): string =>
  expectedAt === null
    ? 'a collector pass ran without a field; no further pass inside the horizon'
    : `a collector pass ran without a field; next pass at ${expectedAt}`;
