// What a worker process reports to operators over HTTP: that it lives, that it is ready, whether its queues are served,
// and its metrics with those of Temporal's SDK on one page.
import type { Worker } from '@temporalio/worker';
import { alive, json, type OperatorPlace, type OperatorServer, serveOperator } from '../process/operator-server';
import type { ReadinessWatch } from '../process/readiness';
import { METRICS_TYPE, metricsPage } from '../telemetry/metrics';

/** Fills up as the process starts. */
export interface WorkerState {
  workers: ReadonlyMap<string, Pick<Worker, 'getState'>> | null;
  readiness: ReadinessWatch | null;
}

/** `sdkMetrics`: the address of the SDK's own page; null: it has none. */
export function serveHealth(
  place: OperatorPlace,
  state: WorkerState,
  sdkMetrics: string | null,
): Promise<OperatorServer> {
  return serveOperator(place, {
    '/livez': alive,
    '/readyz': () => {
      const { ok, workers } = served(state);
      const readiness = state.readiness?.now();
      const ready = ok && readiness?.ok === true;
      return json(ready, { status: ready ? 'ok' : 'unavailable', workers, ...readiness?.needs });
    },
    '/healthz': () => {
      const { ok, workers } = served(state);
      return json(ok, { status: ok ? 'ok' : 'unavailable', workers });
    },
    '/metrics': async () => {
      const pages = await Promise.all([metricsPage(), sdkPage(sdkMetrics)]);
      return { status: 200, type: METRICS_TYPE, body: pages.join('') };
    },
  });
}

function served({ workers }: WorkerState) {
  const states = Object.fromEntries([...(workers ?? [])].map(([role, worker]) => [role, worker.getState()]));
  return { ok: workers !== null && Object.values(states).every((state) => state === 'RUNNING'), workers: states };
}

/** While it does not answer the page has only ours. */
async function sdkPage(url: string | null): Promise<string> {
  if (url === null) return '';
  const reply = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => null);
  return reply?.ok ? reply.text() : '';
}
