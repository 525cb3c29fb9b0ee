// A thoroughbred's form as the registry publishes it (B 2.5).
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { CAREER_SPLITS } from '../../../domain/form/horse-form';
import {
  aged,
  amount,
  count,
  day,
  instant,
  named,
  nullable,
  oneOf,
  price,
  text,
  whole,
  yes,
} from '../../wire/vocabulary';

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const registryCode = 'Registry code of the horse at one meeting, `ra:…`.';

/** Always empty; kept for clients that read it. */
export const HorseCandidate = named(
  'HorseCandidate',
  Type.Object({
    runner_ref: text(),
    runner_name: nullable(text()),
    last_seen: nullable(day('')),
    source: oneOf(['acceptances', 'results']),
  }),
);

const HorseProfile = named(
  'HorseProfile',
  Type.Object({
    age_sex: nullable(text('Age, colour and sex, as printed.')),
    colours: nullable(text('Racing colours.')),
    dam: nullable(text()),
    dob: nullable(day('Date of birth.')),
    last_gear_change: nullable(text('As printed.')),
    sire: nullable(text()),
    trainer: nullable(text('Current trainer.')),
    trainer_location: nullable(text()),
  }),
);

const record = { starts: count(), wins: count(), seconds: count(), thirds: count() };
const PlacingRecord = named('PlacingRecord', Type.Object(record));
type Split = (typeof CAREER_SPLITS)[number];
const splits = Object.fromEntries(CAREER_SPLITS.map((split) => [split, optional(PlacingRecord)])) as {
  [S in Split]: ReturnType<typeof optional<typeof PlacingRecord>>;
};

const HorseCareer = named(
  'HorseCareer',
  Type.Object(
    {
      ...record,
      prizemoney: nullable(amount('Dollars.')),
      splits: named(
        'CareerSplits',
        Type.Object(splits, {
          description:
            'Those that the page prints; `track`, `distance` and `track_distance` are those of the meeting of `runner_ref`.',
        }),
      ),
    },
    { description: 'The registry’s own summary of the whole career; it is not added up from `runs`.' },
  ),
);

const Placegetter = named(
  'Placegetter',
  Type.Object({
    name: text(),
    position: count(),
    runner_ref: nullable(text(registryCode)),
    weight_kg: nullable(amount()),
  }),
);

const HorseFormRun = named(
  'HorseFormRun',
  Type.Object({
    date: day('Day of the run.'),
    track: text('The registry’s code of the track; in an answer from our own results the venue.'),
    race_number: nullable(whole('Null if the page prints none.')),
    trial: yes('A barrier trial: prizes and weights are 0, and there is no market.'),
    position: nullable(whole('Null for a runner without a place; `result_raw` has the reason.')),
    field_size: nullable(count()),
    distance_m: nullable(whole()),
    going: nullable(text('The going: Good, Soft, …; null if it cannot be parsed.')),
    going_rating: nullable(whole('From 1 to 12.')),
    jockey: nullable(text()),
    jockey_code: nullable(text('The registry’s code of the jockey, as `ra_code` of `jockeys/stats`.')),
    meet_code: nullable(text('The registry’s code of the meeting.')),
    weight_kg: nullable(amount('Carried.')),
    barrier: nullable(whole()),
    sp: nullable(price('Starting price: the last of `prices`. Null if there was no market.')),
    prices: Type.Array(price(), { description: 'The oldest quote first, the starting price last.' }),
    margin_l: nullable(amount('Lengths behind the winner; on the horse’s own win, its winning margin.')),
    pir: Type.Array(
      named('PositionInRunning', Type.Object({ at_m: whole('Metres before the finish.'), position: count() })),
      { description: 'Positions in running, at 800 m and 400 m where they were published.' },
    ),
    placegetters: Type.Array(Placegetter, { description: 'The first three without the horse itself.' }),
    prize_total: nullable(amount('Prize money of the race in dollars.')),
    prize_won: nullable(amount('Dollars.')),
    race_class: nullable(text('As the registry writes it.')),
    result_raw: nullable(text('The result as printed: `7th of 11`.')),
    sectional_distance_m: nullable(whole('Metres of the timed section.')),
    sectional_time_s: nullable(amount('Its time in seconds.')),
    time_s: nullable(amount('The race’s time in seconds.')),
    trainer: nullable(text('Of that day, from our own results since 2026-09-01; null before.')),
  }),
);

const HorseFormSource = named(
  'HorseFormSource',
  Type.Object({
    feed: oneOf(['racing_australia', 'puntersedge_results'], {
      description:
        '`racing_australia`: the registry’s page. `puntersedge_results`: this service’s own results, while the registry cannot serve the page.',
    }),
    fetched_at: nullable(aged(instant('When the page was read; null without a page.'))),
    region: text('Always `AU`.'),
    sport: text('Always `thoroughbred`.'),
    stale: yes('The page was due to be read again, and could not be.'),
    note: nullable(text('What is particular to this answer.')),
  }),
);

export const HorseForm = named(
  'HorseForm',
  Type.Object({
    horse_name: nullable(text()),
    horse_ref: nullable(text('Stable reference of the name, `pe:` and the folded name.')),
    runner_ref: nullable(
      text('The registry code that the page was read under; without a page the horse’s most recent one.'),
    ),
    ambiguous: yes('Always false: a name is one horse.'),
    candidates: Type.Array(HorseCandidate, { description: 'Always empty.' }),
    profile: nullable(HorseProfile),
    career: nullable(HorseCareer),
    runs: Type.Array(HorseFormRun, { description: 'Newest first, trials included.' }),
    source: HorseFormSource,
  }),
);

export type HorseFormWire = Static<typeof HorseForm>;
