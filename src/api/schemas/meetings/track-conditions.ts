// The state of a day's tracks and how it changed (A 2.9).
import { type TSchema, Type } from '@sinclair/typebox';
import { Category, day, instant, named, nullable, text, whole } from '../vocabulary';

const goingFields = {
  track_condition: nullable(text('As published, e.g. `Good (4)`.')),
  going: nullable(text('Its word: Good, Soft, Heavy, Firm, Fast, Synthetic, …; null where it cannot be told apart.')),
  going_rating: nullable(whole('Its number, 1 to 12; null where none is given.')),
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
          'The feed behind the block: `racing_australia` or a bookmaker key; `mixed` when there are more; null when nothing is known.',
        ),
      ),
      sources: perField('TrackFieldSources', nullable(text()), 'The feed behind each field; null where the field is.'),
      field_as_of: perField(
        'TrackFieldInstants',
        nullable(instant()),
        'When that feed last stated each field; of a bookmaker, when it was seen to change.',
      ),
      as_of: nullable(instant('The oldest of `field_as_of`.')),
    },
    { description: 'Per field the newest word of any feed; at one instant the registry’s.' },
  ),
);

const Change = named(
  'TrackChange',
  Type.Object({
    observed_at: instant('When we saw it.'),
    source: text('`racing_australia`, or a bookmaker key.'),
    category: Category,
    ...goingFields,
    track_condition: text('As published, e.g. `Soft (5)`.'),
    rail: nullable(text('As the registry had it then.')),
    weather: nullable(text('As the feed had it then.')),
    prev_track_condition: nullable(
      text('What the same feed said before; null on the registry’s first rating, which is no change.'),
    ),
    prev_going: goingFields.going,
    prev_going_rating: goingFields.going_rating,
    race_id: nullable(text('The race a bookmaker said it of; null on the registry’s rows.')),
  }),
);

const Meeting = named(
  'TrackMeeting',
  Type.Object({
    category: Category,
    venue: text('As the registry spells it, otherwise as most races of the meeting are headed.'),
    venue_id: text('Canonical venue slug.'),
    venue_norm: text('`venue` folded.'),
    venue_site: text('Shared by the tracks of one complex.'),
    official_venue_norm: nullable(text('The registry’s spelling folded; null where the registry has no such meeting.')),
    merged_from: Type.Array(text(), { description: 'Raw spellings that mean this venue; `venue` finds it by any.' }),
    current: Current,
    changes: Type.Array(Change, { description: 'Oldest first.' }),
  }),
);

export const TrackConditions = named(
  'TrackConditions',
  Type.Object({
    date: day('Meeting day (Australia/Sydney).'),
    coverage_from: day('The change log reaches back to this day.'),
    official_block_from: day('The registry’s own block of a meeting is held from this day on.'),
    meetings: Type.Array(Meeting, { description: 'By `category`, then `venue`.' }),
    note: text('What is and is not known of this day.'),
  }),
);
