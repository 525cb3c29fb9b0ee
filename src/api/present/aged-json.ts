// JSON whose ages change every second while the rest stands: written once with holes, then filled. A hole is a member that stands
// for several; its name cannot occur inside a string value, where quotes are escaped.

const HOLE = '@hole';
const HOLES = new RegExp(`"${HOLE}":(\\d+)`, 'g');

/** Stands for members that `fill` puts in: spread it where they belong. */
export function hole<T>(number: number): T {
  return { [HOLE]: number } as T;
}

export interface AgedJson {
  /** Text, hole number, text, hole number, …, text. */
  readonly pieces: readonly string[];
}

export function agedJson(value: unknown): AgedJson {
  return { pieces: JSON.stringify(value).split(HOLES) };
}

/** `members[n]` is JSON members without braces, for hole `n`; at least one. */
export function fill({ pieces }: AgedJson, members: readonly string[]): string {
  let json = pieces[0]!;
  for (let i = 1; i < pieces.length; i += 2) json += members[Number(pieces[i])]! + pieces[i + 1]!;
  return json;
}

/** An object's members, as `fill` takes them. */
export function membersOf(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
