// Calls the API from outside its process, so that uptime is measured and never assumed (A 4.13).
import { type ActivityDeps, instantNow } from '../deps';

const LONGEST_MS = 5000;

export async function probeUptime(deps: ActivityDeps): Promise<void> {
  const target = `${deps.apiBaseUrl}/healthz`;
  const at = instantNow(deps);
  const began = performance.now();
  const ok = await isUp(target);
  await deps.stores.health.recordUptime({ at, ok, latencyMs: performance.now() - began, target });
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
