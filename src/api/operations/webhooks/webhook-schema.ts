// Webhooks: where events are posted, and which (B 4.14, B 6).
import { type Static, Type } from '@sinclair/typebox';
import { EVENT_KINDS } from '../../../domain/events/event';
import { RACING_SPORTS } from '../../../domain/race/sport';
import { SPORT_KEYS } from '../../../domain/sports/sports';
import { Bookmaker } from '../../wire/parameters';
import { count, countryCode, instant, named, nullable, oneOf, text, words, yes } from '../../wire/vocabulary';

export const EventType = named(
  'WebhookEventType',
  oneOf(EVENT_KINDS, {
    description:
      'Kind of event. `market.suspend` is accepted and never sent. Only the primary key may name those that begin with `account.`.',
  }),
);

const events = (description: string) => Type.Array(EventType, { maxItems: 50, description });
const Sport = named(
  'WebhookSport',
  oneOf([...RACING_SPORTS, ...SPORT_KEYS], { description: 'Of races by code, or the key of a sport.' }),
);
const RACING_ONLY = 'Leaves out events of sports, unless `events` or `sports` names them.';
const sports = Type.Array(Sport, {
  maxItems: 40,
  description:
    'Only events of these; empty: of all. Codes of racing alone leave out events of sports, unless `events` names them.',
});
const country = Type.Array(countryCode(), {
  maxItems: 50,
  description: `Only races of these countries, such as \`["AU", "NZ"]\`; empty: of all. A race whose country is unknown is then left out. ${RACING_ONLY}`,
});
const venue = Type.Array(
  { ...words('Name of a venue.'), examples: ['Randwick'] },
  {
    maxItems: 50,
    description:
      'Only races at these venues, case-insensitive, in any of the `spellings` that `GET /v1/racing/venues` lists; empty: at all. A name that no feed has ' +
      `used matches no race. ${RACING_ONLY}`,
  },
);
const minEdge = nullable(
  Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'The least `edge_pct` of an `arb.opportunity`. If `events` is not empty, it must name that.',
  }),
);
const bookmakers = Type.Array(Bookmaker, {
  maxItems: 50,
  description:
    'Only events at these bookmakers; empty: at all. `odds.change`: one of them has a best price that moved. `race.odds_open`: one of them priced the race at ' +
    'that moment; it is sent once, so a race that another book priced first is not announced. `race.market_closed`: one of them reports it. ' +
    `\`arb.opportunity\`: all of its legs are theirs. Events without a bookmaker are not filtered. ${RACING_ONLY}`,
});
const minMove = nullable(
  Type.Number({
    minimum: 0,
    maximum: 1000,
    description:
      'The least move of a best price in an `odds.change`, in percent of the price in the event before it; with `bookmakers`, of one that is theirs now. A ' +
      'price that came or went is no such move. If `events` is not empty, it must name `odds.change`.',
  }),
);
const WHICH = 'Only these kinds; empty: all but those that are sent only to webhooks that name them.';

const address = (more: string) =>
  Type.String({
    minLength: 1,
    maxLength: 2048,
    description: `An \`https://\` URL with a public host on port 443, without a user name or a password. It is checked again at every connection.${more}`,
  });

export const WebhookCreate = named(
  'WebhookCreate',
  Type.Object(
    {
      url: address(''),
      events: Type.Optional(events(`${WHICH} Default: all.`)),
      sports: Type.Optional(nullable(sports)),
      country: Type.Optional(nullable(country)),
      venue: Type.Optional(nullable(venue)),
      min_edge_pct: Type.Optional(minEdge),
      bookmakers: Type.Optional(nullable(bookmakers)),
      min_move_pct: Type.Optional(minMove),
    },
    {
      additionalProperties: false,
      examples: [{ url: 'https://hooks.example.com/odds', events: ['race.odds_open', 'race.result'], country: ['AU'] }],
    },
  ),
);

export const WebhookChange = named(
  'WebhookChange',
  Type.Object(
    {
      url: Type.Optional(
        address(' What is still to be delivered goes to the new one too; the secret and the list of deliveries stay.'),
      ),
      events: Type.Optional(events(WHICH)),
      sports: Type.Optional(nullable(sports)),
      country: Type.Optional(nullable(country)),
      venue: Type.Optional(nullable(venue)),
      min_edge_pct: Type.Optional(minEdge),
      bookmakers: Type.Optional(nullable(bookmakers)),
      min_move_pct: Type.Optional(minMove),
      paused: Type.Optional(
        yes('True: nothing is posted. False: events are posted again, also to a webhook that was disabled.'),
      ),
    },
    { additionalProperties: false, minProperties: 1, examples: [{ paused: true }] },
  ),
);

const PAUSED_REASONS = ['plan', 'paused', 'gone', 'failing'] as const;

export const Webhook = named(
  'Webhook',
  Type.Object({
    id: text('Names the webhook.'),
    url: text('Where events are posted.'),
    events: events(WHICH),
    sports,
    country,
    venue,
    min_edge_pct: minEdge,
    is_active: yes('False: it is paused or disabled.'),
    paused: yes('Whether you paused it.'),
    created_at: instant('When it was created (UTC).'),
    last_delivery_at: nullable(instant('When an event was last delivered; test calls are not counted.')),
    failure_count: count('Attempts that have failed since then.'),
    secret: nullable(text('Signs what is posted. Shown when it is made, null in all other responses.')),
    previous_secret_until: nullable(instant('Until when the secret before the last rotation signs too.')),
    delivery_entitled: yes('Whether your plan includes delivery.'),
    delivery_paused_reason: nullable(
      oneOf(PAUSED_REASONS, {
        description:
          'Why nothing is posted. `plan`: your plan does not include it. `paused`: you paused it. `gone`: the receiver responded with 410. `failing`: ' +
          'every attempt of five days failed. Null: events are posted.',
      }),
    ),
    bookmakers,
    min_move_pct: minMove,
  }),
);

export const Webhooks = Type.Array(Webhook, { description: 'The oldest first.' });

export const WebhookDeleted = named(
  'WebhookDeleted',
  Type.Object({ deleted: yes('Always true.'), id: text('Of the webhook that was deleted.') }),
);

export const webhookId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: '`id` of the webhook.',
  examples: ['wh_3f9a1c07b2d4'],
});

export type WebhookWire = Static<typeof Webhook>;

export const exampleWebhook: WebhookWire = {
  id: 'wh_3f9a1c07b2d4',
  url: 'https://hooks.example.com/odds',
  events: ['race.odds_open', 'race.result'],
  sports: [],
  country: ['AU'],
  venue: [],
  min_edge_pct: null,
  is_active: true,
  paused: false,
  created_at: '2026-11-21T01:00:00.000Z',
  last_delivery_at: '2026-11-21T02:59:58.412Z',
  failure_count: 0,
  secret: null,
  previous_secret_until: null,
  delivery_entitled: true,
  delivery_paused_reason: null,
  bookmakers: [],
  min_move_pct: null,
};

export const EXAMPLE_SECRET = 'whsec_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE0=';
