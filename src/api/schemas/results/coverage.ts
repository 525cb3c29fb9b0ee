// What the results archive holds of the full fields, counted by the function that sets `field_status` (A 2.12).
import { Type } from '@sinclair/typebox';
import { amount, Category, count, day, instant, named, nullable, text, yes } from '../vocabulary';
import { FieldSource, fieldCounts } from './field';

const byCategory = {
  country: nullable(text()),
  category: Category,
  field_source: Type.Optional(FieldSource),
  ...fieldCounts,
};

const CategoryCoverage = named('CategoryCoverage', Type.Object(byCategory));
const DayCoverage = named('DayCoverage', Type.Object({ day: day('Meeting day.'), ...byCategory }));

const IncompleteMeeting = named(
  'IncompleteMeeting',
  Type.Object({
    day: day('Meeting day.'),
    venue: text('As the feeds spell it; `venue` of the results takes it.'),
    venue_id: text(),
    category: Category,
    country: nullable(text()),
    settled: yes('Every race counted here is final or abandoned.'),
    ...fieldCounts,
  }),
);

export const ResultsCoverage = named(
  'ResultsCoverage',
  Type.Object({
    as_of: instant(),
    days: count(),
    from_day: day('First Sydney day counted.'),
    to_day: day('Today in Sydney: a part day.'),
    coverage_from: nullable(instant('Earliest retained result.')),
    ...fieldCounts,
    collectable: count('`races` less `unsupported` and `not_applicable`.'),
    complete_pct: nullable(amount('Of `races`; null when there are none.')),
    supported_complete_pct: nullable(amount('Of `collectable`; null when there are none.')),
    by_category: Type.Array(CategoryCoverage),
    by_day: Type.Array(DayCoverage, { description: 'Newest first.' }),
    venues_incomplete: Type.Array(IncompleteMeeting, {
      description: 'Meetings with a collectable field not held: most missing first, then newest day; 200 at most.',
    }),
    venues_incomplete_truncated: yes(),
    field_scope: text('What is counted.'),
  }),
);
