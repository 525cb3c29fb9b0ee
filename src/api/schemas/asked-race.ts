// How a question about one race names it (A 2.1, A 4.4): by id, or by venue, meeting day and number.
import { Type } from '@sinclair/typebox';

/** The parameters of such a question; `askedRaceRules` is their rule. */
export const askedRace = {
  race_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'The race, exactly: the sure way to name it. Instead of the three below.',
    }),
  ),
  venue: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'With `meeting_date` and `race_number`: the venue as the feeds spell it, in any case.',
    }),
  ),
  meeting_date: Type.Optional(
    Type.String({ format: 'date', description: 'With `venue` and `race_number`: the meeting day (Australia/Sydney).' }),
  ),
  race_number: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 99,
      description: 'With `venue` and `meeting_date`: the number in its meeting.',
    }),
  ),
};
