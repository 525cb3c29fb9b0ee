// Conditional requests, parts and files in the OpenAPI document (D32, D47).
import type { Cell, Column } from '../../row-files/columns';
import { csvHeader, csvLines } from '../../row-files/csv';
import { type Endpoint, isTagged } from '../kernel/endpoint/endpoint';
import { ROW_TYPES } from '../kernel/http/response/rows';
import { headerRef } from './headers';
import { meteringHeaders } from './metering-headers';
import type { Schema } from './schema';

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an earlier response to the same request.',
  schema: { type: 'string' },
};

const RANGE = {
  name: 'Range',
  in: 'header',
  description: 'One range of bytes, such as `bytes=1048576-`.',
  schema: { type: 'string' },
};

const IF_RANGE = {
  name: 'If-Range',
  in: 'header',
  description:
    'The `ETag` of the version that the range belongs to. Of another version, the response is the whole file.',
  schema: { type: 'string' },
};

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The last `id` that you got: what you missed since is sent first. Absent: the whole state.',
  schema: { type: 'string' },
};

const binary = (types: readonly string[] = []) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));

/** Media types other than JSON. CSV is shown with the rows of the JSON example. */
export function otherMedia({ types, columns, example }: Endpoint['ok']): Schema {
  const csv = columns && { [ROW_TYPES.csv]: { schema: { type: 'string' }, example: csvExample(columns, example) } };
  return { ...binary(types), ...csv };
}

function csvExample(columns: readonly Column[], example: unknown): string {
  const { rows } = example as { readonly rows: readonly Readonly<Record<string, Cell>>[] };
  return csvHeader(columns) + csvLines(columns)(rows.map((row) => columns.map(({ name }) => row[name] ?? null)));
}

/** Of an operation that serves a file. `common`: headers of every success. */
export function fileResponses(one: Endpoint, common: Schema): Schema {
  const headers = { ...common, ETag: headerRef('FileTag') };
  const file = { ...headers, 'Accept-Ranges': headerRef('AcceptRanges') };
  const content = binary(one.ok.types);
  return {
    200: { description: one.ok.description, headers: { ...file, ...meteringHeaders(one, 200) }, content },
    206: {
      description: 'The part that `Range` names.',
      headers: { ...file, 'Content-Range': headerRef('ContentRange'), ...meteringHeaders(one, 200) },
      content,
    },
    304: {
      description: 'The file has not changed since the `ETag` in `If-None-Match`. Free.',
      headers: { ...file, ...meteringHeaders(one, 304) },
    },
  };
}

/** The request headers of conditional requests. */
export function conditions(one: Endpoint): readonly Schema[] {
  if (one.servesFile) return [IF_NONE_MATCH, RANGE, IF_RANGE];
  if (one.sendsEvents) return [LAST_EVENT_ID];
  return isTagged(one) ? [IF_NONE_MATCH] : [];
}
