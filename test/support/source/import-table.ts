// Reads "Who may import whom" out of docs/architecture.md, for the test that compares the source with it. An item that
// it cannot read is an error, so that no row is skipped unnoticed.

/** One arrow of the table. A place is a folder or file below `src` without extension; `*` matches one folder. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const PLACE = '`([\\w*/-]+)`';
const ROW = new RegExp(`^\\| ${PLACE} \\| (.+) \\|$`);
const ITEM = new RegExp(`^(types of )?${PLACE}$`);

/** Every row, with its arrows: none for a row that allows "nothing". */
export function importTable(document: string): ReadonlyMap<string, readonly Arrow[]> {
  const section = /\n## Who may import whom\n([\s\S]*?)\n## /.exec(document)?.[1] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  const [head, rule, ...rows] = lines;
  if (head !== '| from | may import |' || rule !== '|---|---|') throw new Error('architecture.md has no import table');
  return new Map(rows.map(rowOf));
}

function rowOf(line: string): [string, Arrow[]] {
  const [, from, items] = ROW.exec(line) ?? [];
  if (!from || !items) throw new Error(`not a row of the import table: ${line}`);
  if (items === 'nothing') return [from, []];
  return [from, items.split(', ').map((item) => arrowOf(from, item))];
}

function arrowOf(from: string, item: string): Arrow {
  const [, types, to] = ITEM.exec(item) ?? [];
  if (!to) throw new Error(`row ${from} of the import table has an item that cannot be read: ${item}`);
  return { from, to, typeOnly: types !== undefined };
}

/** Whether a file (without extension) belongs to a place: it is the place, or lies below it. */
export function liesIn(file: string, place: string): boolean {
  return new RegExp(`^${place.replaceAll('*', '[^/]+')}(/|$)`).test(file);
}
