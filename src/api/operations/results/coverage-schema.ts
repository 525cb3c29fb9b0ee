// How many results have their full field, counted by the function that sets `field_status` (A 2.12).
import { type Static, Type } from '@sinclair/typebox';
import { aged, amount, Category, count, day, instant, named, nullable, text, yes } from '../../wire/vocabulary';
import { FieldSource, fieldCounts } from './field-schema';

const without_result = count('Races that started more than two hours ago and have no result; not part of `races`.');

const byCategory = {
  country: nullable(text()),
  category: Category,
  field_source: Type.Optional(FieldSource),
  ...fieldCounts,
  without_result,
};

const CategoryCoverage = named('CategoryCoverage', Type.Object(byCategory));
const DayCoverage = named('DayCoverage', Type.Object({ day: day('Meeting day (Australia/Sydney).'), ...byCategory }));

const IncompleteMeeting = named(
  'IncompleteMeeting',
  Type.Object({
    day: day('Meeting day (Australia/Sydney).'),
    venue: text('Venue name as the feeds spell it; pass it as `venue` to `results`.'),
    venue_id: text(),
    category: Category,
    country: nullable(text()),
    settled: yes('Whether every race counted here is final or abandoned, and none is without a result.'),
    ...fieldCounts,
    without_result,
  }),
);

export const ResultsCoverage = named(
  'ResultsCoverage',
  Type.Object({
    as_of: aged(instant('Time of this response (UTC).')),
    days: count('Number of Sydney days counted.'),
    from_day: day('First Sydney day counted.'),
    to_day: day('Today in Sydney; its counts are partial.'),
    coverage_from: nullable(instant('Start of the earliest stored result (UTC).')),
    ...fieldCounts,
    without_result,
    collectable: count('`races` minus `unsupported` and `not_applicable`.'),
    complete_pct: nullable(amount('`complete` in percent of `races`; null if there are none.')),
    supported_complete_pct: nullable(amount('`complete` in percent of `collectable`; null if there are none.')),
    by_category: Type.Array(CategoryCoverage),
    by_day: Type.Array(DayCoverage, { description: 'Newest day first.' }),
    venues_incomplete: Type.Array(IncompleteMeeting, {
      description:
        'Meetings with a missing collectable field or a race without a result: most missing first, then newest day; at most 200.',
    }),
    venues_incomplete_truncated: yes('Whether `venues_incomplete` is cut off at its maximum length.'),
    field_scope: text('What is counted, as a sentence.'),
  }),
);

const field = { races: 1, complete: 0, pending: 1, overdue: 0, unavailable: 0, unsupported: 0, not_applicable: 0 };
const counts = { ...field, without_result: 0 };
const group = { country: 'AU', category: 'horse' as const, field_source: 'racing_australia' as const, ...counts };

export const exampleCoverage: Static<typeof ResultsCoverage> = {
  as_of: '2026-11-21T06:00:00.000Z',
  days: 1,
  from_day: '2026-11-21',
  to_day: '2026-11-21',
  coverage_from: '2026-08-15T05:53:00.000Z',
  ...counts,
  collectable: 1,
  complete_pct: 0,
  supported_complete_pct: 0,
  by_category: [group],
  by_day: [{ day: '2026-11-21', ...group }],
  venues_incomplete: [
    {
      day: '2026-11-21',
      venue: 'Flemington',
      venue_id: 'flemington',
      category: 'horse',
      country: 'AU',
      settled: true,
      ...counts,
    },
  ],
  venues_incomplete_truncated: false,
  field_scope: 'Races with a result whose meeting day is one of these Sydney days.',
};
