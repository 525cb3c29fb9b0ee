// Where a request for a widget's prices comes from. Only browsers are trusted with it: they send these headers, and no page can forge them.
import type { IncomingHttpHeaders } from 'node:http';
import { isOwnOrigin } from '../../own-origin';
import type { Reader } from './source';

/** A script of a site. */
export const siteOf = ({ origin }: IncomingHttpHeaders): Reader => (origin === undefined ? null : { origin });

/** The script of a widget's own page, which states the version of the page. */
export function pageOf(headers: IncomingHttpHeaders, baseUrl: string, pageVersion: string): Reader {
  const isOwn =
    headers.origin === undefined ? headers['sec-fetch-site'] === 'same-origin' : isOwnOrigin(headers, baseUrl);
  return isOwn ? { pageVersion } : siteOf(headers);
}
