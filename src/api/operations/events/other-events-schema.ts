// Events that do not belong to one race.
import { type Static, Type } from '@sinclair/typebox';
import { amount, BookmakerKey, count, instant, named, nullable, oneOf, price, text } from '../../wire/vocabulary';
import { SportMarket } from '../sports/parameters-schema';
import { SportKey } from '../sports/sport-key-schema';
import { exampleEvent, otherEventMembers } from './members-schema';

const ArbLeg = named(
  'ArbLeg',
  Type.Object({
    bookmaker: BookmakerKey,
    selection: text('What to back: the team or `Draw`, `Over` or `Under`, with the line where there is one.'),
    odds: price(),
  }),
);

export const ArbOpportunityEvent = named(
  'ArbOpportunityEvent',
  Type.Object({
    ...otherEventMembers('arb.opportunity'),
    sport: SportKey,
    event_name: text('`home v away`.'),
    event_id: text('Id of the match, as in `GET /v1/arb/sports`.'),
    commence_time: instant('Start of the match (UTC).'),
    market_type: SportMarket,
    edge_pct: amount('Profit in percent of what all legs stake together. Compared with `min_edge_pct` of the webhook.'),
    confidence: Type.Optional(
      amount('How far it may be trusted, 0 to 1, as in `GET /v1/arb/sports`. Absent in events of before 2026-11-28.'),
    ),
    legs: Type.Array(ArbLeg),
  }),
);

export const exampleArb: Static<typeof ArbOpportunityEvent> = {
  ...exampleEvent('arb.opportunity'),
  sequence: null,
  sport: 'afl',
  event_name: 'Carlton Blues v Richmond Tigers',
  event_id: '4be4a572-bca6-5a79-b1a6-c1b5b130df91',
  commence_time: '2026-11-21T09:00:00.000Z',
  market_type: 'h2h',
  edge_pct: 1.91,
  confidence: 0.62,
  legs: [
    { bookmaker: 'tab', selection: 'Carlton Blues', odds: 2.1 },
    { bookmaker: 'sportsbet', selection: 'Richmond Tigers', odds: 1.98 },
  ],
};

export const ArbCorrectedEvent = named(
  'ArbCorrectedEvent',
  Type.Object({
    ...ArbOpportunityEvent.properties,
    ...otherEventMembers('arb.corrected'),
    corrects: text('`id` of the `arb.opportunity`, whose members these are.'),
    reason: oneOf(['different_matches'], { description: 'Its legs are prices of two matches.' }),
  }),
);

export const exampleArbCorrected: Static<typeof ArbCorrectedEvent> = {
  ...exampleArb,
  ...exampleEvent('arb.corrected'),
  corrects: 'evt_0c9b7f4d2e6a4d1b9a3c5e7f8b1d2a64',
  reason: 'different_matches',
};

export const BackfillCompletedEvent = named(
  'BackfillCompletedEvent',
  Type.Object({
    ...otherEventMembers('backfill.completed'),
    job_id: text('Names the job.'),
    label: nullable(text('As submitted.')),
    submitted_at: instant('When the job was submitted (UTC).'),
    total: count('Horses of the job.'),
    done: count('Delivered.'),
    failed: count('Three reads within an hour brought no page. Free.'),
    credits_charged: count('3 for each delivered horse.'),
  }),
);

export const exampleBackfillCompleted: Static<typeof BackfillCompletedEvent> = {
  ...exampleEvent('backfill.completed'),
  sequence: null,
  job_id: 'bf_20261121_4k9z0q',
  label: 'spring',
  submitted_at: '2026-11-21T03:00:00.000Z',
  total: 40,
  done: 39,
  failed: 1,
  credits_charged: 117,
};
