// How a receiver verifies that a post is ours (D28, D58): the Standard Webhooks headers, and the older one for
// receivers that already verify it.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

interface Signed {
  /** The event's id, the same on every attempt. */
  readonly id: string;
  readonly at: Date;
  /** The sent bytes. */
  readonly body: string;
}

/** The current secret, then the previous one during a rotation. */
export type Secrets = readonly [string, ...string[]];

/** During a rotation, both secrets sign, and the older header, which has room for one, is the previous one's. */
export function signatureHeaders({ id, at, body }: Signed, secrets: Secrets): Record<string, string> {
  const timestamp = `${Math.floor(at.getTime() / 1000)}`;
  const content = `${id}.${timestamp}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${hmac(keyOf(secret), content).digest('base64')}`).join(' '),
    'x-webhook-signature': `sha256=${hmac(secrets.at(-1)!, body).digest('hex')}`,
  };
}

const hmac = (key: string | KeyObject, content: string) => createHmac('sha256', key).update(content);

/** A key object: Node signs five times as slowly with a buffer. */
const keyOf = (secret: string): KeyObject => createSecretKey(secret.replace(/^whsec_/, ''), 'base64');
