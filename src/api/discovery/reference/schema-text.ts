// Schemas of the OpenAPI document as words.
import type { Member } from '../../../web/reference/model';

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes.
type Json = any;

function resolved(schema: Json, components: Json): Json {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : resolved(components.schemas[name], components);
}

/** `integer, 1 to 200, default 10`. */
export function schemaText(given: Json, components: Json): string {
  const schema = resolved(given, components);
  const usual = given.default ?? schema.default;
  const text = typeText(schema, components);
  return usual === undefined ? text : `${text}, default \`${usual}\``;
}

function typeText(schema: Json, components: Json): string {
  const { anyOf, enum: values, const: only, type, items, format, maxItems, maxLength } = schema;
  if (anyOf) return anyOf.map((one: Json) => schemaText(one, components)).join(' or ');
  if (values) return `one of ${values.map((one: unknown) => `\`${one}\``).join(', ')}`;
  if (only !== undefined) return `\`${only}\``;
  if (type === 'array') return `list of ${schemaText(items, components)}${mostText(maxItems, 'entries')}`;
  const name = [type].flat().join(' or ') || 'any value';
  return `${name}${format ? ` (${format})` : ''}${rangeText(schema)}${mostText(maxLength, 'characters')}`;
}

const mostText = (most: number | undefined, of: string): string =>
  most === undefined ? '' : `, at most ${most} ${of}`;

function rangeText({ minimum: least, maximum: most, exclusiveMinimum: above, exclusiveMaximum: below }: Json): string {
  if (least !== undefined && most !== undefined) return `, ${least} to ${most}`;
  const bounds = { 'at least': least, 'at most': most, above, below };
  const given = Object.entries(bounds).filter(([, bound]) => bound !== undefined);
  return given.map(([name, bound]) => `, ${name} ${bound}`).join('');
}

/** The members of an object, each followed by those of the objects in it, one level deeper. */
export function membersIn(given: Json, components: Json, depth = 0): Member[] {
  const schema = resolved(given, components);
  const inner = schema.items ?? schema.anyOf?.find((one: Json) => one.type !== 'null') ?? null;
  if (!schema.properties) return inner ? membersIn(inner, components, depth) : [];
  const required: readonly string[] = schema.required ?? [];
  return Object.entries<Json>(schema.properties).flatMap(([name, member]) => {
    const { description = '' } = { ...resolved(member, components), ...member };
    const own = { name, depth, isRequired: required.includes(name), type: schemaText(member, components), description };
    return [{ ...own, example: null }, ...membersIn(member, components, depth + 1)];
  });
}

/** The events of a stream by name, each followed by the members of its data. */
export function eventsIn(given: Json, components: Json): Member[] {
  const { anyOf = [] } = resolved(given, components);
  return anyOf.flatMap((one: Json) => {
    const { properties, description = '' } = resolved(one, components);
    const [name] = properties.event.enum;
    const own = { name, depth: 0, isRequired: false, type: 'event', description };
    return [{ ...own, example: null }, ...membersIn(properties.data, components, 1)];
  });
}

/** The same as nested lists. */
export const membersText = (given: Json, components: Json): string =>
  membersIn(given, components)
    .map(({ name, depth, isRequired, type, description }) => {
      const need = isRequired ? 'required' : 'optional';
      return `${'  '.repeat(depth)}- \`${name}\` (${need}; ${type})${description && `: ${description}`}`;
    })
    .join('\n');

const SCHEMES: Readonly<Record<string, string>> = {
  ApiKeyAuth: 'your key in the `X-API-Key` header',
  Session: 'a console session (cookie)',
};

export const securityText = (security: readonly object[]): string =>
  security.map((scheme) => SCHEMES[Object.keys(scheme)[0]!]).join(', or ') || 'none';
