// Temporal's native runtime: its log and its metrics. The process's signals are handled by us.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { Runtime } from '@temporalio/worker';
import type { Config } from '../config';
import type { Log } from '../log';
import { StartProblem } from '../process/until-ready';
import { runtimeLog } from './runtime-log';

/** Once per process, before everything else of the SDK. Returns the address of its metrics; null: it has none. */
export async function installRuntime({ telemetry }: Pick<Config, 'telemetry'>, log: Log): Promise<string | null> {
  const { sdkMetricsHost: host, sdkMetricsPort: port } = telemetry;
  const bindAddress = port === null ? null : `${host}:${port === 0 ? await freePort(host) : port}`;
  const metrics = bindAddress === null ? {} : { metrics: { prometheus: { bindAddress, countersTotalSuffix: true } } };
  const logging = { forward: {}, filter: { core: 'WARN', other: 'ERROR' } } as const;
  try {
    Runtime.install({ logger: runtimeLog(log), shutdownSignals: [], telemetryOptions: { logging, ...metrics } });
  } catch (error) {
    if (bindAddress === null) throw error;
    throw new StartProblem(
      `${bindAddress} cannot be used for the metrics of Temporal's SDK (${(error as Error).message}): ` +
        'set WORKER_SDK_METRICS_PORT to another port, to 0 (off) or to auto (a free one)',
    );
  }
  return bindAddress && `http://${bindAddress.replace(/^(0[.]0[.]0[.]0|\[::\])/, '127.0.0.1')}/metrics`;
}

/** The core does not report the port that it was given. */
async function freePort(host: string): Promise<number> {
  const server = createServer();
  await once(server.listen(0, host), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
