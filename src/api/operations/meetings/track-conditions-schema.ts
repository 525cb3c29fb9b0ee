// The state of a day's tracks and how it changed (A 2.9).
import { type TSchema, Type } from '@sinclair/typebox';
import { aged, Category, day, instant, named, nullable, text, whole } from '../../wire/vocabulary';

const goingFields = {
  track_condition: nullable(text('Track condition as published, e.g. `Good (4)`.')),
  going: nullable(text('The going: Good, Soft, Heavy, Firm, Fast, Synthetic, …; null if it cannot be parsed.')),
  going_rating: nullable(whole('Rating of the going, 1 to 12; null if none is given.')),
};

/** One value per field of `current`. */
const perField = <T extends TSchema>(name: string, schema: T, description: string) =>
  named(
    name,
    Type.Object(
      {
        track_condition: schema,
        going: schema,
        going_rating: schema,
        penetrometer: schema,
        rail: schema,
        track_type: schema,
        weather: schema,
      },
      { description },
    ),
  );

const Current = named(
  'CurrentTrack',
  Type.Object(
    {
      ...goingFields,
      penetrometer: nullable(text()),
      rail: nullable(text()),
      track_type: nullable(text('Turf, synthetic, …')),
      weather: nullable(text()),
      source: nullable(
        text(
          'Feed that the fields come from: `racing_australia` or a bookmaker key; `mixed` if there is more than one; null if no field ' +
            'is known.',
        ),
      ),
      sources: perField(
        'TrackFieldSources',
        nullable(text()),
        'Feed that each field comes from; null if the field is null.',
      ),
      field_as_of: aged(
        perField(
          'TrackFieldInstants',
          nullable(instant()),
          'When that feed last reported each field (UTC); for a bookmaker, when the change was seen.',
        ),
      ),
      as_of: aged(nullable(instant('The oldest time in `field_as_of` (UTC).'))),
    },
    { description: 'For each field, the newest report of any feed; if reports have the same time, the registry’s.' },
  ),
);

const Change = named(
  'TrackChange',
  Type.Object({
    observed_at: instant('When the change was seen (UTC).'),
    source: text('`racing_australia` or a bookmaker key.'),
    category: Category,
    ...goingFields,
    track_condition: text('Track condition as published, e.g. `Soft (5)`.'),
    rail: nullable(text('Rail position at the registry at that time.')),
    weather: nullable(text('Weather at the feed at that time.')),
    prev_track_condition: nullable(
      text('Previous condition from the same feed; null on the registry’s first rating, which is not a change.'),
    ),
    prev_going: goingFields.going,
    prev_going_rating: goingFields.going_rating,
    race_id: nullable(text('Race for which the bookmaker reported it; null on the registry’s rows.')),
  }),
);

const Meeting = named(
  'TrackMeeting',
  Type.Object({
    category: Category,
    venue: text('Venue name as the registry spells it, otherwise as most races of the meeting spell it.'),
    venue_id: text('Canonical slug of the venue.'),
    venue_norm: text('Folded spelling of `venue`: lowercase words of letters and digits.'),
    venue_site: text('Slug shared by the tracks of one complex.'),
    official_venue_norm: nullable(
      text('The registry’s spelling, folded; null if the registry does not list the meeting.'),
    ),
    merged_from: Type.Array(text(), {
      description: 'Raw spellings of this venue; the `venue` parameter accepts any of them.',
    }),
    current: Current,
    changes: Type.Array(Change, { description: 'Oldest first.' }),
  }),
);

export const TrackConditions = named(
  'TrackConditions',
  Type.Object({
    date: day('Meeting day (Australia/Sydney).'),
    coverage_from: day('First day in the change log.'),
    official_block_from: day('First day for which the registry’s own track report is stored.'),
    meetings: Type.Array(Meeting, { description: 'Ordered by `category`, then `venue`.' }),
    note: text('What is covered on this day, and what is not.'),
  }),
);
