// The status of every connector (shapes 3.8), with what an operator needs to find out why a price is missing.
import { Type } from '@sinclair/typebox';
import { age, aged, amount, count, instant, named, nullable, oneOf, text, yes } from '../../wire/vocabulary';

const byReason = (description: string) => Type.Record(Type.String(), count(), { description });
const seconds = (description: string) => nullable(age(description));

const Breaker = named(
  'ConnectorBreaker',
  Type.Object(
    {
      state: oneOf(['closed', 'half_open', 'open'], { description: 'The worst state of any worker.' }),
      since: instant('When this state began (UTC).'),
      workers: count('Number of workers that report.'),
      workers_open: count('Number of workers that currently send no calls to this source.'),
      refused: count('Calls that the breaker blocked since the workers started.'),
    },
    { description: 'Circuit breaker: stops calls to a source that fails.' },
  ),
);

const Budget = named(
  'ConnectorBudget',
  Type.Object(
    {
      per_second: amount('Calls per second that all workers together may send.'),
      source: oneOf(['shared', 'own_share'], {
        description:
          '`shared`: the workers share one budget. `own_share`: a worker cannot reach the shared budget and keeps to its own part of it.',
      }),
      refused: count('Calls that the budget blocked since the workers started.'),
    },
    { description: 'Rate budget: how many calls may be sent to the source.' },
  ),
);

const Ages = named(
  'QuoteAges',
  Type.Object(
    {
      live_races: count('Number of live races that the book currently prices.'),
      p50_s: seconds('Median age in seconds.'),
      p90_s: seconds('90th percentile, in seconds.'),
      p99_s: seconds('99th percentile, in seconds.'),
    },
    { description: 'Ages of the book’s quotes on the races that are live now; null if it prices none.' },
  ),
);

const SportCoverage = named(
  'SportCoverage',
  Type.Object({
    sport_key: text('As `GET /v1/sports` lists it.'),
    markets: count('Markets that it prices now, of matches that have not started.'),
    newest_age_s: seconds('Seconds since it last listed a match of the sport.'),
    covering: yes('Whether that is at most `coverage_stale_after_s`.'),
  }),
);

const ConnectorStatus = named(
  'ConnectorStatus',
  Type.Object({
    connector: text(),
    last_ok_age_s: seconds('Seconds since the last successful response; null if there was none.'),
    last_poll_age_s: seconds('Seconds since the last poll or push; null if there was none.'),
    last_change_age_s: seconds('Seconds since a response last changed a race on the board; null if none did.'),
    polling: yes('Whether it was polled within `stale_after_s`; for a registry, within three hours if that is longer.'),
    stale: yes(
      'Whether it has not responded successfully within `stale_after_s`; for a registry, within three hours if that is longer.',
    ),
    degraded: yes('Whether it has a problem: see `degraded_because`.'),
    degraded_because: Type.Array(oneOf(['last_poll_failed', 'breaker_open', 'budget_not_shared'])),
    polls: count('Number of polls since collection began.'),
    records_written: count('Number of records written since collection began; for a book, price changes.'),
    last_msg: nullable(text('What went wrong at the last poll; null if nothing did.')),
    failures: byReason('Failed polls since `counted_from`, by reason.'),
    dropped: byReason('Dropped rows and prices since `counted_from`, by reason.'),
    refused: byReason('Refused races since `counted_from`, by reason.'),
    breaker: nullable(Breaker),
    budget: nullable(Budget),
    ages: Ages,
    sports: Type.Optional(
      Type.Array(SportCoverage, { description: 'Sports of which it listed a match of the last week or to come.' }),
    ),
    sports_not_covering: Type.Optional(Type.Array(text(), { description: 'Those of them that it no longer covers.' })),
  }),
);

export const ConnectorList = named(
  'ConnectorList',
  Type.Object({
    now: aged(instant('Time of this response (UTC); ages count to it.')),
    stale_after_s: amount('The threshold applied, in seconds.'),
    coverage_stale_after_s: amount('The threshold applied, in seconds.'),
    counted_from: instant('Start of the counts: a midnight UTC at least one day ago.'),
    any_stale: yes('Whether any connector is stale.'),
    any_degraded: yes('Whether any connector is degraded.'),
    rate_limits: Type.Optional(
      oneOf(['enforced', 'by_process'], {
        description:
          'How requests per minute were counted in the last seconds; absent where no key is limited. `enforced`: over all processes, exactly. ' +
          '`by_process`: the shared count is unavailable, and each process admits its share of the plan’s number.',
      }),
    ),
    not_covering: Type.Array(text(), { description: 'Connectors with a sport that they no longer cover.' }),
    connectors: Type.Array(ConnectorStatus, { description: 'Ordered by name.' }),
  }),
);
