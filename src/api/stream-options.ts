// What a process may set of its streams, and the defaults.
import type { StreamLeases } from '../store/redis/stream-leases';
import { EVENT_BOUNDS, type EventBounds } from './kernel/http/response/event-connection';
import type { StreamDeps } from './kernel/stream/respond-stream';
import type { BoardFeed } from './operations/changes/board-feed';

export interface StreamOptions {
  /** The reading of the board that streams share. Default: one over `reads`. */
  readonly boardFeed?: BoardFeed;
  /** Counts the streams of accounts for all API processes. Default: they are not counted. */
  readonly streamLeases?: StreamLeases;
  /** Bounds of streams that differ from the default. */
  readonly streamBounds?: Partial<EventBounds> & { readonly heartbeatMs?: number; readonly renewMs?: number };
  /** Aborted when the process begins to stop: streams end. Default: never. */
  readonly stopping?: AbortSignal;
}

const HEARTBEAT_MS = 15_000;
const RENEW_MS = 5000;

type Given = Pick<StreamDeps, 'log' | 'baseUrl'> & Partial<Pick<StreamDeps, 'wallMs' | 'elapsedMs'>> & StreamOptions;

export function streamDepsOf({ wallMs, elapsedMs, streamLeases, streamBounds = {}, stopping, log, baseUrl }: Given) {
  const { heartbeatMs = HEARTBEAT_MS, renewMs = RENEW_MS, ...bounds } = streamBounds;
  return {
    wallMs: wallMs ?? Date.now,
    elapsedMs: elapsedMs ?? (() => performance.now()),
    leases: streamLeases ?? null,
    bounds: { ...EVENT_BOUNDS, ...bounds },
    heartbeatMs,
    renewMs,
    stopping: stopping ?? new AbortController().signal,
    log,
    baseUrl,
  };
}
