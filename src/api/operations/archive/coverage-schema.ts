// The contents of the archive of closing lines (A 4.13, B 2.1), and by day the races it lacks and why.
import { Type } from '@sinclair/typebox';
import { amount, Category, count, day, instant, named, nullable, text } from '../../wire/vocabulary';

const CategoryCounts = named(
  'ArchivedCategory',
  Type.Object({
    category: Category,
    rows: count('Rows, the flagged and scratched included.'),
    races: count('Races with rows.'),
    resulted_races: count('Of these, races that have a result.'),
  }),
);

const WithoutClose = named(
  'RacesWithoutClose',
  Type.Object(
    {
      not_archived: count('Not archived yet: the next hour tries again.'),
      abandoned: count('The race was abandoned.'),
      no_prices: count('No book’s price was captured.'),
      prices_after_jump: count('Prices were captured only after the jump.'),
      last_seen_only: count('The last prices were seen more than 300 s before the jump.'),
    },
    { description: 'Races without a genuine closing line, by reason.' },
  ),
);

const Day = named(
  'ArchivedDay',
  Type.Object({
    day: day('Sydney day of the starts.'),
    races_run: count('Races that started and have left the board.'),
    races_archived: count('Of these, races that the archive has, with or without rows.'),
    races_closed: count('Archived races with at least one genuine closing line.'),
    without_close: WithoutClose,
  }),
);

export const ArchiveCoverage = named(
  'ArchiveCoverage',
  Type.Object({
    archive_from: nullable(instant('Start of the first race with rows (UTC); null: there is none.')),
    archive_to: nullable(instant('Start of the last race with rows (UTC).')),
    rows: count('Rows, the flagged and scratched included.'),
    races: count('Races with rows.'),
    bookmakers: count('Bookmakers with rows.'),
    is_closing_line_pct: nullable(amount('Genuine closing lines, in percent of `rows`; null if there are none.')),
    open_is_baseline_pct: nullable(amount('Rows that begin at the 60-minute window, in percent of `rows`.')),
    resulted_races_pct: nullable(amount('Races that have a result, in percent of `races`.')),
    results_from: nullable(instant('Start of the first race that has a result (UTC).')),
    settleable_races: count('Races with rows that were not abandoned, in countries whose results are published.'),
    settleable_resulted_pct: nullable(amount('Of these, races that have a result, in percent.')),
    results_scope: text('Which races can have a result, as a sentence.'),
    venue_split_suspect_rows: count(),
    name_fragment_suspect_rows: count(),
    by_category: Type.Array(CategoryCounts),
    closing_rows: count('Genuine closing lines.'),
    resulted_rows: count('Rows of races that have a result.'),
    scratched_rows: count('Rows of runners that the result has as scratched.'),
    days: Type.Array(Day, { description: 'The last 14 Sydney days, the newest first; today is partial.' }),
  }),
);
