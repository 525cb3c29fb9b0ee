// The stream's address and subscription, from the book's settings. Without the setting there is no stream, and the
// exchange is only polled.
import type { FeedEndpoint } from '../../feed';
import { COUNTRIES, EVENT_TYPES } from '../day-list';
import { credentialsOf } from '../session';
import type { StreamAddress, StreamConnection } from './connection';

export type StreamSource = Pick<StreamConnection, 'address' | 'credentials' | 'filter'>;

/**
 * `FEED_BETFAIR_EX_AU_STREAM=tls://host:port`, or `tcp://` for the simulator (`src/config` allows it to this machine
 * only). Throws on anything else.
 */
export function streamSourceOf(endpoint: FeedEndpoint | undefined): StreamSource | null {
  const text = endpoint?.settings?.stream;
  if (!endpoint || !text) return null;
  const filter = { eventTypeIds: EVENT_TYPES, countryCodes: COUNTRIES, marketTypes: ['WIN', 'PLACE'] };
  return { address: addressOf(text), credentials: credentialsOf(endpoint), filter };
}

function addressOf(text: string): StreamAddress {
  const found = /^(tls|tcp):\/\/([^/:]+):(\d{1,5})$/.exec(text);
  if (!found) throw new Error(`the exchange's stream must be tls://host:port or tcp://host:port, not '${text}'`);
  return { tls: found[1] === 'tls', host: found[2]!, port: Number(found[3]) };
}
