// The token of a widget's own page: it shows that the page was loaded, or was open, within ten minutes. Its key is the
// widget's `id`, which never appears in pages, so all processes agree without a setting. It grants nothing: requests
// without it have a smaller share.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { EmbeddedWidget } from '../../../../store/widgets/fills';

/** The name under which readers of an account's pages share. */
type Signing = Pick<EmbeddedWidget, 'widgetId'> & { readonly embedId: string };

const TOKEN_FOR_MS = 600_000;
/** `<epoch milliseconds of its end in base 36>.<HMAC>` */
const FORM = /^([\da-z]{1,11})\.([\w-]{43})$/;

const signed = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64url');

const endOf = ({ widgetId, embedId }: Signing, end: string): string => signed(widgetId, `page ${embedId} ${end}`);

export function mintPageToken(widget: Signing, nowMs: number): string {
  const end = (nowMs + TOKEN_FOR_MS).toString(36);
  return `${end}.${endOf(widget, end)}`;
}

/** A token that ends later than any that was issued is invalid, because a clock was set back. */
export function isPageToken(widget: Signing, token: string | null, nowMs: number): boolean {
  const [, end, mac] = FORM.exec(token ?? '') ?? [];
  if (end === undefined || mac === undefined) return false;
  const leftMs = Number.parseInt(end, 36) - nowMs;
  if (leftMs <= 0 || leftMs > TOKEN_FOR_MS) return false;
  return timingSafeEqual(Buffer.from(mac), Buffer.from(endOf(widget, end)));
}

/** Names a network of readers for one widget, so that no reader's address is stored. */
export const readerOf = ({ widgetId }: Pick<EmbeddedWidget, 'widgetId'>, network: string): string =>
  signed(widgetId, `network ${wider(network)}`).slice(0, 22);

/**
 * One household or company often has many addresses: an IPv4 /24, an IPv6 /48. `network`: an IPv4 address or an IPv6
 * /64.
 */
const wider = (network: string): string =>
  isIPv4(network) ? network.replace(/\.\d+$/, '') : network.split(':').slice(0, 3).join(':');
