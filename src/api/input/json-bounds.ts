// Bounds the work that a JSON body can cause before it is parsed: its depth, its number of values and the members of one object, counted
// in one pass over the bytes. The bounds come from the body's schema, with room for what a normal client may send in error, so that it
// still gets the precise problem. Never recurses, and never refuses a body that the schema accepts.
import type { TSchema } from '@sinclair/typebox';

export interface JsonBounds {
  /** Lists and objects inside each other. */
  readonly depth: number;
  readonly values: number;
  /** Of one object. */
  readonly members: number;
}

const MORE_DEPTH = 8;
const MORE_MEMBERS = 32;
const moreValues = (values: number): number => Math.ceil(values * 1.25) + 100;

/** Throws if the schema has no bound: a list without `maxItems`, an object without fixed members, a value of any type. */
export function boundsOf(schema: TSchema): JsonBounds {
  const { depth, values, members } = largest(schema);
  return { depth: depth + MORE_DEPTH, values: moreValues(values), members: members + MORE_MEMBERS };
}

/** The size of the largest body that the schema accepts. */
function largest(schema: TSchema): JsonBounds {
  if (Array.isArray(schema.anyOf)) return widest(schema.anyOf.map(largest));
  if (isOf(schema, 'array')) return listOf(schema);
  if (!isOf(schema, 'object')) return single(schema);
  const inner = Object.values<TSchema>(schema.properties ?? {}).map(largest);
  if (inner.length === 0) throw new Error('an object of a body needs fixed members');
  const { depth, members } = widest(inner);
  const values = inner.reduce((sum, member) => sum + member.values, 1);
  return { depth: depth + 1, values, members: Math.max(members, inner.length) };
}

function single({ type, const: constant, enum: choice }: TSchema): JsonBounds {
  if (type === undefined && constant === undefined && choice === undefined)
    throw new Error('a value of a body needs a type');
  return { depth: 0, values: 1, members: 0 };
}

function listOf({ items, maxItems }: TSchema): JsonBounds {
  if (typeof maxItems !== 'number') throw new Error('a list of a body needs maxItems');
  const { depth, values, members } = largest(items);
  return { depth: depth + 1, values: 1 + maxItems * values, members };
}

const isOf = ({ type }: TSchema, kind: string): boolean => [type].flat().includes(kind);

const widest = (all: readonly JsonBounds[]): JsonBounds => ({
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

/** What the body has too much of, as a sentence; null if it keeps to the bounds. Says nothing about whether it is valid JSON. */
export function excessOf(bytes: Uint8Array, bounds: JsonBounds): string | null {
  /** The members so far of each open object. Lists start so low that they never reach the bound. */
  const members = new Int32Array(bounds.depth + 1).fill(-bytes.length);
  let depth = 0;
  let values = 1;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) i = endOfText(bytes, i + 1);
    else if (byte === LIST || byte === OBJECT) {
      if (++depth > bounds.depth) return `The body has more than ${bounds.depth} levels of lists and objects.`;
      members[depth] = byte === OBJECT ? 1 : -bytes.length;
      values++;
    } else if (byte === LIST_END || byte === OBJECT_END) depth = Math.max(0, depth - 1);
    else if (byte === COMMA) {
      values++;
      if (++members[depth]! > bounds.members) return `An object in the body has more than ${bounds.members} members.`;
    }
    if (values > bounds.values) return `The body has more than ${bounds.values} values.`;
  }
  return null;
}

function endOfText(bytes: Uint8Array, start: number): number {
  let i = start;
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
  return i;
}
