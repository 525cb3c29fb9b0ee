// A row as the JSON object of a response: the members of its columns, in their order.
import { type Cell, type Column, cellCheck, checkWidth, type Row } from './columns';

/** Throws `CellError`, also for an integer that JSON numbers cannot represent exactly. */
export function rowObjects(columns: readonly Column[]): (row: Row) => Record<string, Exclude<Cell, bigint>> {
  const checks = columns.map(cellCheck);
  return (row) => {
    checkWidth(columns, row);
    const members = columns.map(({ name }, i) => {
      checks[i]!(row[i]);
      return [name, numbered(name, row[i]!)] as const;
    });
    return Object.fromEntries(members);
  };
}

function numbered(name: string, cell: Cell): Exclude<Cell, bigint> {
  if (typeof cell !== 'bigint') return cell;
  if (!Number.isSafeInteger(Number(cell))) throw new RangeError(`column ${name} has ${cell}, which no JSON number has`);
  return Number(cell);
}
