// The paths of the second reader's tables: `/` begins at the bodies, otherwise at the row; `.` enters a member, for a
// list that of each item; `[0]` and `[-1]` select the first or last value found, `[key=A|B]` those with one of these
// values, `[key!=A]` those with none of them, `[id=$name]` those with a value of the variable. A path returns every
// value that it finds, never null.

type Row = Readonly<Record<string, unknown>>;

/** Where a path may begin, and the variables that it may name. */
export interface JsonPlace {
  /** Every body of the reply, parsed. */
  readonly bodies: readonly unknown[];
  readonly row: unknown;
  readonly variables: ReadonlyMap<string, readonly unknown[]>;
}

const STEP = /([^.[\]]+|^)((?:\[[^\]]*\])*)\.?/g;
const FILTER = /\[([^\]]*)\]/g;
const INDEX = /^-?\d+$/;
const WANTED = /^([^!=]+)(!?=)(.*)$/;

export function valuesAt(path: string, place: JsonPlace): readonly unknown[] {
  const fromBodies = path.startsWith('/');
  let found: readonly unknown[] = fromBodies ? place.bodies : [place.row];
  for (const [, key, filters] of path.slice(fromBodies ? 1 : 0).matchAll(STEP)) {
    if (key) found = found.flatMap((one) => member(one, key));
    for (const [, filter] of filters!.matchAll(FILTER)) found = kept(found, filter!, place);
  }
  return found;
}

export const isAnyAt = (path: string, place: JsonPlace): boolean => valuesAt(path, place).length > 0;

function member(value: unknown, key: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key)) return [];
  const found = (value as Row)[key];
  if (Array.isArray(found)) return found;
  return found === null || found === undefined ? [] : [found];
}

function kept(found: readonly unknown[], filter: string, place: JsonPlace): readonly unknown[] {
  if (INDEX.test(filter)) return found.slice(...sliceOf(Number(filter)));
  const [, key, sign, text] = WANTED.exec(filter)!;
  const wanted = text!.startsWith('$') ? (place.variables.get(text!.slice(1)) ?? []).map(String) : text!.split('|');
  return found.filter((row) => {
    const values = valuesAt(key!, { ...place, row }).map(String);
    const hasOne = values.some((one) => wanted.includes(one));
    return sign === '=' ? hasOne : !hasOne;
  });
}

const sliceOf = (at: number): [number, number?] => (at === -1 ? [-1] : [at, at + 1]);
