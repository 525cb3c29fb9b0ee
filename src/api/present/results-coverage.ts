// Counts of what is held of the full fields (A 2.12). Every race is judged by `fieldOf`, the same as in the results themselves.
import type { Static } from '@sinclair/typebox';
import { type FieldStatus, fieldSource } from '../../domain/field-coverage';
import type { CoverageQuery, CoverageRace, CoverageRead } from '../../store/reads/results-coverage';
import { FIELD_STATUSES } from '../schemas/field';
import type { ResultsCoverage } from '../schemas/results-coverage';
import { fieldOf } from './result';

type Wire = Static<typeof ResultsCoverage>;
type Counts = Record<FieldStatus | 'races', number>;

interface Judged {
  readonly race: CoverageRace;
  readonly status: FieldStatus;
}

const MOST_VENUES = 200;

export function presentResultsCoverage(
  read: CoverageRead,
  { from, to }: CoverageQuery,
  days: number,
  now: string,
): Wire {
  const judged = read.races.map((race) => ({ race, status: fieldOf(race, now).status }));
  const all = countsOf(judged);
  const collectable = all.races - all.unsupported - all.not_applicable;
  const venues = incompleteVenues(judged);
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
    by_category: groups(judged, (race) => [race.country, race.category])
      .map(byCategory)
      .sort(byCountryAndCode),
    by_day: groups(judged, (race) => [race.meeting_date, race.country, race.category])
      .map((group) => ({ day: group[0]!.race.meeting_date, ...byCategory(group) }))
      .sort((a, b) => b.day.localeCompare(a.day) || byCountryAndCode(a, b)),
    venues_incomplete: venues.slice(0, MOST_VENUES),
    venues_incomplete_truncated: venues.length > MOST_VENUES,
    field_scope:
      'Races with a result whose meeting day is one of these Sydney days; `complete` is a held full field of runners.',
  };
}

function byCategory(group: readonly Judged[]) {
  const { country, category } = group[0]!.race;
  const source = fieldSource(category, country);
  return { country, category, ...(source && { field_source: source }), ...countsOf(group) };
}

type Group = Pick<CoverageRace, 'country' | 'category'>;

/** One order whatever the rows' own; an unknown country last. */
function byCountryAndCode(a: Group, b: Group): number {
  const [one, other] = [a, b].map(({ country, category }) => `${country ?? '~'} ${category}`) as [string, string];
  return one < other ? -1 : Number(one > other);
}

/** Groups by key, in the order in which they first come. */
function groups(judged: readonly Judged[], keyOf: (race: CoverageRace) => unknown[]): Judged[][] {
  const found = new Map<string, Judged[]>();
  for (const one of judged) {
    const key = JSON.stringify(keyOf(one.race));
    const group = found.get(key);
    if (group) group.push(one);
    else found.set(key, [one]);
  }
  return [...found.values()];
}

function countsOf(judged: readonly Judged[]): Counts {
  const counts = Object.fromEntries(['races', ...FIELD_STATUSES].map((name) => [name, 0])) as Counts;
  for (const { status } of judged) {
    counts.races++;
    counts[status]++;
  }
  return counts;
}

const missing = (counts: Counts): number => counts.pending + counts.overdue + counts.unavailable;

/** Most missing first, then newest day, venue, country and code: one order, so that what is cut off is not chance. */
function incompleteVenues(judged: readonly Judged[]): Wire['venues_incomplete'] {
  return groups(judged, (race) => [race.meeting_date, race.venue_id, race.category, race.country])
    .map((group) => {
      const { meeting_date: day, venue, venue_id, category, country } = group[0]!.race;
      const settled = group.every(({ race }) => race.status !== 'interim');
      return { day, venue, venue_id, category, country, settled, ...countsOf(group) };
    })
    .filter((row) => missing(row) > 0)
    .sort((a, b) => missing(b) - missing(a) || byDayAndVenue(a, b) || byCountryAndCode(a, b));
}

type Meeting = Pick<CoverageRace, 'venue_id'> & { readonly day: string };

const byDayAndVenue = (a: Meeting, b: Meeting): number =>
  b.day.localeCompare(a.day) || a.venue_id.localeCompare(b.venue_id);

function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((10_000 * part) / whole) / 100;
}
