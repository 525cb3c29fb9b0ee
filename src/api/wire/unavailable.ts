// What a report cannot state, and why (A 4.14): never a substituted number.
import { Type } from '@sinclair/typebox';
import { named, text } from './vocabulary';

export const Unavailable = named(
  'Unavailable',
  Type.Object({ name: text('Part or fact that cannot be measured now.'), reason: text('Why, as a sentence.') }),
);
