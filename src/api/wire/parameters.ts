// Query parameters that many operations share, with one meaning (A 2.1).
import { type TUnsafe, Type } from '@sinclair/typebox';
import { CUSTOMER_BOOKMAKER_KEYS } from '../../domain/bookmakers';
import { CATEGORIES, type Category } from '../../domain/race/race';
import { MAX_HORIZON_HOURS } from '../../plans/plans';
import { Category as CategorySchema, mustBe, named, oneOf, words } from './vocabulary';

/** A choice that responses have too, as a parameter: the document shows one component for both. */
export function choice<T>(named: TUnsafe<T>, more: Record<string, unknown>): TUnsafe<T> {
  return { ...named, ...more, 'x-shown-as': named };
}

/** Values separated by commas. */
export const list = <T extends string>(items: Record<string, unknown>, more: Record<string, unknown>) =>
  Type.Optional(Type.Unsafe<T[]>({ type: 'array', items: { type: 'string', ...items }, minItems: 1, ...more }));

const categoryItems = { enum: CATEGORIES, 'x-fold': 'lower', 'x-shown-as': CategorySchema };

export const categories = list<Category>(categoryItems, {
  description: 'Only these codes, comma-separated. Default: all.',
});
export const category = list<Category>(categoryItems, {
  description: 'Alias of `categories`. If both are sent, they must agree.',
  'x-alias-of': 'categories',
});

const countries = (excluding: string) =>
  list(
    { pattern: '^[A-Z]{2}$', 'x-fold': 'upper' },
    {
      description: `ISO 3166 country codes, comma-separated, e.g. \`AU,NZ\`. ${excluding} excludes races whose country is unknown.`,
      'x-must-be': 'ISO country codes of two letters, comma-separated',
    },
  );

/** Together with `include_unresolved`. */
export const country = countries('Without `include_unresolved`, any value');
/** For operations without `include_unresolved`. */
export const countryAlone = countries('Any value');

/** One venue, by its name. */
export const venueName = (description: string) => mustBe('the name of a venue', words(description));

export const venue = list(
  { minLength: 1, maxLength: 100 },
  {
    description:
      'Venue names, comma-separated, case-insensitive, in any of the `spellings` that `GET /v1/racing/venues` lists.',
    'x-must-be': 'one or more venue names, comma-separated',
  },
);

export const Bookmaker = named(
  'Bookmaker',
  oneOf(CUSTOMER_BOOKMAKER_KEYS, {
    description: 'Key of a bookmaker. Responses may contain keys that are added later.',
  }),
);

/** Which keys are valid depends on the audience: `unknownBookmakers` checks them. */
export const bookmakers = list(
  { minLength: 1, maxLength: 40, 'x-fold': 'lower', 'x-shown-as': Bookmaker },
  {
    description:
      'Only these bookmakers, comma-separated; keys of retired and of some foreign bookmakers are accepted. Default: all.',
    'x-must-be': 'bookmaker keys, comma-separated',
  },
);

export const includeUnresolved = Type.Boolean({
  default: false,
  description: 'Whether to include races whose `country` is not known yet; also beside `country`.',
});

export const hoursAhead = (usual: number) =>
  Type.Integer({
    default: usual,
    minimum: 1,
    description:
      `How many hours ahead to look. The maximum depends on your plan, ${MAX_HORIZON_HOURS} at most, and is returned as ` +
      '`X-Horizon-Hours`; a request beyond it is a 403.',
  });

export const forwardDate = Type.Optional(
  Type.String({
    format: 'date',
    description:
      'One meeting day (Australia/Sydney), today or later; the same maximum applies to the end of the day. Foreign races of the day ' +
      'may start after it: they are included up to `X-Horizon-Hours` ahead. Cannot be combined with an `hours_ahead` other than its ' +
      'default.',
  }),
);

export const numRaces = (usual: number, maximum: number) =>
  Type.Integer({
    default: usual,
    minimum: 1,
    maximum,
    description: 'Maximum number of races to return, next to jump first.',
  });

export const limit = (usual: number, maximum: number) =>
  Type.Integer({ default: usual, minimum: 1, maximum, description: 'Maximum number of rows per page.' });

export const offset = Type.Integer({
  default: 0,
  minimum: 0,
  maximum: 1_000_000,
  description: 'Number of rows to skip.',
});
