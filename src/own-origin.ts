// Whether a request that changes something comes from the service's own pages (CSRF): a browser names the origin of every such request, and a
// page cannot forge either header. Imports nothing.

interface RequestHeaders {
  readonly origin?: string;
  readonly host?: string;
  readonly 'sec-fetch-site'?: string | string[];
}

/** `origin`: of the service. A program sends neither header, and no browser sends its cookies for it. */
export function isOwnOrigin(headers: RequestHeaders, origin: string): boolean {
  const { 'sec-fetch-site': site = 'none', origin: sent } = headers;
  // A page without a referrer sends `Origin: null`, as a page in a sandbox does: only the browser can distinguish them.
  if (sent === 'null') return site === 'same-origin';
  if (sent !== undefined) return sent === origin || sent === addressed(headers.host, origin);
  return site === 'same-origin' || site === 'none';
}

/** The origin that the browser addressed, where it is not the public one: by another name of this machine, but as encrypted as the public one. */
function addressed(host: string | undefined, origin: string): string | null {
  const url = `${new URL(origin).protocol}//${host}`;
  return host !== undefined && URL.canParse(url) ? new URL(url).origin : null;
}
