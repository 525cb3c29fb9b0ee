// A race's result as published and kept (A 2.11). Null is unknown, never zero.
import { type Static, Type } from '@sinclair/typebox';
import { PLACES_THAT_COUNT } from '../../../domain/results/placings';
import { marketTimes, raceIdentity } from '../race';
import { amount, instant, named, nullable, oneOf, text, whole, yes } from '../vocabulary';
import { FieldSource, FieldStatus } from './field';

const spFields = {
  sp: nullable(amount('Official starting price; null is unknown.')),
  sp_note: nullable(text('`F` favourite, `EF` equal favourite.')),
};

const horseRef = nullable(text('Thoroughbreds: `pe:` and the folded name; null for other codes.'));

export const ResultStatus = named(
  'ResultStatus',
  oneOf(['interim', 'final', 'abandoned'], {
    description: '`final` once the placings stood for 30 minutes: settle only then.',
  }),
);

const Placing = named(
  'Placing',
  Type.Object({
    position: Type.Integer({ minimum: 1, maximum: PLACES_THAT_COUNT, description: 'Dead heats share one.' }),
    number: whole(),
    name: nullable(text('Null where no book has named the runner.')),
    win_price: nullable(amount('Settled fixed price of one bookmaker; may be null while interim.')),
    place_price: nullable(amount('Settled fixed price of one bookmaker; may be null while interim.')),
    sp: Type.Optional(nullable(amount('Absent when the race has no `runners`.'))),
    sp_note: Type.Optional(nullable(text('Absent when the race has no `runners`.'))),
    horse_ref: horseRef,
  }),
);

const ResultRunner = named(
  'ResultRunner',
  Type.Object(
    {
      number: whole(),
      name: text(),
      box: nullable(whole()),
      position: nullable(whole()),
      status: oneOf(['ran', 'scratched', 'late_scratching', 'reserve']),
      dead_heat: yes(),
      jockey: nullable(text()),
      trainer: nullable(text()),
      ...spFields,
      margin: nullable(text()),
      time_s: nullable(amount('Seconds.')),
      abnormal: nullable(text('`Fell`, `PulledUp`, `Disqualified`, …; `SB` with `scratched`: at the barrier.')),
      runner_ref: nullable(text()),
      horse_ref: horseRef,
      origin: nullable(text('Where the row came from.')),
    },
    { description: 'An entry, not necessarily a starter: settle on `status`.' },
  ),
);

const Deduction = named(
  'Deduction',
  Type.Object({
    name: nullable(text()),
    number: whole(),
    win: nullable(Type.Number({ minimum: 0, maximum: 1, description: 'Fraction of the dollar.' })),
    place: nullable(Type.Number({ minimum: 0, maximum: 1, description: 'Fraction of the dollar.' })),
    scratched_at: nullable(instant()),
  }),
);

const StraightDividend = named(
  'StraightDividend',
  Type.Object({
    name: nullable(text()),
    number: whole(),
    position: nullable(whole()),
    market: oneOf(['WIN', 'PLC']),
    product: text('`FIXED`, or a tote product: `SP`, `MIDDIV`, `VIC`, `RD+`, `BT+SP`.'),
    amount: amount('Return on $1.'),
  }),
);

export const ExoticDividend = named(
  'ExoticDividend',
  Type.Object({
    code: oneOf(['QN', 'EX', 'TF', 'FF']),
    type: oneOf(['Quinella', 'Exacta', 'Trifecta', 'First Four']),
    product: text(),
    selection: text('Saddlecloth numbers, e.g. `8,15,1`.'),
    amount: amount('Return on $1.'),
  }),
);

const Leg = named(
  'MultiRaceLeg',
  Type.Object({ race_number: whole(), race_id: nullable(text('Null where the race is not one of ours.')) }),
);

const MultiRaceDividend = named(
  'MultiRaceDividend',
  Type.Object({
    code: text('`QD`, `EQ`, `B6`, `G6`, `TR`, `RD` or `DD`.'),
    type: text('Quaddie, Early Quaddie, Big 6, Giant 6, Treble, Running Double or Daily Double.'),
    legs: Type.Array(Leg, { description: 'In order; empty where the book does not name them.' }),
    selection: text('The winning saddlecloth number of each leg.'),
    product: text(),
    amount: amount('Return on $1.'),
  }),
);

const Dividends = named(
  'Dividends',
  Type.Object({
    straight: Type.Array(StraightDividend),
    exotics: Type.Array(ExoticDividend, { description: 'Declared some minutes after the placings.' }),
    multi_race: Type.Optional(
      Type.Array(MultiRaceDividend, {
        description: 'On the race that is the final leg; absent on meeting days before 2026-09-29.',
      }),
    ),
    straight_types: Type.Array(text(), { description: 'Raw product codes of `straight`.' }),
  }),
);

export const RaceResult = named(
  'RaceResult',
  Type.Object({
    ...raceIdentity,
    race_id: nullable(raceIdentity.race_id),
    coverage_from: nullable(instant('Earliest retained result.')),
    race_name: nullable(text()),
    distance_m: nullable(whole('Metres.')),
    track_condition: nullable(text('As published.')),
    going: nullable(text('Good, Soft, Heavy, Firm, Fast or Synthetic.')),
    going_rating: nullable(whole()),
    weather: nullable(text()),
    status: ResultStatus,
    status_note: nullable(
      text(
        'Abandoned: `abandoned`, `postponed` or `transferred to …`. Interim: the protest that holds it up. Of placings given by an ' +
          'operator: why.',
      ),
    ),
    placings: Type.Array(Placing, { description: 'The first four positions, best first; empty when abandoned.' }),
    runners: Type.Unsafe<Static<typeof ResultRunner>[] | null>({
      anyOf: [{ type: 'array', minItems: 1, items: ResultRunner }, { type: 'null' }],
      description: 'The full field; null, never empty, when it is not held.',
    }),
    field_status: FieldStatus,
    field_source: nullable(FieldSource),
    field_note: nullable(
      text(
        '`pending` and `overdue`: when the next pass is expected, or that none is left. `unavailable`: that none is scheduled. ' +
          '`complete`: only where the official order of finish differs from the placings.',
      ),
    ),
    deductions: Type.Array(Deduction),
    dividends: nullable(Dividends),
    resulted_at: nullable(instant('When the first placings were written; null when abandoned.')),
    ...marketTimes,
  }),
);
