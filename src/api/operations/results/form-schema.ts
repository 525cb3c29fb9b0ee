// A race's runners with their recent runs (A 4.13). The names of a run's facts are those of the form endpoints (B 2.5
// to 2.7).
import { type Static, Type } from '@sinclair/typebox';
import { FORM_REASONS } from '../../../domain/form/form';
import { raceFacts, raceIdentity, runnerFacts } from '../../wire/race-schema';
import { aged, amount, count, day, instant, named, nullable, oneOf, text, whole, yes } from '../../wire/vocabulary';
import { ResultStatus } from './result-schema';

const going = {
  going: nullable(text('Good, Soft, Heavy, Firm, Fast or Synthetic; null if it cannot be parsed.')),
  going_rating: nullable(whole('Rating of the going; null if none is given.')),
};

const { race_name, distance_m, track_condition, race_class } = raceFacts;
const { race_id, venue, venue_id, race_number, category, country } = raceIdentity;

const FormRun = named(
  'FormRun',
  Type.Object({
    race_id,
    date: day('Meeting day (Australia/Sydney).'),
    start_time: instant('Last advertised start (UTC).'),
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
    field_size: nullable(whole('Number of starters; null if the full field is not available.')),
    number: whole('Saddlecloth or box number in that race.'),
    barrier: nullable(whole('Barrier, or a greyhound’s box.')),
    jockey: nullable(text('On that day.')),
    trainer: nullable(text('On that day.')),
    weight_kg: nullable(amount('Weight in kilograms, from the card of that race.')),
    position: nullable(whole('Finishing position. Null does not mean that the runner lost: see `finish_known`.')),
    status: nullable(
      oneOf(['ran'], {
        description:
          '`ran`: the runner started. Null: the runner was on the card and was not reported as scratched, but no official source ' +
          'confirms that it started.',
      }),
    ),
    finish_known: yes(
      'Whether the result gives the runner’s finish, or in `abnormal` why it did not finish. Without the full field, a result names ' +
        'only placegetters (harness, New Zealand, and other races until their field is available); for all other runners this is ' +
        'false.',
    ),
    dead_heat: nullable(yes()),
    abnormal: nullable(text('`Fell`, `PulledUp`, `Disqualified`, …')),
    margin: nullable(text('Margin to the winner as printed, e.g. `2.75L`; null for the winner.')),
    time_s: nullable(amount('Time in seconds; for thoroughbreds, only the winner’s is published.')),
    sp: nullable(amount('Official starting price; null if unknown.')),
    sp_note: nullable(text('`F` favourite, `EF` equal favourite.')),
    win_price: nullable(amount('Settled fixed price of one bookmaker, for placegetters.')),
    place_price: nullable(amount('Settled fixed price of one bookmaker, for placegetters.')),
    result_status: oneOf(['interim', 'final'], { description: 'An `interim` result may still change.' }),
    runner_ref: nullable(
      text('Registry id in that race: a horse’s changes with each meeting, a greyhound’s is permanent.'),
    ),
    joined_by: oneOf(['runner_ref', 'name'], {
      description: 'How the run was matched to the runner: by a permanent registry id, or by the folded name.',
    }),
  }),
);

const FormRecord = named(
  'FormRecord',
  Type.Object(
    {
      runs: count('Number of runs in `runs`.'),
      finishes_known: count('Number of runs with a known finish.'),
      wins: count(),
      seconds: count(),
      thirds: count(),
    },
    {
      description:
        'Totals over the listed runs only, not a career record. If `finishes_known` < `runs`, the counts are minimums.',
    },
  ),
);

const reason = nullable(
  oneOf(FORM_REASONS, {
    description:
      'Why `runs` is empty although runs may be stored; otherwise null. `not_covered`: Hong Kong. `vacant_box`: the box is empty. ' +
      '`name_twice_in_race`: two runners of this race share a folded name. `name_shared`: registry ids or countries of birth show ' +
      'that two animals share the name, and not every run can be assigned to one of them. `runs_collide`: one animal cannot have ' +
      'run all of them.',
  }),
);

const FormRunner = named(
  'FormRunner',
  Type.Object({
    ...runnerFacts,
    emergency: nullable(yes('Whether the runner is an emergency.')),
    scratched: yes('Whether the runner is out of this race; also true for a reserve that did not gain a start.'),
    scratched_at: nullable(instant('When the runner was scratched (UTC); null if unknown.')),
    record: FormRecord,
    reason,
    runs: Type.Array(FormRun, { description: 'Newest first; all started before this race.' }),
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
      description: '`result` once the settled field is available: `runners` are its entries. `card` until then.',
    }),
    as_of: aged(instant('Time of this response (UTC).')),
    coverage_from: nullable(instant('Start of the earliest stored result (UTC): no list goes back further.')),
    runners: Type.Array(FormRunner, { description: 'Ordered by number.' }),
    reason: nullable(
      oneOf(['no_card'], {
        description:
          'Why `runners` is empty; otherwise null. `no_card`: no runners of this race are stored, e.g. because it was first listed after ' +
          'it had run.',
      }),
    ),
  }),
);

export type RaceFormWire = Static<typeof RaceFormOut>;
