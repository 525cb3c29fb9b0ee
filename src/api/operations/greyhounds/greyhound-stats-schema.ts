// A greyhound's record by track, distance, box and grade (B 4.8, D33).
import { type Static, Type } from '@sinclair/typebox';
import { DIMENSIONS } from '../../../domain/form/run-stats';
import { amount, count, day, named, nullable, oneOf, text, whole, yes } from '../../wire/vocabulary';
import { exampleRunSource, runSource, statFigures } from '../form/run-schema';

export const GreyhoundDimension = named('GreyhoundDimension', oneOf(DIMENSIONS));

const GreyhoundGroup = named(
  'GreyhoundGroup',
  Type.Object(
    {
      track: nullable(text('Venue, as spelled in the latest run there.')),
      distance_m: nullable(whole()),
      box: nullable(whole()),
      grade: nullable(text()),
      ...statFigures,
      avg_time_s: nullable(amount('Average of the published times in seconds.')),
      best_time_s: nullable(amount('Best published time in seconds.')),
      avg_first_split: nullable(amount('Average of the published first splits in seconds.')),
    },
    { description: 'What the runs are not grouped by is null, as is a value that was not published.' },
  ),
);

export const GreyhoundStats = named(
  'GreyhoundStats',
  Type.Object({
    dog_id: nullable(whole('The dog’s `grv:` id as a number; null if the runs have none or several.')),
    dog_name: text('Name in its latest run.'),
    ambiguous: yes('Always false: a name is the union of its runs.'),
    candidates: Type.Array(
      named(
        'DogCandidate',
        Type.Object({ dog_id: whole(), dog_name: nullable(text()), runs: count(), last_start: nullable(day('')) }),
      ),
      { description: 'Always empty.' },
    ),
    group_by: Type.Array(GreyhoundDimension),
    groups: Type.Array(GreyhoundGroup, { description: 'Most starts first; every start is in one group.' }),
    source: named('GreyhoundStatsSource', Type.Object({ ...runSource, sport: text('Always `greyhound`.') })),
  }),
);

export type GreyhoundStatsWire = Static<typeof GreyhoundStats>;

export const exampleGreyhoundStats: GreyhoundStatsWire = {
  dog_id: 531_882,
  dog_name: 'QUICK SIXPENCE',
  ambiguous: false,
  candidates: [],
  group_by: ['track', 'distance'],
  groups: [
    {
      track: 'Sandown Park',
      distance_m: 515,
      box: null,
      grade: null,
      starts: 4,
      wins: 1,
      places: 3,
      win_pct: 25,
      place_pct: 75,
      avg_time_s: 29.66,
      best_time_s: 29.41,
      avg_first_split: null,
    },
  ],
  source: { ...exampleRunSource, sport: 'greyhound' },
};
