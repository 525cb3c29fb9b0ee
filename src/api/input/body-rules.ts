// Rules that no schema can say, of the items of a body's lists. Every item that passed its schema is judged by them, so that one refusal tells
// all that is wrong with the body (A 7), whichever item it is wrong with.
import type { InputProblem } from '../../errors';
import type { Audience } from '../visibility';

export interface BodyContext {
  readonly audience: Audience;
}

/** By member of the body: the rules of one item of that list. A problem's `parameter` is the member of the item. */
export type BodyRules<Body> = {
  readonly [M in keyof Body]?: Body[M] extends readonly (infer Item)[]
    ? (item: Item, context: BodyContext) => readonly InputProblem[]
    : never;
};

type ItemRules = (item: unknown, context: BodyContext) => readonly InputProblem[];

/** `problems`: what the schema found, by JSON pointer; an item that it points into is not looked at. */
export function brokenBodyRules(
  rules: BodyRules<unknown>,
  body: unknown,
  problems: readonly InputProblem[],
  context: BodyContext,
): InputProblem[] {
  const unsound = new Set(problems.map(({ pointer = '' }) => pointer.split('/').slice(0, 3).join('/')));
  return Object.entries<ItemRules>(rules).flatMap(([list, ofItem]) =>
    itemsOf(body, list).flatMap((item, i) => {
      const place = `/${list}/${i}`;
      if (unsound.has(place)) return [];
      return ofItem(item, context).map(({ parameter, ...problem }) => ({
        ...problem,
        pointer: `${place}/${parameter}`,
      }));
    }),
  );
}

function itemsOf(body: unknown, list: string): readonly unknown[] {
  const items: unknown = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[list] : null;
  return Array.isArray(items) ? items : [];
}
