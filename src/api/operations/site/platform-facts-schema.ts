// Public facts about the platform (A 4.14). Each has its time and how it was measured; one that cannot be measured is
// absent and named.
import { type TSchema, Type } from '@sinclair/typebox';
import { Unavailable } from '../../wire/unavailable';
import { aged, amount, count, day, instant, named, text } from '../../wire/vocabulary';

const fact = <T extends TSchema>(name: string, value: T) =>
  named(
    name,
    Type.Object({
      value,
      as_of: aged(instant('Time of the measurement (UTC).')),
      measured: text('What was counted or measured, and how, as a sentence.'),
    }),
  );

const CountFact = Type.Optional(fact('CountFact', count('A count.')));
const AmountFact = Type.Optional(
  fact('AmountFact', amount('Percent or milliseconds, as the name of the fact states.')),
);
const DayFact = Type.Optional(fact('DayFact', day('Sydney day.')));

const Facts = named(
  'Facts',
  Type.Object(
    {
      bookmakers_collected: CountFact,
      races_archived: CountFact,
      closing_lines_archived: CountFact,
      prices_archived: CountFact,
      archive_first_day: DayFact,
      operations_served: CountFact,
      uptime_30d_pct: AmountFact,
      probe_latency_median_ms: AmountFact,
    },
    { description: 'A fact that cannot be measured is absent, and named in `unavailable`.' },
  ),
);

export const PlatformFacts = named(
  'PlatformFacts',
  Type.Object({
    as_of: aged(instant('When the facts were put together (UTC).')),
    recomputed_after_s: count(
      'Seconds after which the facts are computed again at the latest: half an hour, or a minute while a fact is unavailable.',
    ),
    facts: Facts,
    unavailable: Type.Array(Unavailable, { description: 'The facts that are absent, each with the reason.' }),
  }),
);
