// Requests as bytes. Nothing is checked or corrected here: errors are intended.
const HOST = 'api.example.com';

/**
 * `headers`: pairs, so that one may occur twice. `host` null: no Host header.
 * @typedef {{
 *   method?: string, target?: string, version?: string, host?: string | null, headers?: string[][],
 *   body?: string | Buffer | null,
 * }} Request
 * @param {Request} request
 */
export function bytesOf({
  method = 'GET',
  target = '/',
  version = 'HTTP/1.1',
  host = HOST,
  headers = [],
  body = null,
}) {
  const all = [...(host === null ? [] : [['Host', host]]), ...headers];
  if (body !== null && !all.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name)))
    all.push(['Content-Length', String(Buffer.byteLength(body))]);
  const head = [`${method} ${target} ${version}`, ...all.map(([name, value]) => `${name}: ${value}`), '', ''];
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), Buffer.from(body ?? '')]);
}

/** A case of one request on one connection. `more`: other members of the case, for example `expects`. */
export function single(name, request, more = {}) {
  return { name, sends: [bytesOf(request)], requests: [asked(request)], ...more };
}

/** A case of bytes that cannot be written as a request. */
export function raw(name, bytes, more = {}) {
  const sends = [Buffer.from(bytes, 'latin1')];
  return { name, sends, requests: [{ method: 'GET', target: '/' }], untilClose: true, ...more };
}

const acceptIn = (headers) => headers.find(([name]) => name.toLowerCase() === 'accept')?.[1];
/** @param {Request} request */
export const asked = ({ method = 'GET', target = '/', headers = [] }) => ({
  method,
  target,
  accept: acceptIn(headers),
});

const JSON_TYPE = ['Content-Type', 'application/json'];
export const keyHeader = (key) => ['X-API-Key', key];

/**
 * A request to an operation with a body; `over` replaces the members that it names, `headers` are added.
 * @param {any} operation
 * @param {Request['body']} body
 * @param {Request & { type?: string[] }} [options]
 */
export function posting(operation, body, { headers = [], type = JSON_TYPE, ...over } = {}) {
  return {
    method: 'POST',
    target: operation.target,
    headers: [keyHeader(operation.key), type, ...headers],
    body,
    ...over,
  };
}

export const short = (value) => {
  const text = JSON.stringify(String(value));
  return text.length > 40 ? `${text.slice(0, 36)}…"` : text;
};
