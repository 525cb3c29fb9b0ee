// The response to a request for a stored file (RFC 9110 13, 14; D32, D47): a 304, a part, or the whole. Tags are
// strong, over the bytes, and no Content-Encoding is applied.
import type { IncomingHttpHeaders } from 'node:http';
import { namesTag } from '../../../../entity-tags';
import { AppError } from '../../../../errors';
import type { ByteRange, FileReply, StreamedReply } from './reply';

const tagOf = ({ sha256 }: Pick<FileReply, 'sha256'>): string => `"${sha256}"`;

/** Whether the caller has this version. */
export const isUnchanged = (sent: IncomingHttpHeaders, file: FileReply): boolean =>
  namesTag(sent['if-none-match'], tagOf(file));

/** The whole file, or the requested part. Throws for a part beyond the end. */
export function partOf(sent: IncomingHttpHeaders, file: FileReply): StreamedReply {
  const { bytes } = file;
  const ifRange = sent['if-range'];
  const range = ifRange === undefined || ifRange === tagOf(file) ? rangeOf(sent.range, bytes) : null;
  const { start, end } = range ?? { start: 0, end: bytes };
  return {
    status: range ? 206 : 200,
    type: file.type,
    length: end - start,
    fileName: file.fileName,
    cacheControl: 'private, no-cache',
    headers: {
      ETag: tagOf(file),
      'Accept-Ranges': 'bytes',
      ...(range && { 'Content-Range': `bytes ${start}-${end - 1}/${bytes}` }),
    },
    async open() {
      const found = await file.open({ start, end });
      if (!found)
        throw new AppError('unavailable', 'The file is not there at the moment.', { retry_after_seconds: 60 });
      return found;
    },
  };
}

/**
 * One range of bytes; null if none or several are named, or in another form: these get the whole file (RFC 9110 14.2).
 */
function rangeOf(sent: string | undefined, bytes: number): ByteRange | null {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(sent?.replaceAll(' ', '') ?? '') ?? [];
  if (first === undefined || last === undefined || first + last === '') return null;
  if (first === '') {
    const length = Math.min(bytes, Number(last));
    if (length === 0) throw notSatisfiable(bytes);
    return { start: bytes - length, end: bytes };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= bytes) throw notSatisfiable(bytes);
  return { start, end: last === '' ? bytes : Math.min(bytes, Number(last) + 1) };
}

const notSatisfiable = (bytes: number): AppError =>
  new AppError('range_not_satisfiable', `The file has ${bytes} bytes.`, {}, { 'Content-Range': `bytes */${bytes}` });
