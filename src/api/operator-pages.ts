// Readiness and metrics of an API process, on the port for operators.
import type { Server } from 'node:http';
import { serveOperatorPages } from '../process/operator-pages';
import { askDatabase } from '../store/pg/answering';
import { METRICS_TYPE, metricsPage } from '../telemetry/metrics';
import type { Wiring } from '../wiring/service';

interface Watched {
  readonly server: Server;
  hasSchema(withinMs: number): Promise<void>;
  readonly stop: AbortSignal;
}

export function operatorPages({ config, log, pool }: Wiring, { server, hasSchema, stop }: Watched) {
  const { apiMetricsHost: host, apiMetricsPort: port } = config.telemetry;
  const listens = async (): Promise<void> => {
    if (!server.listening) throw new Error('it does not listen');
  };
  return serveOperatorPages(
    { host, port, setting: 'API_METRICS_PORT', log },
    [
      { name: 'database', ask: (ms) => askDatabase(pool, ms) },
      { name: 'schema', ask: hasSchema },
      { name: 'listener', ask: listens },
    ],
    async () => ({ status: 200, type: METRICS_TYPE, body: await metricsPage() }),
    stop,
  );
}
