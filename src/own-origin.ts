// Whether a request that changes something comes from the service's own pages (CSRF): a browser names the origin of
// every such request, and a page cannot forge the header. The own origins are settings: any name may lead to this
// machine, also one that its owner points here later. Imports nothing.

interface RequestHeaders {
  readonly origin?: string;
  readonly 'sec-fetch-site'?: string | string[];
}

/** By these names a browser reaches the machine that it runs on, and no other. */
const THIS_MACHINE: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The origins whose pages are the service's: of its public address, of its `others`, and where it is public on this
 * machine alone, of each name of the machine. All are URLs.
 */
export function ownOrigins(baseUrl: string, others: readonly string[] = []): readonly string[] {
  const { origin, protocol, hostname, port } = new URL(baseUrl);
  const names = THIS_MACHINE.includes(hostname) ? THIS_MACHINE : [];
  const local = names.map((name) => new URL(`${protocol}//${name}${port && `:${port}`}`).origin);
  return [...new Set([origin, ...local, ...others.map((one) => new URL(one).origin)])];
}

/** `own`: of the service. A program sends neither header, and no browser sends its cookies for it. */
export function isOwnOrigin(headers: RequestHeaders, own: readonly string[]): boolean {
  const { 'sec-fetch-site': site = 'none', origin: sent } = headers;
  // A page without a referrer sends `Origin: null`, as a page in a sandbox does: only the browser can distinguish them.
  if (sent === 'null') return site === 'same-origin';
  if (sent !== undefined) return own.includes(sent);
  return site === 'same-origin' || site === 'none';
}
