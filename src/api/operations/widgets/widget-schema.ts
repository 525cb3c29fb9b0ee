// White-label widgets (A 4.13): who may embed them, what they show, and how often they are filled.
import { type Static, Type } from '@sinclair/typebox';
import { CUSTOMER_BOOKMAKER_KEYS } from '../../../domain/bookmakers';
import { PLACEHOLDERS, type WidgetType } from '../../../domain/widgets/link-template';
import { Bookmaker } from '../../wire/parameters';
import { Category, count, instant, link, named, nullable, oneOf, text, whole, words, yes } from '../../wire/vocabulary';
import { SportMarket } from '../sports/parameters-schema';
import { SportKey } from '../sports/sport-key-schema';

/** Credits of one fill, by what the widget shows (A 4.13). */
export const FILL_CREDITS = { racing: 2, sports: 1 } as const;
export const FILLED_FOR_SECONDS = 60;

/** For a widget whose owner sends only the required members. */
export const USUAL = {
  max_fills_per_hour: 120,
  max_fills_per_month: null,
  link_templates: {},
  bookmakers: [],
  title: null,
  accent: '#12694a',
  theme: 'auto',
} as const;
export const USUAL_OF = {
  racing: { categories: [], country: [], num_races: 3 },
  sports: { market: 'h2h', num_matches: 3 },
} as const;

const type = named(
  'WidgetType',
  oneOf(['racing', 'sports'], {
    description:
      'What it shows: `racing`, the next races; `sports`, the next matches of one sport in one market. Default: `racing`. It cannot be changed.',
  }),
);
const name = words('What the widget is for, in your words. Readers do not see it.');
const allowedOrigins = Type.Array(
  Type.String({ minLength: 1, maxLength: 200, examples: ['https://www.example.com'] }),
  {
    minItems: 1,
    maxItems: 20,
    description:
      'The sites that may embed it: scheme, host and port, as browsers send them in `Origin`. Exact, without wildcards. `http://localhost` and `http://127.0.0.1` are ' +
      'accepted for development.',
  },
);
const maxFills = Type.Integer({
  minimum: 1,
  maximum: 3600,
  description: `Charged fills in any 60 minutes. Each costs ${FILL_CREDITS.racing} credits, of a sports widget ${FILL_CREDITS.sports}; further ones are refused until earlier ones are an hour old. Half of them, at most 60, are for the next races or matches alone; of the others one network of readers gets at most a quarter. A change takes up to five seconds. Default: ${USUAL.max_fills_per_hour}.`,
});
const maxFillsOfMonth = nullable(
  Type.Integer({
    minimum: 1,
    maximum: 2_700_000,
    description:
      'Charged fills in a UTC month, half of them for the next races or matches alone; readers then get the last prices. At 80 % of it we mail you, once. Null, the default: no limit.',
    examples: [50_000],
  }),
);
const placeholders = (of: WidgetType): string => PLACEHOLDERS[of].map((one) => `\`{${one}}\``).join(', ');
const LinkTemplates = named(
  'WidgetLinkTemplates',
  Type.Object(
    Object.fromEntries(
      CUSTOMER_BOOKMAKER_KEYS.map((key) => [key, Type.Optional(Type.String({ minLength: 1, maxLength: 1000 }))]),
    ),
    {
      additionalProperties: false,
      description:
        `By bookmaker key, where its prices link to: an https:// URL that may have ${placeholders('racing')} after its host; of a sports widget ${placeholders('sports')}. ` +
        'Values are percent-encoded. Prices of a bookmaker without a template do not link.',
    },
  ),
);
const bookmakers = Type.Array(Bookmaker, {
  maxItems: 40,
  description: 'Only these bookmakers are compared; empty: all. A list of retired bookmakers alone is a 422.',
});
const categories = Type.Array(Category, { maxItems: 3, description: 'Only races of these codes; empty: all.' });
const country = Type.Array(Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166 code.', examples: ['AU'] }), {
  maxItems: 50,
  description: 'Only races of these countries; empty: of all. A race whose country is unknown is never shown.',
});
const numRaces = Type.Integer({
  minimum: 1,
  maximum: 10,
  description: `Races shown, the next ones to jump. Default: ${USUAL_OF.racing.num_races}.`,
});
const numMatches = Type.Integer({
  minimum: 1,
  maximum: 10,
  description: `Matches shown, the next ones to start that are priced. Default: ${USUAL_OF.sports.num_matches}.`,
});
const title = nullable(words('The heading that readers see. Null: none.'));
const accent = Type.String({
  pattern: '^#[0-9a-fA-F]{6}$',
  'x-must-be': 'a colour of six hexadecimal digits, such as #12694a',
  description: 'Colour of lines and marks, as `#rrggbb`. Text keeps colours that are readable on both themes.',
  examples: [USUAL.accent],
});
const theme = named(
  'WidgetTheme',
  oneOf(['auto', 'light', 'dark'], { description: 'Colours; `auto`, the default, follows the reader’s setting.' }),
);
const paused = yes('True: it shows nothing and is not filled.');

const ofType = {
  racing: {
    categories: Type.Optional(categories),
    country: Type.Optional(country),
    num_races: Type.Optional(numRaces),
  },
  sports: {
    sport_key: Type.Optional(SportKey),
    market: Type.Optional(SportMarket),
    num_matches: Type.Optional(numMatches),
  },
};
/** A widget of the other type has none of these. */
export const MEMBERS_OF: Readonly<Record<WidgetType, readonly string[]>> = {
  racing: Object.keys(ofType.racing),
  sports: Object.keys(ofType.sports),
};

const changeable = {
  max_fills_per_hour: Type.Optional(maxFills),
  max_fills_per_month: Type.Optional(maxFillsOfMonth),
  link_templates: Type.Optional(LinkTemplates),
  bookmakers: Type.Optional(bookmakers),
  ...ofType.racing,
  ...ofType.sports,
  title: Type.Optional(title),
  accent: Type.Optional(accent),
  theme: Type.Optional(theme),
};

export const WidgetCreate = named(
  'WidgetCreate',
  Type.Object(
    {
      type: Type.Optional(type),
      name,
      allowed_origins: allowedOrigins,
      ...changeable,
    },
    {
      additionalProperties: false,
      examples: [
        {
          name: 'Home page',
          allowed_origins: ['https://www.example.com'],
          country: ['AU'],
          link_templates: { sportsbet: 'https://go.example.com/sportsbet?race={race_id}&runner={runner_number}' },
        },
        {
          type: 'sports',
          name: 'NRL page',
          allowed_origins: ['https://www.example.com'],
          sport_key: 'nrl',
          market: 'spreads',
          link_templates: { sportsbet: 'https://go.example.com/sportsbet?match={event_id}&side={selection}' },
        },
      ],
    },
  ),
);

export const WidgetChange = named(
  'WidgetChange',
  Type.Object(
    {
      name: Type.Optional(name),
      allowed_origins: Type.Optional(allowedOrigins),
      ...changeable,
      paused: Type.Optional(paused),
      replace_embed_id: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description:
            'The present `embed_id`, to replace it: pages with the old one show nothing from then on. Any other value is a 409, so that a repeated request replaces it once.',
          examples: ['we_k3v7d2mxq7hs5tnc4wzb6yprfa'],
        }),
      ),
    },
    { additionalProperties: false, minProperties: 1, examples: [{ paused: true }] },
  ),
);

export const Widget = named(
  'Widget',
  Type.Object({
    id: text('Names the widget in these operations. It never appears in pages.'),
    type,
    name: text('What the widget is for.'),
    embed_id: text(
      'Names the widget in your pages, where every reader may see it. It shows the widget and has no other right.',
    ),
    embed_url: link('The page to frame.'),
    embed_html: text('The markup to paste into your pages.'),
    fill_url: link('The same data as JSON, for scripts of your sites.'),
    allowed_origins: allowedOrigins,
    max_fills_per_hour: maxFills,
    max_fills_per_month: maxFillsOfMonth,
    link_templates: LinkTemplates,
    bookmakers,
    categories,
    country,
    num_races: { ...nullable(numRaces), description: 'Races shown, the next ones to jump. Null: it shows matches.' },
    sport_key: { ...nullable(SportKey), description: 'The sport of its matches. Null: it shows races.' },
    market: { ...nullable(SportMarket), description: 'The market of its matches. Null: it shows races.' },
    num_matches: {
      ...nullable(numMatches),
      description: 'Matches shown, the next ones to start. Null: it shows races.',
    },
    title: nullable(text('The heading that readers see.')),
    accent,
    theme,
    paused,
    is_active: yes('Whether it is filled: your plan includes widgets, and it is not paused.'),
    fill_entitled: yes('Whether your plan includes widgets.'),
    fills_last_hour: count('Charged fills of the last 60 minutes.'),
    fills_this_month: count('Charged fills of this UTC month.'),
    last_filled_at: nullable(instant('When a fill was last charged (UTC).')),
    created_at: instant('When it was created (UTC).'),
    changed_at: instant('When its settings were last changed (UTC).'),
  }),
);

export const WidgetList = named(
  'WidgetList',
  Type.Object({
    limit: whole('Widgets that the plan allows the account.'),
    widgets: Type.Array(Widget, { description: 'The oldest first.' }),
  }),
);

export const WidgetDeleted = named(
  'WidgetDeleted',
  Type.Object({ id: text('Of the widget that was deleted.'), deleted: yes('Always true.') }),
);

export const widgetId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: '`id` of the widget.',
  examples: ['wg_r4hfygr4k5fh5hyonmpqxgrnce'],
});

export type WidgetWire = Static<typeof Widget>;

export type WidgetSent = Static<typeof WidgetCreate>;

/** In a request, without `type` and members that are not settings. */
export type WidgetWanted = Partial<Omit<Static<typeof WidgetChange>, 'replace_embed_id'>>;
