// Schemas of the OpenAPI document as words.

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

/** The members of an object and of the objects in it, as nested lists. */
export function membersText(given: Json, components: Json, indent = ''): string {
  const schema = resolved(given, components);
  const inner = schema.items ?? schema.anyOf?.find((one: Json) => one.type !== 'null') ?? null;
  if (!schema.properties) return inner ? membersText(inner, components, indent) : '';
  const required: readonly string[] = schema.required ?? [];
  return Object.entries<Json>(schema.properties)
    .map(([name, member]) => {
      const need = required.includes(name) ? 'required' : 'optional';
      const { description = '' } = { ...resolved(member, components), ...member };
      const own = membersText(member, components, `${indent}  `);
      return `${indent}- \`${name}\` (${need}; ${schemaText(member, components)})${description && `: ${description}`}${own && `\n${own}`}`;
    })
    .join('\n');
}
