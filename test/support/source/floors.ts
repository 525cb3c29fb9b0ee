// Reads the floors of docs/architecture.md and their exceptions, for the test that compares the source with them. Text
// that it cannot read is an error, so that no rule is skipped unnoticed.

/** One place, or all places of a floor. A place is a folder or file below `src`, without extension. */
export interface Named {
  readonly name: string;
  readonly places: readonly string[];
  readonly typeOnly: boolean;
}

/** "`from` imports only `to`", "Only `from` import the code of `to`" or "No chain of imports leads from … to …". */
export interface Rule {
  readonly from: readonly Named[];
  readonly to: readonly Named[];
}

interface Floors {
  /** Place → its floor. */
  readonly floorOf: ReadonlyMap<string, number>;
  readonly importsOnly: readonly Rule[];
  readonly importedOnlyBy: readonly Rule[];
  readonly unreachable: readonly Rule[];
}

const IMPORTS_ONLY = /^- (`.+?) imports? only (.+?): .+/;
const IMPORTED_ONLY_BY = /^- Only (.+?) imports? the code of (.+?): .+/;
const UNREACHABLE = /^- No chain of imports leads from (.+?) to (.+?): .+/;
const FORMS = [IMPORTS_ONLY, IMPORTED_ONLY_BY, UNREACHABLE];

export function readFloors(document: string): Floors {
  const section = /\n## Floors\n([\s\S]*?)\n## /.exec(document)?.[1] ?? '';
  const lines = section.replace(/\n {2}/g, ' ').split('\n');
  const [head, line, ...rows] = lines.filter((each) => each.startsWith('|'));
  if (head !== '| floor | rooms |' || line !== '|---|---|') throw new Error('architecture.md has no table of floors');
  const floorOf = new Map(rows.flatMap(placesOfFloor));
  const rules = lines.filter((each) => each.startsWith('- '));
  const strange = rules.find((rule) => !FORMS.some((form) => form.test(rule)));
  if (strange) throw new Error(`not a rule of the floors: ${strange}`);
  const rulesOf = (form: RegExp): Rule[] =>
    rules.flatMap((rule) => {
      const [, from, to] = form.exec(rule) ?? [];
      return from && to ? [{ from: namedIn(from, floorOf), to: namedIn(to, floorOf) }] : [];
    });
  return {
    floorOf,
    importsOnly: rulesOf(IMPORTS_ONLY),
    importedOnlyBy: rulesOf(IMPORTED_ONLY_BY),
    unreachable: rulesOf(UNREACHABLE),
  };
}

/** A row: the number of the floor, then each place with a phrase, separated by semicolons. */
function placesOfFloor(row: string): [string, number][] {
  const [, floor, rooms] = /^\| (\d) \| (.+) \|$/.exec(row) ?? [];
  if (!floor || !rooms) throw new Error(`not a row of the table of floors: ${row}`);
  return rooms.split('; ').map((room) => {
    const [, place] = /^`([\w/-]+)` [^`]+$/.exec(room) ?? [];
    if (!place) throw new Error(`floor ${floor} has a room that cannot be read: ${room}`);
    return [place, Number(floor)];
  });
}

function namedIn(text: string, floorOf: ReadonlyMap<string, number>): Named[] {
  return text.split(/, | and | or /).map((name) => {
    const [, types, place, floor] = /^(types of )?(?:`([\w*/-]+)`|floor (\d))$/.exec(name) ?? [];
    const ofFloor = [...floorOf].filter(([, number]) => number === Number(floor)).map(([each]) => each);
    const places = place ? [place] : ofFloor;
    if (places.length === 0) throw new Error(`a rule of the floors names what cannot be read: ${name}`);
    return { name, places, typeOnly: types !== undefined };
  });
}

/** The text after "Inside `api`:", from the lowest: the folders of each floor. */
export function floorsInsideApi(document: string): ReadonlyMap<string, number> {
  const order = /\nInside `api`: (.+?)\./.exec(document.replaceAll('\n  ', ' '))?.[1] ?? '';
  const floors = order.split(' < ').map((floor) => [...floor.matchAll(/`([\w-]+)`/g)].map(([, name]) => `api/${name}`));
  return new Map(floors.flatMap((places, floor) => places.map((place): [string, number] => [place, floor])));
}

/** Whether a path (without extension) is the place or lies below it. `*` stands for one or more folders. */
export function liesIn(path: string, place: string): boolean {
  if (place.includes('*')) return new RegExp(`^${place.replaceAll('*', '.+')}(/|$)`).test(path);
  return path === place || path.startsWith(`${place}/`);
}

/** The narrowest of the places that contain a path. */
export function placeIn(floorOf: ReadonlyMap<string, number>, path: string): string | undefined {
  return [...floorOf.keys()].filter((place) => liesIn(path, place)).sort((a, b) => b.length - a.length)[0];
}
