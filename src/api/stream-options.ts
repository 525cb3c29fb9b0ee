// The limits of streams, and the ones that a process may set.
import { EVENT_BOUNDS, type EventBounds } from './kernel/http/response/event-connection';
import type { PlayDeps } from './kernel/played/respond-played';
import type { StreamDeps } from './kernel/stream/respond-stream';

/** Values that differ from the defaults. */
export type StreamBounds = Partial<EventBounds> & { readonly heartbeatMs?: number; readonly renewMs?: number };

const HEARTBEAT_MS = 15_000;
const RENEW_MS = 5000;

type Given = Pick<PlayDeps, 'plays'> &
  Pick<StreamDeps, 'leases' | 'stopping' | 'wallMs' | 'elapsedMs' | 'log' | 'baseUrl'>;

export function streamDepsOf(
  given: Given,
  { heartbeatMs = HEARTBEAT_MS, renewMs = RENEW_MS, ...bounds }: StreamBounds = {},
) {
  return { ...given, bounds: { ...EVENT_BOUNDS, ...bounds }, heartbeatMs, renewMs };
}
