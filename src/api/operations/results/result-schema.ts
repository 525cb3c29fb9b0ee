// The stored result of a race (A 2.11). Null is unknown, never zero.
import { type Static, Type } from '@sinclair/typebox';
import { PLACES_THAT_COUNT } from '../../../domain/results/placings';
import { marketTimes, raceIdentity } from '../../wire/race-schema';
import { amount, instant, named, nullable, oneOf, text, whole, yes } from '../../wire/vocabulary';
import { FieldSource, FieldStatus } from './field-schema';

const spFields = {
  sp: nullable(amount('Official starting price; null if unknown.')),
  sp_note: nullable(text('`F` favourite, `EF` equal favourite.')),
};

const horseRef = nullable(text('`pe:` followed by the folded name; null for other codes.'));

export const ResultStatus = named(
  'ResultStatus',
  oneOf(['final', 'interim', 'abandoned'], {
    description:
      '`interim` results may still change; `final` once the placings have stood for 30 minutes. Settle only on `final`.',
  }),
);

const Placing = named(
  'Placing',
  Type.Object({
    position: Type.Integer({
      minimum: 1,
      maximum: PLACES_THAT_COUNT,
      description: 'Finishing position; dead heats share one.',
    }),
    number: whole(),
    name: nullable(text('Name of the runner; null if no book has named it.')),
    win_price: nullable(amount('Settled fixed price of one bookmaker; may be null while interim.')),
    place_price: nullable(
      amount(
        'Settled fixed price of one bookmaker; may be null while interim. Null behind the places paid: `places_paid`, or three if it is null.',
      ),
    ),
    sp: Type.Optional(nullable(amount('Absent if the race has no `runners`.'))),
    sp_note: Type.Optional(nullable(text('Absent if the race has no `runners`.'))),
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
      time_s: nullable(amount('Time in seconds; of thoroughbreds the winner’s only.')),
      abnormal: nullable(
        text(
          '`Fell`, `PulledUp`, `Disqualified`, `LostRider`, `BroughtDown`, `DidNotFinish`, `LeftAtPost`, `StayedInBox`, `TailedOff`, `DidNotStart`; `SB` on a scratched runner: scratched at the barrier.',
        ),
      ),
      runner_ref: nullable(text()),
      horse_ref: horseRef,
      origin: nullable(text('Source of the row.')),
    },
    { description: 'An entry, not necessarily a starter. Settle on `status`.' },
  ),
);

const Deduction = named(
  'Deduction',
  Type.Object({
    name: nullable(text()),
    number: whole(),
    win: nullable(
      Type.Number({ minimum: 0, maximum: 1, description: 'Deduction per dollar of payout, 0 to 1; null if unknown.' }),
    ),
    place: nullable(
      Type.Number({ minimum: 0, maximum: 1, description: 'Deduction per dollar of payout, 0 to 1; null if unknown.' }),
    ),
    scratched_at: nullable(instant('When the runner was scratched (UTC); null if unknown.')),
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
    amount: amount('Return on a $1 bet.'),
  }),
);

export const ExoticDividend = named(
  'ExoticDividend',
  Type.Object({
    code: oneOf(['QN', 'EX', 'TF', 'FF']),
    type: oneOf(['Quinella', 'Exacta', 'Trifecta', 'First Four']),
    product: text(),
    selection: text('Saddlecloth numbers, e.g. `8,15,1`.'),
    amount: amount('Return on a $1 bet.'),
  }),
);

const Leg = named(
  'MultiRaceLeg',
  Type.Object({
    race_number: whole(),
    race_id: nullable(text('Id of the race; null if the service does not list it.')),
  }),
);

const MultiRaceDividend = named(
  'MultiRaceDividend',
  Type.Object({
    code: text('`QD`, `EQ`, `B6`, `G6`, `TR`, `RD` or `DD`.'),
    type: text('Quaddie, Early Quaddie, Big 6, Giant 6, Treble, Running Double or Daily Double.'),
    legs: Type.Array(Leg, { description: 'The races in order; empty if the book does not name them.' }),
    selection: text('Winning saddlecloth number of each leg.'),
    product: text(),
    amount: amount('Return on a $1 bet.'),
  }),
);

const Dividends = named(
  'Dividends',
  Type.Object({
    straight: Type.Array(StraightDividend),
    exotics: Type.Array(ExoticDividend, { description: 'Declared some minutes after the placings.' }),
    multi_race: Type.Optional(
      Type.Array(MultiRaceDividend, {
        description: 'Present on the race that is the final leg; absent on meeting days before 2026-09-29.',
      }),
    ),
    straight_types: Type.Array(text(), { description: 'Raw product codes in `straight`.' }),
  }),
);

export const RaceResult = named(
  'RaceResult',
  Type.Object({
    ...raceIdentity,
    race_id: nullable(raceIdentity.race_id),
    coverage_from: nullable(instant('Start of the earliest stored result (UTC).')),
    race_name: nullable(text()),
    distance_m: nullable(whole('Distance in metres.')),
    track_condition: nullable(text('Track condition as published.')),
    going: nullable(text('Good, Soft, Heavy, Firm, Fast or Synthetic; null if it cannot be parsed.')),
    going_rating: nullable(whole('Rating of the going; null if none is given.')),
    weather: nullable(text()),
    status: ResultStatus,
    status_note: nullable(
      text(
        'For an abandoned race: `abandoned`, `postponed` or `transferred to …`. For an interim result: the protest that delays it. ' +
          'For placings set by an operator: the reason. Otherwise null.',
      ),
    ),
    placings: Type.Array(Placing, {
      description: 'The first four positions, best first; empty if the race was abandoned.',
    }),
    places_paid: nullable(
      whole(
        'Number of places that a place bet at the start pays, as the race reports it, or from its full field or its card; 0: no place betting. Null if it ' +
          'is not known or the race was abandoned.',
      ),
    ),
    runners: Type.Unsafe<Static<typeof ResultRunner>[] | null>({
      anyOf: [{ type: 'array', minItems: 1, items: ResultRunner }, { type: 'null' }],
      description: 'The full field; null, never empty, if it is not available.',
    }),
    field_status: FieldStatus,
    field_source: nullable(FieldSource),
    field_note: nullable(
      text(
        'For `pending` and `overdue`: when the next collection pass is expected, or that none is left. For `unavailable`: that none ' +
          'is scheduled. For `complete`: present only if the official order of finish differs from the placings.',
      ),
    ),
    deductions: Type.Array(Deduction),
    dividends: nullable(Dividends),
    resulted_at: nullable(instant('When the first placings were written (UTC); null if the race was abandoned.')),
    ...marketTimes,
  }),
);
