// Rules for the items of a body's lists that a schema cannot express. They check every member that passed its schema,
// so that one response lists every error of the body (A 7).
import type { InputProblem } from '../../../errors';
import type { Audience } from './visibility';

export interface BodyContext {
  readonly audience: Audience;
  /** Members of the item that were sent and are not null, valid or not. */
  readonly given: ReadonlySet<string>;
}

/**
 * By list of the body: the rules for one item, given its valid members. A problem's `parameter` is the member of the
 * item.
 */
export type BodyRules<Body> = {
  readonly [M in keyof Body]?: Body[M] extends readonly (infer Item)[]
    ? (item: Partial<Item>, context: BodyContext) => readonly InputProblem[]
    : never;
};

type Item = Readonly<Record<string, unknown>>;
type ItemRules = (item: Item, context: BodyContext) => readonly InputProblem[];

/** `problems`: what the schema found, by JSON pointer. */
export function brokenBodyRules(
  rules: BodyRules<unknown>,
  body: unknown,
  problems: readonly InputProblem[],
  audience: Audience,
): InputProblem[] {
  const invalid = new Set(problems.map(({ pointer = '' }) => pointer.split('/').slice(0, 4).join('/')));
  return Object.entries<ItemRules>(rules).flatMap(([list, ofItem]) =>
    itemsOf(body, list).flatMap((item, i) => {
      if (!isObject(item)) return [];
      const place = `/${list}/${i}`;
      const valid = Object.fromEntries(Object.entries(item).filter(([member]) => !invalid.has(`${place}/${member}`)));
      return ofItem(valid, { audience, given: given(item) }).map(({ parameter, ...problem }) => ({
        ...problem,
        pointer: `${place}/${parameter}`,
      }));
    }),
  );
}

/** A member that is null counts as absent. */
const given = (item: Item): ReadonlySet<string> => new Set(Object.keys(item).filter((member) => item[member] !== null));

function itemsOf(body: unknown, list: string): readonly unknown[] {
  const items = isObject(body) ? body[list] : null;
  return Array.isArray(items) ? items : [];
}

const isObject = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
