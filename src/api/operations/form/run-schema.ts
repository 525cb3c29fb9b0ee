// What the stored runs of horses and greyhounds have in common (B 2.6, B 2.7).
import { Type } from '@sinclair/typebox';
import { raceFacts, raceIdentity } from '../../wire/race-schema';
import {
  amount,
  count,
  day,
  instant,
  mustBe,
  named,
  nullable,
  oneOf,
  price,
  text,
  whole,
  words,
  yes,
} from '../../wire/vocabulary';

const { venue, race_number } = raceIdentity;
const { race_name, distance_m, track_condition } = raceFacts;

export const runRace = {
  date: day('Meeting day (Australia/Sydney).'),
  start_time: instant('Last advertised start (UTC).'),
  venue,
  race_number,
  distance_m,
  race_name,
  track_condition,
};

export const runEntry = {
  number: whole('Saddlecloth or rug number.'),
  box: nullable(whole('Barrier, or a greyhound’s box.')),
  position: nullable(whole('Finishing position; null if it did not start or did not finish.')),
  margin: nullable(text('Behind the winner, in lengths, as published.')),
  sp: nullable(price('Official starting price; null if unknown, never 0.')),
  dead_heat: yes('Whether it shares its position.'),
  trainer: nullable(text('On that day.')),
  field_size: nullable(whole('Number of starters.')),
  runner_ref: nullable(
    text('Registry id in that race: a horse’s changes with each meeting, a greyhound’s is permanent.'),
  ),
  result_id: text(
    '`race_id` of the result that the run is from; `hist:…`, which joins to nothing, if it is from elsewhere.',
  ),
};

export const origin = named(
  'RunOrigin',
  oneOf(['results', 'history', 'tabtouch'], {
    description:
      '`results`: from a result of this service. `history`: from the registry’s results of a meeting that this service did not follow. `tabtouch` ' +
      'is reserved. The `result_id` of the last two (`hist:…`) joins to nothing.',
  }),
);

const coverage = {
  coverage_from: nullable(
    instant('Start of the earliest stored run of this code (UTC); nothing before it is included.'),
  ),
  coverage_to: nullable(instant('Start of the latest stored run of this code (UTC).')),
};

export const runSource = {
  feed: text('Always `puntersedge_results`: the run store of this service.'),
  region: text('Always `AU`.'),
  ...coverage,
  collectors: Type.Array(text(), { description: 'The sources that published these runs.' }),
  refreshed_hourly: yes('New and changed results are stored within the hour.'),
};

export const exampleRunSource = {
  feed: 'puntersedge_results',
  region: 'AU',
  coverage_from: '2026-08-15T01:30:00.000Z',
  coverage_to: '2026-11-21T05:40:00.000Z',
  collectors: ['topaz'],
  refreshed_hourly: true,
};

export const statFigures = {
  starts: count('Runs with `status` `ran`; scratchings are not counted.'),
  wins: count('A dead heat for first is a win.'),
  places: count('Finishes from first to third.'),
  win_pct: nullable(amount('`wins` in percent of `starts`; null without a start.')),
  place_pct: nullable(amount('`places` in percent of `starts`; null without a start.')),
};

export const runLimit = Type.Integer({
  default: 50,
  minimum: 1,
  maximum: 500,
  description: 'Maximum number of runs; the latest are returned.',
});

/** A horse of a request. */
export const horseNamed = (description: string) =>
  mustBe('the name of a horse, a horse_ref (pe:…) or a registry code (ra:…)', words(description));

export const dog = mustBe(
  'the name of a dog, or its id in a registry (grv:… or grsa:…)',
  words(
    'Whole name in any case, punctuation and spacing; or the dog’s id in a registry, `grv:…` or `grsa:…`. Digits alone are a `grv:` id.',
  ),
);
