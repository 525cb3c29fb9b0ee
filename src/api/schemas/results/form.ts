// A race's runners with their recent runs (A 4.13). The names of a run's facts are those of the form endpoints (B 2.5 to 2.7).
import { type Static, Type } from '@sinclair/typebox';
import { FORM_REASONS } from '../../../domain/form/form';
import { raceFacts, raceIdentity, runnerFacts } from '../race';
import { amount, count, day, instant, named, nullable, oneOf, text, whole, yes } from '../vocabulary';
import { ResultStatus } from './result';

const going = {
  going: nullable(text('Good, Soft, Heavy, Firm, Fast or Synthetic.')),
  going_rating: nullable(whole()),
};

const { race_name, distance_m, track_condition, race_class } = raceFacts;
const { race_id, venue, venue_id, race_number, category, country } = raceIdentity;

export const FormRun = named(
  'FormRun',
  Type.Object({
    race_id,
    date: day('Meeting day (Australia/Sydney).'),
    start_time: instant('Advertised start, as it last stood.'),
    venue,
    venue_id,
    race_number,
    category,
    country,
    distance_m,
    track_condition,
    ...going,
    race_name,
    race_class,
    field_size: nullable(whole('Starters; null where the full field is not held.')),
    number: whole('Saddlecloth or box number in that race.'),
    barrier: nullable(whole('Barrier, or a greyhound’s box.')),
    jockey: nullable(text('Of that day.')),
    trainer: nullable(text('Of that day.')),
    weight_kg: nullable(amount('As the card of that race had it.')),
    position: nullable(whole('Null does not mean that the runner lost: see `finish_known`.')),
    status: nullable(
      oneOf(['ran'], {
        description:
          'Null: the runner was on the card and is not known to have been out, and nothing official says that it started.',
      }),
    ),
    finish_known: yes(
      'Whether the result says how the runner finished, or in `abnormal` why it did not. Without the full field a result names ' +
        'placegetters only (harness, New Zealand, and others until the field is held), and of all the others this is false.',
    ),
    dead_heat: nullable(yes()),
    abnormal: nullable(text('`Fell`, `PulledUp`, `Disqualified`, …')),
    margin: nullable(text('To the winner, as printed, e.g. `2.75L`; null of the winner.')),
    time_s: nullable(amount('Seconds; of thoroughbreds only the winner’s is published.')),
    sp: nullable(amount('Official starting price; null is unknown.')),
    sp_note: nullable(text('`F` favourite, `EF` equal favourite.')),
    win_price: nullable(amount('Settled fixed price of one bookmaker, of placegetters.')),
    place_price: nullable(amount('Settled fixed price of one bookmaker, of placegetters.')),
    result_status: oneOf(['interim', 'final'], { description: 'An `interim` result may still change.' }),
    runner_ref: nullable(text('Registry id in that race: a horse’s is another one each day, a dog’s lasts.')),
    joined_by: oneOf(['runner_ref', 'name'], {
      description: 'What makes this run the runner’s own: a lasting registry id, or the folded name.',
    }),
  }),
);

const FormRecord = named(
  'FormRecord',
  Type.Object(
    {
      runs: count('How many `runs` has.'),
      finishes_known: count('Of how many the finish is known.'),
      wins: count(),
      seconds: count(),
      thirds: count(),
    },
    {
      description: 'Of these runs alone, no career. While `finishes_known` is below `runs`, places are at least these.',
    },
  ),
);

const reason = nullable(
  oneOf(FORM_REASONS, {
    description:
      'Why `runs` is empty although runs may be held; else null. `not_covered`: Hong Kong. `vacant_box`: ' +
      'nobody runs. `name_twice_in_race`: two runners of this race share a folded name. `name_shared`: registry ids or countries of birth ' +
      'show that two animals bear it, and not every run says whose it is. `runs_collide`: one animal cannot have run them all.',
  }),
);

export const FormRunner = named(
  'FormRunner',
  Type.Object({
    ...runnerFacts,
    emergency: nullable(yes()),
    scratched: yes('Out of this race; also a reserve that got no start.'),
    scratched_at: nullable(instant()),
    record: FormRecord,
    reason,
    runs: Type.Array(FormRun, { description: 'Newest first, all before the start of this race.' }),
  }),
);

export const RaceFormOut = named(
  'RaceForm',
  Type.Object({
    race: named(
      'FormRace',
      Type.Object({
        ...raceIdentity,
        date: day('Meeting day (Australia/Sydney).'),
        race_name,
        distance_m,
        track_condition,
        ...going,
        race_class,
        result_status: nullable(ResultStatus),
      }),
    ),
    field: oneOf(['card', 'result'], {
      description: '`result` once the settled field is held: `runners` are its entries. The card’s until then.',
    }),
    as_of: instant('The instant of this answer.'),
    coverage_from: nullable(instant('Earliest retained result: nothing that ran before it is in any list.')),
    runners: Type.Array(FormRunner, { description: 'By number.' }),
  }),
);

export type RaceFormWire = Static<typeof RaceFormOut>;
