// Links that prove by themselves whose request they answer: an HMAC over all their parts. Pure; the secret and the
// instant are arguments.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Interval } from '../../plans/prices';

/** The parts of a link to an upgrade. */
export interface UpgradeWish {
  readonly account: string;
  readonly plan: string;
  readonly interval: Interval;
  /** Epoch seconds. */
  readonly expires: number;
}

export interface SignedWish extends UpgradeWish {
  readonly signature: string;
}

const PATH = '/v1/billing/upgrade';

export function upgradeUrl(baseUrl: string, wish: UpgradeWish, secret: Buffer): string {
  const query = new URLSearchParams({ ...wish, expires: String(wish.expires), signature: signatureOf(wish, secret) });
  return `${baseUrl}${PATH}?${query}`;
}

export function isSigned({ signature, ...wish }: SignedWish, secret: Buffer): boolean {
  const sent = Buffer.from(signature);
  const right = Buffer.from(signatureOf(wish, secret));
  return sent.length === right.length && timingSafeEqual(sent, right);
}

/** The parts cannot run into each other: none has a line break. */
function signatureOf({ account, plan, interval, expires }: UpgradeWish, secret: Buffer): string {
  const text = [PATH, account, plan, interval, expires].join('\n');
  return createHmac('sha256', secret).update(text).digest('base64url');
}
