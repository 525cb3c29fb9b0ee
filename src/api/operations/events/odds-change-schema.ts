// The event of a race's best win prices (D31, D56), and the payload of the test call (B 6).
import { type Static, Type } from '@sinclair/typebox';
import { BookmakerKey, instant, named, nullable, price, text, whole } from '../../wire/vocabulary';
import { exampleRaceEvent, raceEventMembers } from './members-schema';

const BestWinPrice = named(
  'BestWinPrice',
  Type.Object({ price: price(), bookmaker: BookmakerKey }, { description: 'As `best-odds` has it.' }),
);

const RunnerBestWin = named(
  'RunnerBestWin',
  Type.Object({
    number: whole('Saddlecloth or box number.'),
    name: text(),
    best_win: nullable(BestWinPrice),
    previous_price: nullable(
      price('The best price in the event before; null if it had none. The price has moved if it is another.'),
    ),
  }),
);

export const OddsChangeEvent = named(
  'OddsChangeEvent',
  Type.Object({
    ...raceEventMembers('odds.change'),
    runners: Type.Array(RunnerBestWin, {
      description:
        'Every runner that is not scratched, by number: the prices of the whole race, so that an event may be skipped. Without `best_win` no book quotes it.',
    }),
  }),
);

export const exampleOddsChange: Static<typeof OddsChangeEvent> = {
  ...exampleRaceEvent('odds.change', 17),
  runners: [
    { number: 1, name: 'Gold Trip', best_win: { price: 5.5, bookmaker: 'ladbrokes_au' }, previous_price: 5 },
    { number: 2, name: 'Plain Sailing', best_win: { price: 2.4, bookmaker: 'tab' }, previous_price: 2.4 },
    { number: 4, name: 'Emergency', best_win: null, previous_price: null },
  ],
};

export const TestEvent = named(
  'TestEvent',
  Type.Object({
    event: text('Always `odds.change`.'),
    test: Type.Unsafe<true>({ type: 'boolean', enum: [true], description: 'No real event has it.' }),
    sent_at: instant('When the test was requested (UTC).'),
    message: text('What it is.'),
  }),
);

export const exampleTest: Static<typeof TestEvent> = {
  event: 'odds.change',
  test: true,
  sent_at: '2026-11-21T05:02:11.480Z',
  message: 'A test of this webhook.',
};
