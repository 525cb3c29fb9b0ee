// One column of a row group: its pages, with the bounds of each, and how Parquet stores its values.
import { zstdCompressSync } from 'node:zlib';
import type { ColumnChunk, DecodedArray, Encoding, ParquetType, SchemaElement, Statistics } from 'hyparquet';
import type { MinMaxType } from 'hyparquet/src/types.js';
import type { ByteWriter } from 'hyparquet-writer';
import { writeDataPageV2 } from 'hyparquet-writer/src/datapage.js';
import { useDictionary, writeDictionaryPage } from 'hyparquet-writer/src/dictionary.js';
import { unconvert, unconvertMinMax } from 'hyparquet-writer/src/unconvert.js';
import type { Column, ColumnType } from '../columns';
import { isAfterOf } from '../order';
import type { IndexedPage } from './page-index';

type Physical = Pick<SchemaElement, 'converted_type' | 'logical_type'> & { readonly type: ParquetType };

const PHYSICAL: Readonly<Record<ColumnType, Physical>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  integer: { type: 'INT32' },
  long: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  instant: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  day: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
};

export const elementOf = ({ name, type, nullable }: Column) => ({
  name,
  repetition_type: nullable ? ('OPTIONAL' as const) : ('REQUIRED' as const),
  ...PHYSICAL[type],
});

export const ROOT_ELEMENT: SchemaElement = { name: 'schema', repetition_type: 'REQUIRED' };

const CODEC = 'ZSTD';
const compressors = { [CODEC]: (bytes: Uint8Array) => zstdCompressSync(bytes) };

/** A chunk as the footer describes it, with the pages that the page index does. */
export interface EncodedColumn {
  readonly chunk: ColumnChunk;
  readonly pages: readonly IndexedPage[];
}

/** `values`: stored ones. Pages have `pageRows` rows, the last one the rest. */
export function encodeColumn(writer: ByteWriter, column: Column, values: unknown[], pageRows: number): EncodedColumn {
  const element = elementOf(column);
  const start = writer.offset;
  const encoder = encoderOf(column);
  const { dictionary, indexes } = useDictionary(values, element.type, undefined, undefined, undefined);
  let size = 0;
  const dictionary_page_offset = dictionary && BigInt(start);
  if (dictionary) size += writeDictionaryPage(writer, encoder, unconvert(element, dictionary));
  const encoding = dictionary ? 'RLE_DICTIONARY' : plainOf(column, values.length);
  const written = indexes ?? (column.type === 'text' ? unconvert(element, values) : values);
  const data_page_offset = BigInt(writer.offset);
  const bounds: Statistics[] = [];
  const pages: IndexedPage[] = [];
  for (let from = 0; from < values.length; from += pageRows) {
    const offset = writer.offset;
    const until = Math.min(values.length, from + pageRows);
    size += writePage(writer, column, encoding, { written, values, from, until });
    const ofPage = boundsOf(column, values, from, until);
    bounds.push(ofPage);
    pages.push({ offset, bytes: writer.offset - offset, firstRow: from, ...pageBounds(element, ofPage, until - from) });
  }
  const chunk: ColumnChunk = {
    meta_data: {
      type: element.type,
      encodings: dictionary ? ['PLAIN', encoding] : [encoding],
      path_in_schema: [column.name],
      codec: CODEC,
      num_values: BigInt(values.length),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(size),
      data_page_offset,
      dictionary_page_offset,
      statistics: joined(column, bounds),
    },
    file_offset: BigInt(start),
  };
  return { chunk, pages };
}

/** As the library encodes booleans by itself. */
const plainOf = ({ type }: Column, rows: number): Encoding => (type === 'boolean' && rows > 16 ? 'RLE' : 'PLAIN');

const encoderOf = (column: Column) => ({
  columnName: column.name,
  element: elementOf(column),
  schemaPath: [ROOT_ELEMENT, elementOf(column)],
  codec: CODEC as typeof CODEC,
  compressors,
  stats: false,
  pageSize: 0,
  columnIndex: false,
  offsetIndex: false,
});

interface PageSource {
  /** Values or their places in the dictionary. */
  readonly written: DecodedArray;
  readonly values: readonly unknown[];
  readonly from: number;
  readonly until: number;
}

function writePage(
  writer: ByteWriter,
  column: Column,
  encoding: Encoding,
  { written, values, from, until }: PageSource,
): number {
  const levels = column.nullable ? values.slice(from, until).map((value) => (value === null ? 0 : 1)) : [];
  const pageData = {
    values: written.slice(from, until),
    definitionLevels: levels,
    repetitionLevels: [],
    maxDefinitionLevel: column.nullable ? 1 : 0,
  };
  return writeDataPageV2({ writer, column: encoderOf(column), encoding, pageData });
}

/**
 * Bounds by which readers skip row groups and pages. Sorted rows repeat values, so that comparing neighbours first
 * saves most comparisons.
 */
function boundsOf({ type }: Column, values: readonly unknown[], from: number, until: number): Statistics {
  const isAfter = isAfterOf(type);
  let [min, max, last]: unknown[] = [];
  let nulls = 0;
  for (let i = from; i < until; i++) {
    const value = values[i];
    if (value === null) nulls++;
    else if (value !== last) {
      if (min === undefined || isAfter(min, value)) min = value;
      if (max === undefined || isAfter(value, max)) max = value;
      last = value;
    }
  }
  return statistics(min, max, BigInt(nulls));
}

function joined({ type }: Column, pages: readonly Statistics[]): Statistics {
  const isAfter = isAfterOf(type);
  let [min, max]: unknown[] = [];
  for (const { min_value, max_value } of pages) {
    if (min_value !== undefined && (min === undefined || isAfter(min, min_value))) min = min_value;
    if (max_value !== undefined && (max === undefined || isAfter(max_value, max))) max = max_value;
  }
  return statistics(
    min,
    max,
    pages.reduce((sum, { null_count = 0n }) => sum + null_count, 0n),
  );
}

/** For both zeros the bounds have to be the outer ones. */
const statistics = (min: unknown, max: unknown, null_count: bigint): Statistics =>
  ({ min_value: min === 0 ? -0 : min, max_value: max === 0 ? 0 : max, null_count }) as Statistics;

const NOTHING = new Uint8Array();

function pageBounds(element: SchemaElement, { min_value, max_value, null_count = 0n }: Statistics, rows: number) {
  const bytes = (value: unknown, isMax: boolean) =>
    unconvertMinMax(value as MinMaxType | undefined, element, isMax) ?? NOTHING;
  return {
    min: bytes(min_value, false),
    max: bytes(max_value, true),
    nulls: Number(null_count),
    isNull: Number(null_count) === rows,
  };
}
