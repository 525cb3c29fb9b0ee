// How every connector is doing (shapes 3.8), with what an operator needs to see why a price is missing.
import { Type } from '@sinclair/typebox';
import { age, amount, count, instant, named, nullable, oneOf, text, yes } from '../vocabulary';

const byReason = (description: string) => Type.Record(Type.String(), count(), { description });
const seconds = (description: string) => nullable(age(description));

const Breaker = named(
  'ConnectorBreaker',
  Type.Object(
    {
      state: oneOf(['closed', 'half_open', 'open'], { description: 'The worst of the workers’.' }),
      since: instant('Since when it is so.'),
      workers: count('Workers that report.'),
      workers_open: count('Of them, those that send this book nothing.'),
      refused: count('Calls that were not sent because of it, since the workers began.'),
    },
    { description: 'What stops calls to a book that fails.' },
  ),
);

const Budget = named(
  'ConnectorBudget',
  Type.Object(
    {
      per_second: amount('Calls a second that all workers together may send.'),
      source: oneOf(['shared', 'own_share'], {
        description: '`own_share`: a worker cannot reach the shared budget and keeps to its part of it.',
      }),
      refused: count('Calls that were not sent for want of it, since the workers began.'),
    },
    { description: 'How often the book may be asked.' },
  ),
);

const Ages = named(
  'QuoteAges',
  Type.Object(
    {
      live_races: count('Live races that the book prices now.'),
      p50_s: seconds('Median.'),
      p90_s: seconds('90 %.'),
      p99_s: seconds('99 %.'),
    },
    { description: 'Ages of the book’s quotes on the live races of this moment; null when it prices none.' },
  ),
);

const SportCoverage = named(
  'SportCoverage',
  Type.Object({ sport_key: text(), markets: count(), newest_age_s: seconds('Of its newest market.'), covering: yes() }),
);

const ConnectorStatus = named(
  'ConnectorStatus',
  Type.Object({
    connector: text(),
    last_ok_age_s: seconds('Since it last answered; null: never.'),
    last_poll_age_s: seconds('Since it was last asked, or last pushed; null: never.'),
    last_change_age_s: seconds('Since a reply last said something new of a race on the board.'),
    polling: yes('It was asked inside `stale_after_s`; a registry inside three hours, where that is longer.'),
    stale: yes('It has not answered inside `stale_after_s`; a registry not inside three hours, where that is longer.'),
    degraded: yes('Something is wrong with it: see `degraded_because`.'),
    degraded_because: Type.Array(oneOf(['last_poll_failed', 'breaker_open', 'budget_not_shared'])),
    polls: count('Since the beginning.'),
    records_written: count('Prices that changed, since the beginning.'),
    last_msg: nullable(text('What went wrong at the last poll; null when nothing did.')),
    failures: byReason('Polls that failed since `counted_from`.'),
    dropped: byReason('Rows and prices left out since `counted_from`.'),
    refused: byReason('Races that were not taken since `counted_from`.'),
    breaker: nullable(Breaker),
    budget: nullable(Budget),
    ages: Ages,
    sports: Type.Optional(Type.Array(SportCoverage)),
    sports_not_covering: Type.Optional(Type.Array(text())),
  }),
);

export const Connectors = named(
  'Connectors',
  Type.Object({
    now: instant(),
    stale_after_s: amount(),
    coverage_stale_after_s: amount(),
    counted_from: instant('A midnight UTC at least a day ago.'),
    any_stale: yes(),
    any_degraded: yes(),
    not_covering: Type.Array(text(), { description: 'Connectors that should carry a sport and do not.' }),
    connectors: Type.Array(ConnectorStatus, { description: 'By name.' }),
  }),
);
