// Tables with a column of each type, with and without nulls, and any rows of them.
import fc from 'fast-check';
import type { Cell, Column, ColumnType, Row } from '../../../src/row-files/columns';
import type { FilePart } from '../../../src/row-files/file-part';

const TYPES: readonly ColumnType[] = ['text', 'integer', 'long', 'number', 'boolean', 'instant', 'day'];

export const columnOf = (name: string, type: ColumnType, nullable: boolean): Column => ({
  name,
  type,
  nullable,
  description: '',
});

export const COLUMNS = TYPES.flatMap((type) => [columnOf(type, type, false), columnOf(`${type}_or_null`, type, true)]);

const NASTY = ['', '"', '""', ',', '\n', '\r\n', ' a ', '=1+1', 'Ñandú 🏇', 'null', '\u2028', 'O\'Brien, "The"\r\n'];
const MS = { min: Date.UTC(1970, 0, 1), max: Date.UTC(2100, 0, 1) };
const instant = fc.integer(MS).map((ms) => new Date(ms).toISOString());
const CELLS: Record<ColumnType, fc.Arbitrary<Cell>> = {
  text: fc.oneof(
    fc.constantFrom(...NASTY),
    fc.string({ unit: 'grapheme' }).map((s) => s.toWellFormed()),
  ),
  integer: fc.integer(),
  long: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  number: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  boolean: fc.boolean(),
  instant,
  day: instant.map((at) => at.slice(0, 10)),
};

export const anyRow = fc.tuple(
  ...COLUMNS.map(({ type, nullable }) => (nullable ? fc.option(CELLS[type], { freq: 3 }) : CELLS[type])),
);

export async function* inBatches(rows: readonly Row[], size: number): AsyncGenerator<readonly Row[]> {
  for (let i = 0; i < rows.length; i += size) yield rows.slice(i, i + size);
}

export const partOf = (bytes: Buffer): FilePart => ({
  bytes: bytes.length,
  async *read(start, end) {
    // In pieces, as a store delivers them.
    for (let at = start; at < end; at += 100) yield bytes.subarray(at, Math.min(end, at + 100));
  },
});
