// The bounds of streams, and what a process sets of them.
import { EVENT_BOUNDS, type EventBounds } from './kernel/http/response/event-connection';
import type { StreamDeps } from './kernel/stream/respond-stream';

/** What differs from the default. */
export type StreamBounds = Partial<EventBounds> & { readonly heartbeatMs?: number; readonly renewMs?: number };

const HEARTBEAT_MS = 15_000;
const RENEW_MS = 5000;

type Given = Pick<StreamDeps, 'leases' | 'stopping' | 'wallMs' | 'elapsedMs' | 'log' | 'baseUrl'>;

export function streamDepsOf(
  given: Given,
  { heartbeatMs = HEARTBEAT_MS, renewMs = RENEW_MS, ...bounds }: StreamBounds = {},
) {
  return { ...given, bounds: { ...EVENT_BOUNDS, ...bounds }, heartbeatMs, renewMs };
}
