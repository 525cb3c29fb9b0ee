// Whether a host name can be a site's, by the list of public suffixes: `com`, `com.au` and `intranet` are not sites.
import { getDomain, parse } from 'tldts-icann';

/** `hostname`: as URLs have it. An IP address can be a site's too. */
export const isSiteHost = (hostname: string): boolean => parse(hostname).isIp === true || getDomain(hostname) !== null;
