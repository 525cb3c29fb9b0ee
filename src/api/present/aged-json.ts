// JSON whose ages change every second while the rest stands: written once with holes, then filled. A hole is a member that stands
// for several; its name cannot occur inside a string value, where quotes are escaped.

const HOLE = '@hole';
const HOLES = new RegExp(`"${HOLE}":(\\d+)`, 'g');

/** Stands for members that `fill` puts in: spread it where they belong. */
export function hole<T>(number: number): T {
  return { [HOLE]: number } as T;
}

/** Text, and the number of the hole after each piece but the last. */
export interface AgedJson {
  readonly pieces: readonly string[];
  readonly holes: readonly number[];
}

export function agedJson(value: unknown): AgedJson {
  const split = JSON.stringify(value).split(HOLES);
  return {
    pieces: split.filter((_, i) => i % 2 === 0),
    holes: split.filter((_, i) => i % 2 === 1).map(Number),
  };
}

/** `members[n]` is JSON members without braces, for hole `n`; at least one. */
export function fill({ pieces, holes }: AgedJson, members: readonly string[]): string {
  let json = pieces[0]!;
  for (let i = 0; i < holes.length; i++) json += members[holes[i]!]! + pieces[i + 1]!;
  return json;
}

/** An object's members, as `fill` takes them. */
export function membersOf(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
