// Shortens an answer to what a model can take in. Only whole items at the end of a list are left out: a value is never
// altered, and each list that was cut is named.

/** A list from whose end items were left out. */
export interface Cut {
  /** The members that lead to it; a number is the place in a list. Empty: the whole answer is the list. */
  readonly path: readonly (string | number)[];
  readonly kept: number;
  readonly of: number;
}

interface Fitted {
  /** JSON. */
  readonly text: string;
  /** From the outermost list inwards; empty: the answer is whole. */
  readonly cuts: readonly Cut[];
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

interface List extends Pick<Cut, 'path'> {
  readonly items: readonly Json[];
  /** Of each item with its comma. */
  readonly sizes: readonly number[];
}

const bytesOf = (value: Json): number => Buffer.byteLength(JSON.stringify(value));

/**
 * `text`: JSON. At most `most` bytes, unless what is outside of all lists, and the first item of each, is longer than
 * that. A list keeps at least its first item; only then what is inside of this item is shortened.
 */
export function fitted(text: string, most: number): Fitted {
  if (Buffer.byteLength(text) <= most) return { text, cuts: [] };
  let body = JSON.parse(text) as Json;
  let size = bytesOf(body);
  const cuts: Cut[] = [];
  while (size > most) {
    const largest = outermostLists(body, []).sort((a, b) => sum(b.sizes) - sum(a.sizes))[0];
    if (!largest) break;
    const { path, items, sizes } = largest;
    let kept = items.length;
    while (kept > 1 && size > most) {
      kept -= 1;
      size -= sizes[kept]!;
    }
    body = replaced(body, path, items.slice(0, kept));
    cuts.push({ path, kept, of: items.length });
  }
  return { text: JSON.stringify(body), cuts };
}

/** Lists of two items or more that are in no other such list. */
function outermostLists(value: Json, path: Cut['path']): List[] {
  if (isList(value) && value.length > 1) return [{ path, items: value, sizes: value.map((item) => bytesOf(item) + 1) }];
  if (typeof value !== 'object' || value === null) return [];
  const inside: readonly (readonly [string | number, Json])[] = isList(value)
    ? value.map((item, i) => [i, item] as const)
    : Object.entries(value);
  return inside.flatMap(([name, member]) => outermostLists(member, [...path, name]));
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const sum = (sizes: readonly number[]): number => sizes.reduce((all, one) => all + one, 0);

function replaced(value: Json, [name, ...rest]: Cut['path'], list: readonly Json[]): Json {
  if (name === undefined) return list;
  if (isList(value)) return value.map((item, i) => (i === name ? replaced(item, rest, list) : item));
  const members = Object.entries(value as Readonly<Record<string, Json>>);
  return Object.fromEntries(members.map(([own, item]) => [own, own === name ? replaced(item, rest, list) : item]));
}
