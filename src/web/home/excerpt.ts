// A JSON value as lines, shortened by a pattern: what is shown is a part of the value, in its order, and each place
// where something is left out has a mark with how much. Pure.

/** What is shown of a value. `inline`: in one line. */
export type Part =
  | 'whole'
  | { readonly first: number; readonly each: Part }
  | { readonly members: Readonly<Record<string, Part>>; readonly inline?: true };

export function excerpt(value: unknown, part: Part): readonly string[] {
  if (part === 'whole' || value === null || typeof value !== 'object') return [JSON.stringify(value)];
  if ('first' in part) return Array.isArray(value) ? listed(value, part.first, part.each) : excerpt(value, 'whole');
  return Array.isArray(value) ? excerpt(value, 'whole') : membersOf(value, part.members, part.inline === true);
}

function listed(values: readonly unknown[], first: number, each: Part): readonly string[] {
  const items = values.slice(0, first).map((value) => excerpt(value, each));
  return bracketed(['[', ']'], items, values.length - items.length, '');
}

function membersOf(value: object, shown: Readonly<Record<string, Part>>, inline: boolean): readonly string[] {
  const all = Object.entries(value);
  const items = all
    .filter(([name]) => Object.hasOwn(shown, name))
    .map(([name, of]) => named(name, excerpt(of, shown[name]!)));
  const left = all.length - items.length;
  if (all.length === 0) return ['{}'];
  if (!inline) return bracketed(['{', '}'], items, left, left === 1 ? ' member' : ' members');
  return [`{ ${[...items.map((lines) => lines.join(' ')), ...(left > 0 ? ['…'] : [])].join(', ')} }`];
}

const named = (name: string, [first, ...others]: readonly string[]): readonly string[] => [
  `${JSON.stringify(name)}: ${first}`,
  ...others,
];

function bracketed(
  [open, close]: readonly [string, string],
  items: readonly (readonly string[])[],
  left: number,
  kind: string,
): readonly string[] {
  if (items.length === 0 && left === 0) return [open + close];
  const mark = left > 0 ? [`… ${left} more${kind}`] : [];
  const lines = items.flatMap((item, i) =>
    i < items.length - 1 || left > 0 ? [...item.slice(0, -1), `${item.at(-1)},`] : item,
  );
  return [open, ...[...lines, ...mark].map((line) => `  ${line}`), close];
}
