// The origin of a request for a widget's prices. Only browsers are trusted with it: they send these headers, and no
// page can forge them.
import type { IncomingHttpHeaders } from 'node:http';
import { isOwnOrigin } from '../../own-origin';
import type { Reader } from './source';

/** A script of a site. */
export const siteOf = ({ origin }: IncomingHttpHeaders): Reader => (origin === undefined ? null : { origin });

/** The script of a widget's own page, which states the version of the page. */
export function pageOf(headers: IncomingHttpHeaders, own: readonly string[], pageVersion: string): Reader {
  const isOwn = headers.origin === undefined ? isSameOrigin(headers) : isOwnOrigin(headers, own);
  return isOwn ? { pageVersion } : siteOf(headers);
}

/**
 * Browsers before 2023 do not send `Sec-Fetch-Site`. Pages of other sites cannot add `X-Widget`, because no preflight
 * allows it.
 */
const isSameOrigin = ({ 'sec-fetch-site': site, 'x-widget': ours }: IncomingHttpHeaders): boolean =>
  site === 'same-origin' || (site === undefined && ours === '1');
