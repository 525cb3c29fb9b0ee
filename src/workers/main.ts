// The worker process: workflow tasks, live pollers and short I/O, by its configured roles. On SIGTERM or SIGINT it
// takes no new task, hands over its live races and exits when the short I/O is done; a second signal ends it at once.
// Exits with 1 when it could not start or failed.
import '../telemetry/start';
import { setFlagsFromString } from 'node:v8';
import { activityFields } from '../activities/activity-context';
import { type Config, ConfigError, loadConfig } from '../config';
import { createLog } from '../log';
import { stopSignal } from '../process/stop-signal';
import { StartProblem } from '../process/until-ready';
import { stopTracing } from '../telemetry/tracing';
import { installRuntime } from './runtime';
import { runWorkerProcess } from './worker-process';

/** Wall, above every worker's `shutdownForceTime`, below the 40 s after which the container is killed. */
const DRAIN_MOST_MS = 35_000;

/**
 * Of the threads that run workflows: their isolates are made after this process's own, which keeps the size of its
 * command line. What lives for a moment in a workflow task is small; at V8's size each thread keeps ten MB more
 * (docs/performance/start-and-memory.md).
 */
const THREAD_YOUNG_MB = 2;

async function main(): Promise<void> {
  setFlagsFromString(`--max-semi-space-size=${THREAD_YOUNG_MB}`);
  const stop = stopSignal();
  const config = loadConfig();
  const log = createLog('worker', config.log.level, activityFields);
  stop.addEventListener('abort', () => {
    log.info({ signal: stop.reason }, 'stopping');
    setTimeout(() => failed(new Error('the worker did not drain in time'), config), DRAIN_MOST_MS).unref();
  });
  const sdkMetrics = await installRuntime(config, log);
  await runWorkerProcess({ config, log, stop, sdkMetrics });
  await stopTracing();
}

function failed(error: unknown, config?: Config): never {
  const log = createLog('worker', config?.log.level ?? 'error');
  if (error instanceof StartProblem || error instanceof ConfigError) log.fatal(error.message);
  else log.fatal({ err: error }, 'the worker failed');
  process.exit(1);
}

// Open connections and Temporal's native core must not keep the process alive.
main().then(() => process.exit(0), failed);
