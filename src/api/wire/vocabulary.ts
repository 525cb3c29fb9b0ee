// Building blocks of all schemas. A schema is the type, the validation and the public documentation at once.
import { type Static, type TSchema, type TUnsafe, Type } from '@sinclair/typebox';
import { AUDITED_SPORTS } from '../../domain/quality/audit';
import { CATEGORIES } from '../../domain/race/race';
import { AGED } from '../kernel/http/tag';

/** Name of a schema in `components/schemas` of the OpenAPI document. */
export const COMPONENT = Symbol('component');

/** Gives a schema a name in the OpenAPI document. */
export function named<T extends TSchema>(name: string, schema: T): T {
  return { ...schema, [COMPONENT]: name };
}

/** The value, or null if it is unknown (D3). */
export function nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  if (COMPONENT in schema || schema.type === undefined) {
    const { description } = schema;
    return Type.Unsafe({ ...(description && { description }), anyOf: [schema, { type: 'null' }] });
  }
  const values = schema.enum as unknown[] | undefined;
  return Type.Unsafe({ ...schema, type: [schema.type, 'null'], ...(values && { enum: [...values, null] }) });
}

/** Marks an age or the time of a read: it changes as time passes, so the ETag leaves it out (D32). */
export function aged<T extends TSchema>(schema: T): T {
  return { ...schema, [AGED]: true };
}

/** One of these strings. */
export function oneOf<const T extends readonly string[]>(
  values: T,
  more: Readonly<Record<string, unknown>> = {},
): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: values, ...more });
}

export const text = (description?: string) => Type.String({ ...(description && { description }) });
/**
 * A text of a request that names something. Not blank, and without control and format characters, which are invisible:
 * two names that look the same would differ. The document states only the lengths: not every client knows the classes
 * of Unicode in a pattern.
 */
export const words = (description: string, maxLength = 100) =>
  Type.String({ minLength: 1, maxLength, 'x-words': true, description });
/** The same, of a venue: without a letter or digit, two venues would have one `venue_id`. */
export const venueWords = (description: string) => ({ ...words(description), 'x-venue': true });
/** What a refusal calls a valid value: `<parameter> must be <what>`. */
export const mustBe = <T extends TSchema>(what: string, schema: T): T => ({ ...schema, 'x-must-be': what });
/** A country in a body, where nothing folds its case. */
export const countryCode = (description = 'ISO 3166 code.') =>
  mustBe(
    'an ISO country code of two capital letters, such as AU',
    Type.String({ pattern: '^[A-Z]{2}$', description, examples: ['AU'] }),
  );
export const whole = (description?: string) => Type.Integer({ ...(description && { description }) });
export const count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) });
export const yes = (description?: string) => Type.Boolean({ ...(description && { description }) });
export const amount = (description?: string) => Type.Number({ ...(description && { description }) });
export const price = (description = 'Decimal odds.') => Type.Number({ exclusiveMinimum: 1, description });
export const age = (description: string) => aged(Type.Integer({ minimum: 0, description }));
export const link = (description: string) => Type.String({ format: 'uri', description });
export const day = (description: string) => Type.String({ format: 'date', description });

/** An instant in a response: UTC, ISO 8601 with `Z` (D2). */
export const instant = (description?: string) =>
  Type.String({ format: 'date-time', 'x-instant': 'served', ...(description && { description }) });

/** An instant in a request: RFC 3339 with any offset (D2). Handlers get it in UTC with milliseconds. */
export const readableInstant = (description: string) =>
  Type.String({
    format: 'date-time',
    'x-instant': 'read',
    description: `${description} RFC 3339 with a UTC offset, such as \`2026-11-21T16:20:00+11:00\`; digits beyond milliseconds are ignored.`,
  });

export const Category = named(
  'Category',
  oneOf(CATEGORIES, { description: 'Thoroughbred (`horse`), `harness` or `greyhound`.' }),
);
export const AuditedSportKey = named(
  'RacingSport',
  oneOf(AUDITED_SPORTS, { description: 'Races of one code, or `sports`: the matches of all sports.' }),
);

export const Tier = named(
  'RefreshTier',
  oneOf(['live', 'card'], {
    description: '`live` within three hours of the jump, `card` before that; some books have their own limit.',
  }),
);
export const DIRECTIONS = ['firming', 'drifting'] as const;
export const Direction = named(
  'Direction',
  oneOf(DIRECTIONS, { description: '`firming`: the price shortened; `drifting`: it lengthened.' }),
);
export const BookmakerKey = Type.String({ description: 'Bookmaker key.', examples: ['ladbrokes_au'] });
