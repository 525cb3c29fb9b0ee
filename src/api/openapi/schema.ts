// Converts our schemas to OpenAPI: named ones become components, and our own `x-` keywords are left out.
import { isDeepStrictEqual } from 'node:util';
import { OptionalKind, type TProperties, type TSchema } from '@sinclair/typebox';
import { COMPONENT } from '../wire/vocabulary';

export type Schema = Readonly<Record<string, unknown>>;

export function componentsOf(): { schemas: Record<string, Schema> } {
  return { schemas: {} };
}

/** By the components of a document: the named schemas in it, some of which appear in a thousand places. */
const copied = new WeakMap<Record<string, Schema>, WeakSet<object>>();

/** A copy for the document. Every named schema inside is added to `schemas` and replaced by a reference. */
export function wire(schema: TSchema, schemas: Record<string, Schema>): Schema {
  return copy(schema, schemas) as Schema;
}

function copy(value: unknown, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  if ('x-shown-as' in value) return copy(value['x-shown-as'], schemas);
  const name = (value as Record<symbol, string>)[COMPONENT];
  if (name === undefined) return members(value, schemas);
  const known = copied.get(schemas) ?? new WeakSet();
  copied.set(schemas, known);
  if (!known.has(value)) addComponent(name, members(value, schemas), schemas);
  known.add(value);
  return { $ref: `#/components/schemas/${name}` };
}

function addComponent(name: string, schema: Schema, schemas: Record<string, Schema>): void {
  if (schemas[name] && !isDeepStrictEqual(schemas[name], schema)) throw new Error(`two schemas are named ${name}`);
  schemas[name] = schema;
}

function members(value: object, schemas: Record<string, Schema>): Schema {
  const own = Object.entries(value).filter(([key]) => !key.startsWith('x-'));
  return portable(Object.fromEntries(own.map(([key, member]) => [key, copy(member, schemas)])));
}

/**
 * The same schema in the form that client generators support best: a map as `additionalProperties`, a nullable enum as
 * `anyOf`.
 */
function portable({ patternProperties, ...schema }: Schema): Schema {
  const [everyName, ...others] = Object.values(patternProperties ?? {});
  if (everyName !== undefined && others.length === 0) return { ...schema, additionalProperties: everyName };
  const { type, enum: values, description, ...more } = schema;
  if (!Array.isArray(type) || !Array.isArray(values)) return schema;
  const choice = { ...more, type: type[0], enum: values.filter((one) => one !== null) };
  return { ...(description !== undefined && { description }), anyOf: [choice, { type: 'null' }] };
}

/** A call does not need a value for it. */
export const isOptional = (parameter: TSchema): boolean => OptionalKind in parameter || parameter.default !== undefined;

export function parametersOf(
  properties: TProperties,
  place: 'query' | 'path',
  schemas: Record<string, Schema>,
): Schema[] {
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = { ...wire(property, schemas), ...ofItself(property) };
    return {
      name,
      in: place,
      required: place === 'path' || !isOptional(property),
      ...(description !== undefined && { description }),
      // One comma-joined value (D1), never a repeated parameter.
      ...(schema.type === 'array' && { style: 'form', explode: false }),
      schema,
    };
  });
}

/** What applies to the parameter, and not to the component that its values may be. */
const ofItself = ({ description, default: usual }: TSchema): Schema => ({
  ...(description !== undefined && { description }),
  ...(usual !== undefined && { default: usual }),
});
