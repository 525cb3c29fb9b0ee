// Conditional requests, parts and files in the OpenAPI document (D32, D47).
import { type Endpoint, isTagged } from '../kernel/endpoint/endpoint';
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

/** Media types other than JSON. */
export const binary = (types: readonly string[] = []) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));

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
