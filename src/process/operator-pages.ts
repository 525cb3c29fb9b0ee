// What probes and Prometheus read about a process. It is there before the process serves, so that one that waits for a
// server is alive and not ready.
import {
  alive,
  json,
  type OperatorPage,
  type OperatorPlace,
  type OperatorServer,
  serveOperator,
} from './operator-server';
import { type Need, watchReadiness } from './readiness';
import { reasonOf } from './until-ready';

/** From `stop` on it is not ready at once, so that no balancer sends it anything new. Resolves when it listens. */
export async function serveOperatorPages(
  place: OperatorPlace,
  needs: readonly Need[],
  metrics: OperatorPage,
  stop: AbortSignal,
): Promise<Pick<OperatorServer, 'url' | 'close'>> {
  const readiness = watchReadiness(needs, reasonOf);
  const server = await serveOperator(place, {
    '/livez': alive,
    '/readyz': () => {
      const { ok, needs: each } = readiness.now();
      if (stop.aborted) return json(false, { status: 'stopping', ...each });
      return json(ok, { status: ok ? 'ok' : 'unavailable', ...each });
    },
    '/metrics': metrics,
  });
  return {
    url: server.url,
    close: () => {
      readiness.close();
      server.close();
    },
  };
}
