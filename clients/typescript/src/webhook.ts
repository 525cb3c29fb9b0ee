// Verifies a post by the rules of Standard Webhooks, with WebCrypto, which compares in constant time.
import { WebhookVerificationError } from './errors.ts';
import type { webhooks } from './generated/openapi.ts';

type Posted = webhooks[keyof webhooks];
/** The body of a post. Branch on `event`. */
export type WebhookEvent = Posted extends infer One
  ? One extends { post: { requestBody: { content: { 'application/json': infer Body } } } }
    ? Body
    : never
  : never;

/** As a server has them: of fetch, or of Node’s `request.headers`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifySettings {
  /** How far the time of the post may be from now. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

/** Two secrets sign while one is being replaced; no sender has reason for more than these. */
const MOST_SIGNATURES = 8;

/**
 * Resolves to the event if `secret` (`whsec_…`) has signed the post, else rejects with a WebhookVerificationError.
 * `body`: as it was received, not parsed and written again.
 */
export async function verifyWebhook(
  secret: string,
  headers: WebhookHeaders,
  body: string | Uint8Array<ArrayBuffer>,
  { toleranceSeconds = 300, now = Date.now }: VerifySettings = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('The headers of a webhook are missing.');
  if (!/^\d{1,12}$/.test(timestamp) || !(Math.abs(now() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookVerificationError('The time of the post is too far from now.');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = concatenated(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const key = await keyOf(secret);
  for (const signature of signatures.split(' ').slice(0, MOST_SIGNATURES)) {
    const sent = signature.startsWith('v1,') ? decoded(signature.slice(3)) : null;
    if (sent && (await crypto.subtle.verify('HMAC', key, sent, signed)))
      return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
  }
  throw new WebhookVerificationError('No signature of the post is of this secret.');
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
  return typeof value === 'object' ? value.join(' ') : value;
}

async function keyOf(secret: string) {
  const bytes = decoded(secret.replace(/^whsec_/, ''));
  if (!bytes || bytes.length === 0) throw new TypeError('The secret is not one of a webhook: whsec_ and base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Of base64; null: it is none. */
function decoded(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function concatenated(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
