// GET /v1/racing/closing-lines/coverage (A 4.13, B 2.1). Reads only counts, so it is equally fast at any size of the
// archive.

import { addDays, aetDay, aetDayBounds } from '../../../domain/time/aet';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { ArchiveCoverage } from './coverage-schema';
import { presentArchiveCoverage } from './present-coverage';

const DAYS = 14;

export const closingLinesCoverage = endpoint<{ reads: Reads }>()({
  method: 'get',
  path: '/v1/racing/closing-lines/coverage',
  operationId: 'closing_lines_coverage',
  tag: 'Racing Archive',
  summary: 'What the archive of closing lines has',
  description:
    'Range, rows, races and books of the whole archive, how many rows are genuine closing lines and have a result, and day by day how many races ' +
    'ran, are archived, and have no close, by reason. For all plans.',
  auth: 'key',
  cost: flat(1),
  ok: {
    description: 'The counts.',
    schema: ArchiveCoverage,
    example: {
      archive_from: '2026-08-04T01:10:00.000Z',
      archive_to: '2026-11-21T02:35:00.000Z',
      rows: 1_204_880,
      races: 9_120,
      bookmakers: 14,
      is_closing_line_pct: 85.12,
      open_is_baseline_pct: 42.3,
      resulted_races_pct: 97.41,
      results_from: '2026-08-15T01:00:00.000Z',
      settleable_races: 9_002,
      settleable_resulted_pct: 98.6,
      results_scope: 'Hong Kong has no results feed.',
      venue_split_suspect_rows: 0,
      name_fragment_suspect_rows: 412,
      by_category: [{ category: 'horse', rows: 702_114, races: 4_410, resulted_races: 4_302 }],
      closing_rows: 1_025_594,
      resulted_rows: 1_173_992,
      scratched_rows: 8_120,
      days: [
        {
          day: '2026-11-21',
          races_run: 61,
          races_archived: 60,
          races_closed: 58,
          without_close: { not_archived: 1, abandoned: 1, no_prices: 0, prices_after_jump: 0, last_seen_only: 1 },
        },
      ],
    },
  },
  async handler({ nowMs, services: { reads } }) {
    const today = aetDay(nowMs);
    const days = Array.from({ length: DAYS }, (_, back) => dayBounds(addDays(today, -back)));
    const [coverage, read] = await Promise.all([reads.archive.coverage(), reads.archive.days(days)]);
    return { body: presentArchiveCoverage(coverage, read) };
  },
});

function dayBounds(day: string) {
  const { startMs, endMs } = aetDayBounds(day);
  return { day, since: new Date(startMs).toISOString(), until: new Date(endMs).toISOString() };
}
