// The rows of the archive that a request selects (B 4.1 to 4.3, D45): the only reading of its parameters, for the
// rules, the plan gate and the reads of every operation.
import type { Category } from '../../../../domain/race/race';
import { addDays, aetDay, aetDayBounds, isDay } from '../../../../domain/time/aet';
import { readInstant } from '../../../../domain/time/instant';
import type { InputProblem } from '../../../../errors';
import type { ArchiveSelection } from '../../../../store/reads/archive/selection';
import type { Rights } from '../../../kernel/endpoint/caller';
import { unknownBookmakers } from '../../../kernel/endpoint/rules';
import type { Audience } from '../../../kernel/endpoint/visibility';
import { JSON_ROWS } from './parameters';

/** Validated parameters. An operation has some of them. */
export interface ArchiveQuery {
  readonly from?: string;
  readonly to?: string;
  readonly date?: string;
  readonly venue?: string;
  readonly categories?: readonly Category[];
  readonly country?: readonly string[];
  readonly race_id?: string;
  readonly bookmakers?: readonly string[];
  readonly signal?: readonly string[];
  readonly closing_only?: boolean;
  readonly resulted_only?: boolean;
  readonly include_flagged?: boolean;
  readonly include_scratched?: boolean;
  readonly format?: string;
  readonly limit?: number;
}

/** `week`: without `race_id` at most seven days, and by default the last seven (B 4.3). */
export type Span = 'any' | 'week';

const HOUR_MS = 3_600_000;
const DAYS = 7;
const WEEK_MS = DAYS * 24 * HOUR_MS;
/** The range of instants that every part of the service can represent. */
const FIRST_MS = Date.UTC(1900);
const LAST_MS = Date.UTC(9999);

/** A Sydney day or an instant. */
export const startOf = (text: string): number =>
  isDay(text) ? aetDayBounds(text).startMs : Date.parse(readInstant(text)!);

/** Exclusive. */
export function endOf(text: string): number {
  if (!isDay(text)) return startOf(text) + 1;
  return text >= '9999' ? LAST_MS : aetDayBounds(text).endMs;
}

interface Bounds {
  readonly fromMs: number | null;
  /** Exclusive. */
  readonly untilMs: number | null;
}

/** By race start. A meeting day or a race is selected without a span, unless one is sent. */
function boundsOf({ from, to, date, race_id }: ArchiveQuery, nowMs: number, span: Span): Bounds {
  const isOne = date !== undefined || race_id !== undefined;
  const untilMs = to === undefined ? (isOne ? null : nowMs + 1) : endOf(to);
  if (from !== undefined) return { fromMs: startOf(from), untilMs };
  return { fromMs: span === 'week' && !isOne ? weekBefore(to, nowMs) : null, untilMs };
}

/** The bounds of every following page: written out if they depend on the time of the request. */
export function standingBounds(query: ArchiveQuery, nowMs: number, span: Span): Pick<ArchiveQuery, 'from' | 'to'> {
  const { fromMs, untilMs } = boundsOf(query, nowMs, span);
  return {
    ...(query.from === undefined && fromMs !== null && { from: instantOf(fromMs) }),
    ...(query.to === undefined && untilMs !== null && { to: instantOf(untilMs - 1) }),
  };
}

/** The longest span that ends there. */
function weekBefore(to: string | undefined, nowMs: number): number {
  if (to !== undefined && isDay(to)) return aetDayBounds(addDays(to, 1 - DAYS)).startMs;
  return (to === undefined ? nowMs : startOf(to)) - WEEK_MS;
}

/** Seven days are seven Sydney dates, or 168 hours. Between two instants only hours count. */
function isWithinWeek(from: string, to: string | undefined, nowMs: number): boolean {
  const fromMs = startOf(from);
  if ((to === undefined ? nowMs + 1 : endOf(to)) - fromMs <= WEEK_MS + 1) return true;
  const isByDate = isDay(from) || (to !== undefined && isDay(to));
  const toMs = Math.min(to === undefined ? nowMs : startOf(to), LAST_MS);
  return isByDate && aetDay(toMs) <= addDays(aetDay(fromMs), DAYS - 1);
}

export interface RuleContext {
  readonly audience: Audience;
  readonly nowMs: number;
  readonly given: ReadonlySet<string>;
}

/** What the schema of the parameters cannot express. */
export function archiveRules(
  query: ArchiveQuery,
  { audience, nowMs, given }: RuleContext,
  span: Span = 'any',
): InputProblem[] {
  const { format, limit } = query;
  const problems = [
    ...unknownBookmakers(query.bookmakers, audience),
    ...spanProblems(query, given, nowMs, span === 'week' && !given.has('race_id')),
  ];
  if (format === 'json' && limit !== undefined && limit > JSON_ROWS) {
    const detail = `limit must be at most ${JSON_ROWS} with format json; you sent ${limit}.`;
    problems.push({ parameter: 'limit', detail });
  }
  return problems;
}

function spanProblems(
  { from, to }: ArchiveQuery,
  given: ReadonlySet<string>,
  nowMs: number,
  isGuarded: boolean,
): InputProblem[] {
  // An unreadable one has its own problem.
  if (from === undefined || (to === undefined && given.has('to'))) return [];
  const end = to === undefined ? `now (${new Date(nowMs).toISOString()})` : `to (${to})`;
  if (startOf(from) >= (to === undefined ? nowMs + 1 : endOf(to)))
    return [{ parameter: 'from', detail: `from (${from}) must not be after ${end}.` }];
  if (!isGuarded || isWithinWeek(from, to, nowMs)) return [];
  const detail = `The span from ${from} to ${to ?? 'now'} is longer than ${DAYS} days; send a shorter one, or race_id.`;
  return [{ parameter: 'from', detail }];
}

/** The earliest start that a key with `days` of the archive reads (D45). */
const windowStartMs = (days: number, nowMs: number): number => nowMs - days * 24 * HOUR_MS;

/** Whether the whole span of the request is older than these days. A race named by id may be of any day. */
export function isOlderThan(days: number, { date, to }: ArchiveQuery, nowMs: number): boolean {
  const startMs = windowStartMs(days, nowMs);
  // The last races of a meeting may start after its day.
  if (date !== undefined && date < '9999') return endOf(addDays(date, 1)) <= startMs;
  return to !== undefined && endOf(to) <= startMs;
}

/** The selection, limited to the key's part of the archive. */
export function archiveSelection(
  query: ArchiveQuery,
  { archiveDays }: Pick<Rights, 'archiveDays'>,
  nowMs: number,
  span: Span = 'any',
): ArchiveSelection {
  const { fromMs, untilMs } = boundsOf(query, nowMs, span);
  const cutMs = archiveDays === null ? null : windowStartMs(archiveDays, nowMs);
  const from = cutMs === null ? fromMs : Math.max(cutMs, fromMs ?? cutMs);
  return {
    ...(from !== null && { from: instantOf(from) }),
    ...(untilMs !== null && { until: instantOf(untilMs) }),
    meetingDate: query.date,
    raceId: query.race_id,
    venue: query.venue,
    categories: query.categories,
    countries: query.country,
    series: query.bookmakers ?? query.signal,
    closingOnly: query.closing_only,
    resultedOnly: query.resulted_only,
    includeFlagged: query.include_flagged,
    // Only closing lines are filtered by it.
    includeScratched: query.include_scratched ?? true,
  };
}

export const instantOf = (ms: number): string => new Date(Math.min(Math.max(ms, FIRST_MS), LAST_MS)).toISOString();
