// The state of the service as all pages show it, from one reading.
import { timedCache } from '../board/timed-cache';
import type { AboutSource, ServiceStatus } from './model';

/** At most one reading in this time, however many call. Wall. */
const READ_EVERY_SECONDS = 15;

/** `speed`: race seconds per wall second. */
export function statusReader(about: AboutSource, now: () => number, speed: number): () => Promise<ServiceStatus> {
  const cached = timedCache<ServiceStatus>(READ_EVERY_SECONDS * 1000 * speed, 1);
  return async () => {
    const nowMs = now();
    return (await cached.get('', nowMs, () => about.status(nowMs))).value;
  };
}
