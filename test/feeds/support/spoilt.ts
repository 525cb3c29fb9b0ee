// A reply with one spoilt part: JSON at any of its nodes, a page in any of its texts and tags. The values are those
// that have broken a mapper, a column or a client: the database refuses NUL and half a surrogate pair, `String` throws
// for an object whose `toString` is not a function, `{}['constructor']` is a function, and a clock that was never set
// reports the year 1.

/** The field, or the row, is missing. */
export const GONE = Symbol('gone');

const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

export const HOSTILE: readonly unknown[] = [
  GONE,
  null,
  '',
  ' ',
  true,
  'constructor',
  '__proto__',
  0,
  -1,
  1.5,
  70_000,
  253_402_300_800,
  1e15,
  1e308,
  'NaN',
  'Infinity',
  '1e999',
  '-0',
  '9'.repeat(400),
  {},
  [],
  [null],
  deep(1000),
  { toString: 0 },
  { constructor: 1 },
  JSON.parse('{"__proto__":{"name":"x"}}'),
  '\0',
  'A\0B',
  '\ud800',
  'C\udfffD',
  'x'.repeat(10_000),
  '0000-00-00',
  '0001-01-01T00:00:00Z',
  '0000-01-01T00:00:00+14:00',
  '2001-01-01T00:00:00Z',
  '9999-12-31T23:59:59-14:00',
  '+275760-09-13T00:00:00Z',
  '2026-02-30T00:00:00Z',
];

export type Path = readonly (string | number)[];

/** Every node of the value; for similar rows only one, the second if there are two. */
export function nodesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? oneOfEachKind(value) : Object.keys(value);
  const below = keys.flatMap((key) => nodesOf((value as Record<string | number, unknown>)[key], [...path, key]));
  return [path, ...below];
}

const MOST_KINDS = 3;

function oneOfEachKind(rows: readonly unknown[]): number[] {
  const kinds = new Map<string, number[]>();
  rows.forEach((row, i) => {
    const kind = kindOf(row);
    kinds.set(kind, [...(kinds.get(kind) ?? []), i]);
  });
  return [...kinds.values()].slice(0, MOST_KINDS).map((alike) => alike[1] ?? alike[0]!);
}

/** `type`: distinguishes rows of several kinds in one list. */
function kindOf(row: unknown): string {
  if (typeof row !== 'object' || row === null) return typeof row;
  return [...Object.keys(row), (row as { type?: unknown }).type].join();
}

/** A copy with another value at the path. */
export function spoilt(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by === GONE ? null : by;
  if (Array.isArray(value)) {
    if (rest.length === 0 && by === GONE) return value.filter((_, i) => i !== key);
    return value.map((row, i) => (i === key ? spoilt(row, rest, by) : row));
  }
  const fields = Object.entries(value as object).flatMap(([name, field]) => {
    if (name !== key) return [[name, field]];
    return rest.length === 0 && by === GONE ? [] : [[name, spoilt(field, rest, by)]];
  });
  return Object.fromEntries(fields);
}

/** The document with each of its nodes spoilt by each of the values, one at a time. */
export function* everySpoilt(document: unknown): Generator<{ readonly what: string; readonly document: unknown }> {
  for (const path of nodesOf(document)) {
    for (const by of HOSTILE) yield { what: `${path.join('.')} = ${shown(by)}`, document: spoilt(document, path, by) };
  }
}

export const shown = (by: unknown): string => (typeof by === 'symbol' ? 'gone' : JSON.stringify(by).slice(0, 40));

/** The innermost row that the node is or to which it belongs; null if there is none. */
export function rowAround(path: Path): Path | null {
  const at = path.findLastIndex((key) => typeof key === 'number');
  return at < 0 ? null : path.slice(0, at + 1);
}

/** At most three rows of each array. */
export function thinned(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 3).map(thinned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, thinned(field)]));
}

const HOSTILE_MARKUP: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '1e308',
  '70000',
  '9'.repeat(400),
  'x'.repeat(10_000),
  '\0',
  'A\0B',
  '-',
  'N/A',
  '$1e9F',
  '&nbsp;',
  '&#0;',
  '&#xD800;',
  '&#x110000;',
  '&bogus;',
  '&amp;#0;',
  'Race 1 - ',
  'Race 1 - 1:10PM (1200 METRES)',
  '<b>',
  '</table>',
  '<td>',
  '<tr>',
  '<!--',
  '<script>',
  '<div',
  '<table class="race-title">',
  '</tr></tr>',
  '<a href="?Key=2026Nov21%2CNSW%2CA%00B">',
  '<a href="?Key=%">',
  '<a href="?horsecode=%FF&raceentry=%00">',
];

/** The page with each of its tags and texts, one at a time, replaced: at most `most` of them, evenly spread. */
export function spoiltPages(html: string, most: number, turn: number): string[] {
  const pieces = html.split(/(<[^>]*>)/);
  const filled = pieces.flatMap((piece, i) => (piece.trim() === '' ? [] : [i]));
  const step = Math.max(1, filled.length / most);
  return Array.from({ length: Math.min(most, filled.length) }, (_, nth) => {
    const at = filled[Math.floor(nth * step)]!;
    const by = HOSTILE_MARKUP[(nth + turn) % HOSTILE_MARKUP.length]!;
    return [...pieces.slice(0, at), by, ...pieces.slice(at + 1)].join('');
  });
}
