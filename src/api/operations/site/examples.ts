// Examples of the public reports, for the OpenAPI document.
import type { Static } from '@sinclair/typebox';
import type { CoverageReport } from './coverage-report-schema';
import type { PlatformFacts } from './platform-facts-schema';

const AS_OF = '2026-11-21T03:00:00.000Z';
const DAYS = { days: 7, from_day: '2026-11-15', to_day: '2026-11-21' };
const FIELDS = { pending: 40, overdue: 3, unavailable: 0, unsupported: 410, not_applicable: 6, without_result: 2 };

export const exampleCoverageReport: Static<typeof CoverageReport> = {
  as_of: AS_OF,
  recomputed_after_s: 60,
  prices: {
    ...DAYS,
    races: 1_420,
    measured: 'Archived races of these days that were not abandoned.',
    by_code: [
      {
        category: 'horse',
        country: 'AU',
        races: 1_420,
        bookmakers: [
          {
            bookmaker: 'tab',
            title: 'TAB',
            races_priced: 1_418,
            races_priced_pct: 99.86,
            races_closed: 1_402,
            races_closed_pct: 98.73,
          },
        ],
      },
    ],
  },
  bookmakers: [{ bookmaker: 'tab', title: 'TAB', status: 'ok', last_ok: '2026-11-21T02:59:52.120Z' }],
  results: {
    ...DAYS,
    coverage_from: '2026-08-15T01:00:00.000Z',
    races: 1_400,
    complete: 941,
    ...FIELDS,
    collectable: 984,
    complete_pct: 67.21,
    supported_complete_pct: 95.63,
    by_category: [
      { country: 'AU', category: 'horse', field_source: 'racing_australia', races: 1_400, complete: 941, ...FIELDS },
    ],
    field_scope: 'Races with a result whose meeting day is one of these Sydney days.',
  },
  archive: null,
  unavailable: [{ name: 'archive', reason: 'The archive has no prices yet.' }],
};

export const examplePlatformFacts: Static<typeof PlatformFacts> = {
  as_of: AS_OF,
  recomputed_after_s: 60,
  facts: {
    bookmakers_collected: {
      value: 14,
      as_of: AS_OF,
      measured: 'Bookmakers with a successful poll or push in the last 24 hours.',
    },
    races_archived: {
      value: 9_120,
      as_of: AS_OF,
      measured: 'Races of which the archive has prices, counted exactly as each race is archived.',
    },
    archive_first_day: {
      value: '2026-08-04',
      as_of: AS_OF,
      measured: 'Sydney day on which the first race of the archive started.',
    },
    operations_served: { value: 80, as_of: AS_OF, measured: 'Counted in the document at /openapi.json.' },
  },
  unavailable: [{ name: 'uptime_30d_pct', reason: 'The probe has recorded no check in the last 30 days.' }],
};
