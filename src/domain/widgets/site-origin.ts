// The origins of the sites that may embed a widget (A 4.13). They are compared exactly, and stand in a
// Content-Security-Policy. Pure.

/** No character that ends a source or a directive of a policy. */
const FORM = /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?$/;
/** A browser treats these as secure over http too. */
const THIS_MACHINE = ['localhost', '127.0.0.1'];
/** One part of a host name (RFC 1123). */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const LONGEST_HOST = 253;

/**
 * The problem with an origin, completing "… is not allowed: "; null: none. `isSite`: whether a site may have this host
 * name.
 */
export function originProblem(text: string, isSite: (hostname: string) => boolean): string | null {
  if (text.includes('*')) return 'wildcards are not supported, list each origin';
  if (!URL.canParse(text)) return 'it is no origin, such as https://www.example.com';
  const { origin, protocol, hostname } = new URL(text);
  const isHere = THIS_MACHINE.includes(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isHere))
    return 'it must begin with https://; http:// is for localhost alone';
  if (!FORM.test(origin)) return 'its host must be a name, without special characters';
  if (origin !== text) return `write it as ${origin}`;
  return isHere || (isName(hostname) && isSite(hostname))
    ? null
    : 'its host is no name of a site, such as www.example.com';
}

const isName = (hostname: string): boolean =>
  hostname.length <= LONGEST_HOST && hostname.split('.').every((label) => LABEL.test(label));
