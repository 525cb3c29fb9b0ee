// Counts how many races have their full field (A 2.12), with `fieldStateOf`, which the results use too. Days are summed
// from meetings and codes from days, because there are thousands of races.
import type { Static } from '@sinclair/typebox';
import { type FieldStatus, fieldSource, fieldStateOf } from '../../../domain/results/field-coverage';
import type { CoverageMeeting, CoverageQuery, CoverageRead } from '../../../store/reads/results/coverage';
import { roundPct } from '../../wire/rounded';
import type { ResultsCoverage } from './coverage-schema';
import { FIELD_STATUSES } from './field-schema';

type Wire = Static<typeof ResultsCoverage>;
type Counts = Record<FieldStatus | 'races' | 'without_result', number>;
type Code = Pick<CoverageMeeting, 'country' | 'category'>;

const NONE: Counts = {
  races: 0,
  complete: 0,
  pending: 0,
  overdue: 0,
  unavailable: 0,
  unsupported: 0,
  not_applicable: 0,
  without_result: 0,
};
const MOST_VENUES = 200;

export function presentResultsCoverage(
  read: CoverageRead,
  { from, to }: CoverageQuery,
  days: number,
  now: string,
): Wire {
  const meetings = read.meetings.map((meeting) => counted(meeting, now));
  const byDay = summed(meetings, ({ day, country, category }) => ({ day, ...codeOf({ country, category }) }));
  const byCategory = summed(byDay, codeOf);
  const all = sumOf(byCategory);
  const collectable = all.races - all.unsupported - all.not_applicable;
  const venues = meetings.filter((meeting) => missing(meeting) > 0).sort(byWorst);
  return {
    as_of: now,
    days,
    from_day: from,
    to_day: to,
    coverage_from: read.coverageFrom,
    ...all,
    collectable,
    complete_pct: percent(all.complete, all.races),
    supported_complete_pct: percent(all.complete, collectable),
    by_category: byCategory.sort(byCode),
    by_day: byDay.sort((a, b) => order(b.day, a.day) || byCode(a, b)),
    venues_incomplete: venues.slice(0, MOST_VENUES),
    venues_incomplete_truncated: venues.length > MOST_VENUES,
    field_scope:
      'Races with a result whose meeting day is one of these Sydney days; `complete` counts those whose full field is stored.',
  };
}

function counted(meeting: CoverageMeeting, now: string): Wire['venues_incomplete'][number] {
  const { meeting_date: day, venue, venue_id, category, country, races, without_result } = meeting;
  const counts = { ...NONE, without_result };
  for (const [resultStatus, hasRunners, startTime, lastPassAt] of races) {
    counts.races++;
    counts[fieldStateOf({ category, country, resultStatus, hasRunners, startTime, lastPassAt, now }).status]++;
  }
  const settled = without_result === 0 && races.every(([status]) => status !== 'interim');
  return { day, venue, venue_id, category, country, settled, ...counts };
}

function codeOf({ country, category }: Code) {
  const source = fieldSource(category, country);
  return { country, category, ...(source && { field_source: source }) };
}

/** Sums the rows with equal heads. */
function summed<T extends Counts, H extends object>(rows: readonly T[], headOf: (row: T) => H): (H & Counts)[] {
  const found = new Map<string, { head: H; rows: T[] }>();
  for (const row of rows) {
    const head = headOf(row);
    const key = JSON.stringify(head);
    const group = found.get(key);
    if (group) group.rows.push(row);
    else found.set(key, { head, rows: [row] });
  }
  return [...found.values()].map(({ head, rows }) => ({ ...head, ...sumOf(rows) }));
}

function sumOf(rows: readonly Counts[]): Counts {
  const sums = { ...NONE };
  for (const row of rows) {
    sums.races += row.races;
    sums.without_result += row.without_result;
    for (const status of FIELD_STATUSES) sums[status] += row[status];
  }
  return sums;
}

/** By code unit: locale-aware comparison takes milliseconds for this many meetings. */
const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** An unknown country last. */
const byCode = (a: Code, b: Code): number => order(a.country ?? '~', b.country ?? '~') || order(a.category, b.category);

const missing = (counts: Counts): number =>
  counts.pending + counts.overdue + counts.unavailable + counts.without_result;

type Meeting = Wire['venues_incomplete'][number];

/**
 * Most missing first, then newest day, venue, country and code: a total order, so that the cut-off is deterministic.
 */
const byWorst = (a: Meeting, b: Meeting): number =>
  missing(b) - missing(a) || order(b.day, a.day) || order(a.venue_id, b.venue_id) || byCode(a, b);

function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : roundPct((100 * part) / whole);
}
