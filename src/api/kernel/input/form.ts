// Reads a form of a page: small, and never anything but a form. A NUL cannot be stored, and no keyboard types one.
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../errors';
import { mediaType, readBytes } from './body';

const MOST_BYTES = 16_384;

export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  if (mediaType(request) !== 'application/x-www-form-urlencoded')
    throw new AppError('unsupported_media_type', 'Send the form as application/x-www-form-urlencoded.');
  const text = (await readBytes(request, MOST_BYTES)).toString('utf8');
  return new URLSearchParams(text.replaceAll(/\0|%00/g, ''));
}
