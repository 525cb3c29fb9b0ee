// Presents the contents of the archive of closing lines (A 4.13). Sums the counts of categories; reads no row.
import type { Static } from '@sinclair/typebox';
import type { ArchiveDay, ArchiveCoverage as Read } from '../../../store/reads/archive/coverage';
import { roundPct } from '../../wire/rounded';
import type { ArchiveCoverage } from './coverage-schema';

type Wire = Static<typeof ArchiveCoverage>;

const SCOPE =
  'Results are those of the books and registries that the service reads. Hong Kong has no results feed, and an abandoned race has no placings: ' +
  'neither counts in settleable_races.';

type CountName = Exclude<keyof Read['categories'][number], 'category'>;

export function presentArchiveCoverage(read: Read, days: readonly ArchiveDay[]): Wire {
  const { archive_from, archive_to, results_from, categories, bookmakers } = read;
  const sum = (name: CountName): number => categories.reduce((total, one) => total + one[name], 0);
  const pct = (part: number, whole: number): number | null => (whole === 0 ? null : roundPct((100 * part) / whole));
  const rows = sum('rows');
  const races = sum('races');
  const settleable = sum('settleable_races');
  return {
    archive_from,
    archive_to,
    rows,
    races,
    bookmakers: bookmakers.length,
    is_closing_line_pct: pct(sum('closing'), rows),
    open_is_baseline_pct: pct(sum('baseline'), rows),
    resulted_races_pct: pct(sum('resulted_races'), races),
    results_from,
    settleable_races: settleable,
    settleable_resulted_pct: pct(sum('settleable_resulted'), settleable),
    results_scope: SCOPE,
    venue_split_suspect_rows: sum('split'),
    name_fragment_suspect_rows: sum('fragment'),
    by_category: categories.map(({ category, rows, races, resulted_races }) => ({
      category,
      rows,
      races,
      resulted_races,
    })),
    closing_rows: sum('closing'),
    resulted_rows: sum('resulted'),
    scratched_rows: sum('scratched'),
    days: days.map(presentDay),
  };
}

const presentDay = ({ day, run, archived, closed, without }: ArchiveDay): Wire['days'][number] => ({
  day,
  races_run: run,
  races_archived: archived,
  races_closed: closed,
  without_close: {
    not_archived: Math.max(0, run - archived),
    abandoned: without.abandoned ?? 0,
    no_prices: without.no_prices ?? 0,
    prices_after_jump: without.prices_after_jump ?? 0,
    last_seen_only: without.last_seen_only ?? 0,
  },
});
