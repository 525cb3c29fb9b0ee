// Whether a host name can be a site's, by the list of public suffixes: `com`, `com.au` and `intranet` are no sites.
import { getDomain, parse } from 'tldts-icann';

/** `hostname`: as URLs have it. An address is a site's too. */
export const isSiteHost = (hostname: string): boolean => parse(hostname).isIp === true || getDomain(hostname) !== null;
