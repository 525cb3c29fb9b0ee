// The worker process: workflow tasks, live pollers and short I/O, by its configured roles. On SIGTERM or SIGINT it takes no new task, hands
// over its live races and exits when the short I/O is done.
import '../telemetry/start';
import { NativeConnection, Runtime } from '@temporalio/worker';
import { createActivities } from '../activities';
import { type Config, loadConfig } from '../config';
import { createLog, type Log } from '../log';
import { stopTraces } from '../telemetry/traces';
import { activityDeps, connectTemporal, createWiring } from '../wiring';
import { createWorkers } from './create-workers';
import { startHealth } from './health';
import { runtimeLog } from './runtime-log';
import { ensureSchedules } from './schedules';

async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLog('worker', config.log.level);
  Runtime.install({
    logger: runtimeLog(log),
    telemetryOptions: {
      logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } },
      ...sdkMetrics(config.telemetry.sdkMetricsPort),
    },
  });
  await work(config, log);
}

const sdkMetrics = (port: number) =>
  port === 0 ? {} : { metrics: { prometheus: { bindAddress: `127.0.0.1:${port}`, countersTotalSuffix: true } } };

async function work(config: Config, log: Log): Promise<void> {
  const { address, namespace } = config.temporal;
  const wiring = createWiring(config, log);
  const temporal = await connectTemporal(config);
  const connection = await NativeConnection.connect({ address });
  const streams = config.feeds.betfair_ex_au?.settings?.stream !== undefined;
  const activities = createActivities(activityDeps(wiring, temporal.client));
  const workers = await createWorkers({ connection, namespace, roles: config.worker.roles, activities });
  const health = await startHealth(config.worker.healthPort, workers, config.telemetry.sdkMetricsPort);
  const running = Promise.all([...workers.values()].map((worker) => worker.run()));
  if (config.worker.roles.includes('io')) await ensureSchedules(temporal.client, config.clock, streams);
  log.info({ roles: config.worker.roles, address, namespace, health: health.url }, 'worker ready');
  await running;
  health.close();
  await connection.close();
  await temporal.close();
  await wiring.close();
  await stopTraces();
  log.info('worker stopped');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
