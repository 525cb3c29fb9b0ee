// Calls the API from outside its process, so that uptime is measured and never assumed (A 4.13). A check that cannot be
// written, as while the database is away, is written by a later one of this process.
import type { UptimeCheck } from '../../store/health';
import { isUnreachable } from '../../store/pg/unreachable';
import { type ActivityDeps, instantNow } from '../deps';

const LONGEST_MS = 5000;
/** Of a day. */
const MOST_UNWRITTEN = 1440;

type UptimeDeps = Pick<ActivityDeps, 'apiBaseUrl' | 'now' | 'log'> & {
  readonly stores: Pick<ActivityDeps['stores'], 'health'>;
};

/** `most`: checks that wait to be written; the oldest is lost first. */
export function createUptimeProbe(deps: UptimeDeps, most = MOST_UNWRITTEN): () => Promise<void> {
  let unwritten: readonly UptimeCheck[] = [];
  return async () => {
    const target = `${deps.apiBaseUrl}/healthz`;
    const at = instantNow(deps);
    const began = performance.now();
    const ok = await isUp(target);
    unwritten = [...unwritten, { at, ok, latencyMs: performance.now() - began, target }].slice(-most);
    const written = unwritten;
    try {
      await deps.stores.health.recordUptime(written);
    } catch (err) {
      if (!isUnreachable(err)) throw err;
      deps.log.warn({ err, unwritten: unwritten.length }, 'uptime checks wait for the database');
      return;
    }
    unwritten = unwritten.filter((check) => !written.includes(check));
  };
}

async function isUp(target: string): Promise<boolean> {
  try {
    const response = await fetch(target, { signal: AbortSignal.timeout(LONGEST_MS) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
