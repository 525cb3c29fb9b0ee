// Where a request for a widget's prices comes from. Only browsers are trusted with it: they send these headers, and no page can forge them.
import type { IncomingHttpHeaders } from 'node:http';
import { isOwnOrigin } from '../../own-origin';
import type { Reader } from './source';

export function readerOf(headers: IncomingHttpHeaders, baseUrl: string): Reader {
  const { origin } = headers;
  if (origin !== undefined) return isOwnOrigin(headers, baseUrl) ? 'own page' : { origin };
  return headers['sec-fetch-site'] === 'same-origin' ? 'own page' : null;
}
