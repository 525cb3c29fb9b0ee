// The public coverage report (A 4.14): prices by code, country and bookmaker, results, and the archive. The parts of
// results and archive are those of `results/coverage` and `closing-lines/coverage`.
import { Type } from '@sinclair/typebox';
import { Unavailable } from '../../wire/unavailable';
import {
  aged,
  amount,
  BookmakerKey,
  Category,
  count,
  day,
  instant,
  named,
  nullable,
  text,
} from '../../wire/vocabulary';
import { ArchiveCoverage } from '../archive/coverage-schema';
import { LastPoll } from '../connectors/health-schema';
import { ResultsCoverage } from '../results/coverage-schema';

const BookCoverage = named(
  'BookCoverage',
  Type.Object({
    bookmaker: BookmakerKey,
    title: text('Name of the bookmaker.'),
    races_priced: count('Races with at least one captured win price of the bookmaker before the jump.'),
    races_priced_pct: amount('The same in percent of `races`.'),
    races_closed: count(
      'Races with a genuine closing line of the bookmaker: a price seen in the last 300 s before the jump.',
    ),
    races_closed_pct: amount('The same in percent of `races`.'),
  }),
);

const CodeCoverage = named(
  'CodeCoverage',
  Type.Object({
    category: Category,
    country: nullable(text('ISO code; null while the meeting was not confirmed.')),
    races: count('Archived races that were not abandoned.'),
    bookmakers: Type.Array(BookCoverage, {
      description: 'Every bookmaker that is collected now or has a price of these races, most priced first.',
    }),
  }),
);

const PriceCoverage = named(
  'PriceCoverage',
  Type.Object({
    days: count('Sydney days counted, ending today.'),
    from_day: day('First Sydney day of the starts.'),
    to_day: day('Last Sydney day: today, which is partial.'),
    races: count('Archived races of these days that were not abandoned.'),
    measured: text('What is counted, as a sentence.'),
    by_code: Type.Array(CodeCoverage, { description: 'By code and country, most races first.' }),
  }),
);

const CollectedBook = named(
  'CollectedBook',
  Type.Object({
    bookmaker: BookmakerKey,
    title: text('Name of the bookmaker.'),
    status: nullable(LastPoll),
    last_ok: nullable(instant('Time of the last successful poll or push; null if there was none.')),
  }),
);

const ResultsPart = named(
  'CoverageOfResults',
  Type.Omit(ResultsCoverage, ['as_of', 'by_day', 'venues_incomplete', 'venues_incomplete_truncated'], {
    description: 'As in `GET /v1/racing/results/coverage`, which adds days and venues.',
  }),
);

const ArchivePart = named(
  'CoverageOfArchive',
  Type.Omit(ArchiveCoverage, ['days'], {
    description: 'As in `GET /v1/racing/closing-lines/coverage`, which adds days.',
  }),
);

export const CoverageReport = named(
  'CoverageReport',
  Type.Object({
    as_of: aged(instant('When the report was computed (UTC).')),
    recomputed_after_s: count(
      'Seconds after which it is computed again at the latest: half an hour, or a minute while a part is unavailable.',
    ),
    prices: nullable(PriceCoverage),
    bookmakers: nullable(
      Type.Array(CollectedBook, {
        description: 'Bookmakers that are collected, by key. `status` is null before the first poll or push.',
      }),
    ),
    results: nullable(ResultsPart),
    archive: nullable(ArchivePart),
    unavailable: Type.Array(Unavailable, { description: 'The parts that are null, each with the reason.' }),
    bookmakers_as_of: Type.Optional(
      aged(
        instant(
          'When the states in `bookmakers` were read (UTC): now, not with the counts, unless the database is away.',
        ),
      ),
    ),
  }),
);
