// The payloads of webhooks (B 6, D31): each kind of event, and the test.
import type { EventKind } from '../../../domain/events/event';
import { ACCOUNT_EVENTS } from './account-events-schema';
import type { PublishedEvent } from './members-schema';
import { exampleOddsChange, exampleTest, OddsChangeEvent, TestEvent } from './odds-change-schema';
import {
  ArbCorrectedEvent,
  ArbOpportunityEvent,
  BackfillCompletedEvent,
  exampleArb,
  exampleArbCorrected,
  exampleBackfillCompleted,
} from './other-events-schema';
import {
  exampleMarketClosed,
  exampleOddsOpen,
  exampleResult,
  exampleScratching,
  exampleStartMoved,
  exampleTrackChanged,
  MarketClosedEvent,
  OddsOpenEvent,
  ResultEvent,
  ScratchingEvent,
  StartMovedEvent,
  TrackChangedEvent,
} from './race-events-schema';

/** `market.suspend` is never sent. */
export const EVENTS: Readonly<Record<Exclude<EventKind, 'market.suspend'> | 'test', PublishedEvent>> = {
  'race.odds_open': {
    summary: 'Bookmakers price a race',
    description: 'Once for each race: when the live board first shows a win price of it.',
    schema: OddsOpenEvent,
    example: exampleOddsOpen,
  },
  'odds.change': {
    summary: 'Best win prices of a race moved',
    description:
      'The best win prices of a race, whenever one of them has moved, at most once in five seconds for each race. It is not sent late: if a newer one of ' +
      'the race is waiting, and after a minute, it is cancelled. Every event has all prices of its race, so the latest one is enough.',
    schema: OddsChangeEvent,
    example: exampleOddsChange,
  },
  'arb.opportunity': {
    summary: 'An arbitrage opportunity',
    description:
      'Prices of a match at different books that return more than they cost, by the rules of `GET /v1/arb/sports` and `GET /v1/arb/lines`: when a book’s ' +
      'report makes them so. The same prices at the same books are sent once. Prices move: check them at the books before you bet.',
    schema: ArbOpportunityEvent,
    example: exampleArb,
  },
  'arb.corrected': {
    summary: 'An arbitrage opportunity was none',
    description:
      'An `arb.opportunity` was sent whose legs are prices of two matches: its match was parted since. Once for each such event; it never had an edge. ' +
      'Sent only to webhooks that name it in `events`, by the same filters as the opportunity.',
    schema: ArbCorrectedEvent,
    example: exampleArbCorrected,
  },
  'race.result': {
    summary: 'A result is final, or the race is abandoned',
    description:
      'Whenever the outcome of a race is another than the one sent before. An amended result has the next `revision`, and `previous`. Prices and dividends ' +
      'may follow later: read them from `results`.',
    schema: ResultEvent,
    example: exampleResult,
  },
  'race.scratching': {
    summary: 'A runner is scratched',
    description: 'Only of a runner that was listed as running before.',
    schema: ScratchingEvent,
    example: exampleScratching,
  },
  'race.market_closed': {
    summary: 'The market of a race has closed',
    description: 'Once for each race, as reported by a bookmaker. A market that opens again changes nothing.',
    schema: MarketClosedEvent,
    example: exampleMarketClosed,
  },
  'race.start_moved': {
    summary: 'The start of a race moved',
    description:
      'Whenever the advertised start of a race that is still ahead is another than the one before; a start that is put back is one more event. ' +
      'Sent only to webhooks that name it in `events`.',
    schema: StartMovedEvent,
    example: exampleStartMoved,
  },
  'race.track_changed': {
    summary: 'The track condition of a race changed',
    description:
      'Of races in Australia and New Zealand that are still ahead. The first condition of a race is no change, nor is another spelling of the same. ' +
      'Sent only to webhooks that name it in `events`.',
    schema: TrackChangedEvent,
    example: exampleTrackChanged,
  },
  'backfill.completed': {
    summary: 'A backfill job is complete',
    description:
      'Sent to the account of the job: every horse was delivered or has failed. Not sent of a job that was cancelled.',
    schema: BackfillCompletedEvent,
    example: exampleBackfillCompleted,
  },
  ...ACCOUNT_EVENTS,
  test: {
    summary: 'A test call',
    description: 'Sent once for each call of the test operation, and never again.',
    schema: TestEvent,
    example: exampleTest,
  },
};
