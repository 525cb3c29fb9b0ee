// A row of the measured venue directory (A 2.10).
import { Type } from '@sinclair/typebox';
import { Category, named, nullable, text } from '../vocabulary';

export const Venue = named(
  'Venue',
  Type.Object({
    venue_id: text('Canonical venue slug.'),
    venue_canonical: nullable(text('Canonical display name.')),
    venue_site: nullable(text('Shared by the tracks of one complex.')),
    country: nullable(text('ISO code.')),
    categories: Type.Array(Category, { description: 'Codes that race there, in that time.' }),
    spellings: Type.Array(text(), {
      description: 'Raw names that feeds have used, of any code.',
    }),
  }),
);
