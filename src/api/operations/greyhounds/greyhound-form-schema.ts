// The stored runs of a greyhound (B 2.7).
import { type Static, Type } from '@sinclair/typebox';
import { amount, count, instant, named, nullable, oneOf, text } from '../../wire/vocabulary';
import { exampleRunSource, origin, runEntry, runRace, runSource } from '../form/run-schema';

const GreyhoundRun = named(
  'GreyhoundRun',
  Type.Object({
    ...runRace,
    ...runEntry,
    status: oneOf(['ran', 'scratched', 'reserve'], { description: '`reserve`: it got no start.' }),
    time_s: nullable(amount('Seconds.')),
    first_split_s: nullable(amount('Seconds to the first mark; null where it was not published.')),
    second_split_s: nullable(amount('Seconds to the second mark; null where it was not published.')),
    weight_kg: nullable(amount('Measured weight in kilograms; null where it was not published.')),
    pir: nullable(text('Positions in running; null where they were not published.')),
    grade: nullable(text('Grade of the race; null where it was not published.')),
    win_time_s: nullable(amount('The winner’s time in seconds.')),
    source: nullable(text('The source that published the run.')),
    origin,
  }),
);

export const GreyhoundForm = named(
  'GreyhoundForm',
  Type.Object({
    dog: text('Name in its latest run.'),
    name_key: text('The name folded to lowercase letters and digits.'),
    runner_refs: Type.Array(text(), { description: 'Every registry id of these runs, newest first.' }),
    runs_total: count(
      'Number of stored runs, whatever `limit` is; scratchings included. A record since `coverage_from`, not a career.',
    ),
    runs: Type.Array(GreyhoundRun, { description: 'Newest first.' }),
    source: named(
      'GreyhoundFormSource',
      Type.Object({
        ...runSource,
        sport: text('Always `greyhound`.'),
        results_from: nullable(instant('Start of the earliest run from this service’s own results (UTC).')),
      }),
    ),
  }),
);

type GreyhoundFormWire = Static<typeof GreyhoundForm>;
export type GreyhoundRunWire = GreyhoundFormWire['runs'][number];

export const exampleGreyhoundForm: GreyhoundFormWire = {
  dog: 'QUICK SIXPENCE',
  name_key: 'quicksixpence',
  runner_refs: ['grv:531882'],
  runs_total: 1,
  runs: [
    {
      date: '2026-11-19',
      start_time: '2026-11-19T09:05:00.000Z',
      venue: 'Sandown Park',
      race_number: 7,
      distance_m: 515,
      race_name: 'SILVER CHIEF HEAT',
      track_condition: 'Good',
      number: 4,
      box: 4,
      position: 1,
      margin: null,
      sp: 3.2,
      dead_heat: false,
      trainer: 'A Trainer',
      field_size: 8,
      runner_ref: 'grv:531882',
      result_id: '1f2c6a77-0d0e-5a38-9a0b-6f5f6f0f7a21',
      status: 'ran',
      time_s: 29.41,
      first_split_s: null,
      second_split_s: null,
      weight_kg: null,
      pir: null,
      grade: null,
      win_time_s: 29.41,
      source: 'topaz',
      origin: 'results',
    },
  ],
  source: {
    ...exampleRunSource,
    sport: 'greyhound',
    results_from: '2026-08-15T01:30:00.000Z',
  },
};
