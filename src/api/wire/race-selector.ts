// The parameters that select one race (A 2.1, A 4.4): its id, or venue, meeting day and number.
import { Type } from '@sinclair/typebox';
import { venueName } from './parameters';

/** `raceSelectorRules` checks which of them are sent together. */
export const raceSelector = {
  race_id: Type.Optional(
    Type.String({
      format: 'uuid',
      'x-must-be': 'a UUID',
      description:
        'Id of the race: the unambiguous way to select it. If it is sent, `venue`, `meeting_date` and `race_number` are ignored.',
    }),
  ),
  venue: Type.Optional(
    venueName(
      'Venue name, case-insensitive, in any of the `spellings` that `GET /v1/racing/venues` lists. Without `race_id`, `meeting_date` ' +
        'and `race_number` are required too.',
    ),
  ),
  meeting_date: Type.Optional(
    Type.String({ format: 'date', description: 'Meeting day (Australia/Sydney). See `venue`.' }),
  ),
  race_number: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 99,
      description: 'Number of the race in its meeting. See `venue`.',
    }),
  ),
};
