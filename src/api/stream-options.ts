// The limits of streams, and the ones that a process may set.
import { EVENT_BOUNDS, type EventBounds } from './kernel/http/response/event-connection';
import type { PlayDeps } from './kernel/played/respond-played';
import type { StreamDeps } from './kernel/stream/respond-stream';
import { createRounds } from './kernel/stream/rounds';

/** Values that differ from the defaults. */
export type StreamBounds = Partial<EventBounds> & { readonly heartbeatMs?: number; readonly renewMs?: number };

const LOOK_MS = 1000;
const HEARTBEAT_MS = 15_000;
const RENEW_MS = 5000;

type Given = Pick<PlayDeps, 'plays'> &
  Pick<StreamDeps, 'leases' | 'stopping' | 'wallMs' | 'elapsedMs' | 'log' | 'baseUrl'>;

export function streamDepsOf(
  given: Given,
  { heartbeatMs = HEARTBEAT_MS, renewMs = RENEW_MS, ...bounds }: StreamBounds = {},
) {
  const rounds = createRounds(Math.min(LOOK_MS, heartbeatMs, renewMs));
  return { ...given, bounds: { ...EVENT_BOUNDS, ...bounds }, heartbeatMs, renewMs, rounds };
}
