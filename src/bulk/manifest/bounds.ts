// The bounds that a manifest states: the lowest and the highest sort key, and the earliest and the latest value of each
// column of instants or days. Nulls come last in a key, and are left out of times.
import type { Cell, Column, ColumnType, Row } from '../../row-files/columns';
import { type IsAfter, isCellAfterOf } from '../../row-files/order';
import type { Dataset } from '../catalogue';
import type { Bound, RowBounds } from './period-manifest';

type Sorted = Pick<Dataset, 'columns' | 'sortedBy'>;

export interface BoundsOfRows {
  add(rows: readonly Row[]): void;
  bounds(): RowBounds;
}

/** The lowest and the highest of what is added. */
class Extremes<T> {
  low: T | undefined;
  high: T | undefined;

  constructor(private readonly isAfter: (one: T, other: T) => boolean) {}

  /** Rows are sorted as a rule: then one comparison is enough. */
  add(value: T): void {
    if (this.high === undefined || this.isAfter(value, this.high)) this.high = value;
    else if (this.low !== undefined && !this.isAfter(this.low, value)) return;
    if (this.low === undefined || this.isAfter(this.low, value)) this.low = value;
  }
}

export function boundsOfRows(dataset: Sorted): BoundsOfRows {
  const { key, times, placeOf } = placesOf(dataset);
  const keys = keyExtremes(dataset);
  const ofTimes = times.map(({ type }) => new Extremes<Cell>(isCellAfterOf(type)));
  const keyPlaces = key.map(placeOf);
  const timePlaces = times.map(placeOf);
  return {
    add(rows) {
      for (const row of rows) {
        keys.add(keyPlaces.map((place) => row[place]!));
        for (const [i, place] of timePlaces.entries()) {
          const value = row[place]!;
          if (value !== null && value !== ofTimes[i]!.high) ofTimes[i]!.add(value);
        }
      }
    },
    bounds: () => boundsFrom(dataset, keys, ofTimes),
  };
}

/** The bounds of all the rows of which these are the bounds. */
export function joinedBounds(dataset: Sorted, all: readonly RowBounds[]): RowBounds {
  const { key, times } = placesOf(dataset);
  const keys = keyExtremes(dataset);
  const ofTimes = times.map(({ type }) => new Extremes<Cell>(isCellAfterOf(type)));
  for (const { sort_key, times: found } of all) {
    for (const cells of [sort_key.first, sort_key.last])
      if (cells) keys.add(cells.map((cell, i) => cellOf(key[i]!.type, cell)));
    for (const [i, { name }] of times.entries()) {
      const { min = null, max = null } = found.find(({ column }) => column === name) ?? {};
      for (const value of [min, max]) if (value !== null) ofTimes[i]!.add(value);
    }
  }
  return boundsFrom(dataset, keys, ofTimes);
}

function boundsFrom(dataset: Sorted, keys: Extremes<readonly Cell[]>, ofTimes: readonly Extremes<Cell>[]): RowBounds {
  const { times } = placesOf(dataset);
  return {
    sort_key: {
      columns: dataset.sortedBy,
      first: keys.low?.map(boundOf) ?? null,
      last: keys.high?.map(boundOf) ?? null,
    },
    times: times.map(({ name }, i) => ({
      column: name,
      min: boundOf(ofTimes[i]!.low ?? null),
      max: boundOf(ofTimes[i]!.high ?? null),
    })),
  };
}

function placesOf({ columns, sortedBy }: Sorted) {
  return {
    key: sortedBy.map((name) => columns.find((column) => column.name === name)!),
    times: columns.filter(({ type }) => type === 'instant' || type === 'day'),
    placeOf: (column: Column) => columns.indexOf(column),
  };
}

function keyExtremes(dataset: Sorted): Extremes<readonly Cell[]> {
  const isAfter = placesOf(dataset).key.map(({ type }) => isCellAfterOf(type));
  return new Extremes((one, other) => isKeyAfter(isAfter, one, other));
}

function isKeyAfter(isAfter: readonly IsAfter[], one: readonly Cell[], other: readonly Cell[]): boolean {
  for (const [i, after] of isAfter.entries()) {
    const [a, b] = [one[i]!, other[i]!];
    if (a === b) continue;
    if (a === null || b === null) return a === null;
    return after(a, b);
  }
  return false;
}

const boundOf = (cell: Cell): Bound => (cell === null ? null : String(cell));

function cellOf(type: ColumnType, bound: Bound): Cell {
  if (bound === null) return null;
  if (type === 'long') return BigInt(bound);
  if (type === 'boolean') return bound === 'true';
  return type === 'integer' || type === 'number' ? Number(bound) : bound;
}
