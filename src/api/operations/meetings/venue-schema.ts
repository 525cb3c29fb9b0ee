// A row of the measured venue directory (A 2.10).
import { Type } from '@sinclair/typebox';
import { Category, named, nullable, text } from '../../wire/vocabulary';

export const Venue = named(
  'Venue',
  Type.Object({
    venue_id: text('Canonical slug of the venue.'),
    venue_canonical: nullable(text('Canonical display name of the venue.')),
    venue_site: nullable(text('Slug shared by the tracks of one complex.')),
    country: nullable(text('ISO 3166 country code; null if unknown.')),
    categories: Type.Array(Category, { description: 'Codes that raced there in that time.' }),
    spellings: Type.Array(text(), {
      description: 'Spellings that feeds have used, for any code.',
    }),
  }),
);
