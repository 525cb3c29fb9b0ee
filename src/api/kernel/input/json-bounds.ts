// Limits the work that a JSON body can cause before it is parsed: its depth, its number of values and the members of
// one object, counted in one pass over the bytes. The limits come from the body's schema, with room for what a normal
// client may send in error, so that it still gets the precise problem. Never recurses, and never refuses a body that
// the schema accepts.
import type { TSchema } from '@sinclair/typebox';

export interface JsonBounds {
  /** The nesting of lists and objects. */
  readonly depth: number;
  readonly values: number;
  /** Per object. */
  readonly members: number;
  /**
   * A limit on the items of one kind in the whole body: objects at this depth, with a name for the sentence. Null: no
   * limit.
   */
  readonly most: { readonly depth: number; readonly items: number; readonly name: string } | null;
}

type Largest = Pick<JsonBounds, 'depth' | 'values' | 'members'>;

const MORE_DEPTH = 8;
const MORE_MEMBERS = 32;
const moreValues = (values: number): number => Math.ceil(values * 1.25) + 100;

/**
 * Throws if the schema has no limit: a list without `maxItems`, an object without fixed members, a value of any type.
 */
export function boundsOf(schema: TSchema): JsonBounds {
  const { depth, values, members } = largest(schema);
  return {
    depth: depth + MORE_DEPTH,
    values: moreValues(values),
    members: members + MORE_MEMBERS,
    most: mostOf(schema, 0, 'items'),
  };
}

/** By `x-most-in-body` of a list of objects, anywhere in the schema. */
function mostOf(schema: TSchema, outside: number, name: string): JsonBounds['most'] {
  const depth = outside + 1;
  if (isOf(schema, 'array')) {
    const items: unknown = schema['x-most-in-body'];
    return typeof items === 'number' ? { depth: depth + 1, items, name } : mostOf(schema.items, depth, name);
  }
  const members = Object.entries<TSchema>(schema.properties ?? {});
  return members.map(([member, inner]) => mostOf(inner, depth, member)).find((found) => found !== null) ?? null;
}

/** The size of the largest body that the schema accepts. */
function largest(schema: TSchema): Largest {
  if (Array.isArray(schema.anyOf)) return widest(schema.anyOf.map(largest));
  if (isOf(schema, 'array')) return listOf(schema);
  if (!isOf(schema, 'object')) return single(schema);
  const inner = Object.values<TSchema>(schema.properties ?? {}).map(largest);
  if (inner.length === 0) throw new Error('an object of a body needs fixed members');
  const { depth, members } = widest(inner);
  const values = inner.reduce((sum, member) => sum + member.values, 1);
  return { depth: depth + 1, values, members: Math.max(members, inner.length) };
}

function single({ type, const: constant, enum: choice }: TSchema): Largest {
  if (type === undefined && constant === undefined && choice === undefined)
    throw new Error('a value of a body needs a type');
  return { depth: 0, values: 1, members: 0 };
}

function listOf({ items, maxItems }: TSchema): Largest {
  if (typeof maxItems !== 'number') throw new Error('a list of a body needs maxItems');
  const { depth, values, members } = largest(items);
  return { depth: depth + 1, values: 1 + maxItems * values, members };
}

const isOf = ({ type }: TSchema, kind: string): boolean => [type].flat().includes(kind);

const widest = (all: readonly Largest[]): Largest => ({
  depth: Math.max(...all.map((one) => one.depth)),
  values: Math.max(...all.map((one) => one.values)),
  members: Math.max(...all.map((one) => one.members)),
});

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

export interface Measured {
  /** The excess of the body, as a sentence; null if it is within the limits. */
  readonly excess: string | null;
  /** The excess is the whole body's: it is too large, not malformed. */
  readonly tooLarge?: true;
  /** Counted up to the excess. */
  readonly values: number;
}

/** One pass over the bytes. Does not check whether they are valid JSON. */
export function measure(bytes: Uint8Array, bounds: JsonBounds): Measured {
  /** The members so far of each open object. Lists start so low that they never reach the limit. */
  const members = new Int32Array(bounds.depth + 1).fill(-bytes.length);
  let depth = 0;
  let values = 1;
  let counted = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) i = endOfText(bytes, i + 1);
    else if (byte === LIST || byte === OBJECT) {
      if (++depth > bounds.depth)
        return { excess: `The body has more than ${bounds.depth} levels of lists and objects.`, values };
      members[depth] = byte === OBJECT ? 1 : -bytes.length;
      if (byte === OBJECT && depth === bounds.most?.depth && ++counted > bounds.most.items)
        return { excess: `The body has more than ${bounds.most.items} ${bounds.most.name}.`, values, tooLarge: true };
      values++;
    } else if (byte === LIST_END || byte === OBJECT_END) depth = Math.max(0, depth - 1);
    else if (byte === COMMA) {
      values++;
      if (++members[depth]! > bounds.members)
        return { excess: `An object in the body has more than ${bounds.members} members.`, values };
    }
    if (values > bounds.values) return { excess: `The body has more than ${bounds.values} values.`, values };
  }
  return { excess: null, values };
}

function endOfText(bytes: Uint8Array, start: number): number {
  let i = start;
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
  return i;
}
