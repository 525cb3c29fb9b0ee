// Starts metrics and, where a collector is configured, traces. A process entry imports this first, for its effect:
// instrumentations only reach modules that are loaded after them. A wrong setting is left to the entry, which reports
// it.
import { basename, dirname } from 'node:path';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { type Config, ConfigError, loadConfig } from '../config';
import { startMetrics } from './metrics';
import { startTracing } from './tracing';

/** `api`, `workers`: the folder of the entry. */
const processName = basename(dirname(process.argv[1] ?? 'process'));

function start({ telemetry }: Config): void {
  const resource = resourceFromAttributes({ 'service.namespace': 'racing-odds', 'service.name': processName });
  startMetrics(resource);
  if (telemetry.tracesUrl !== null) startTracing(resource, telemetry.tracesUrl, telemetry.tracesRatio);
}

try {
  start(loadConfig());
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
}
