// Temporal's native runtime for tests that run workers in their own process: it logs only errors, and handles no signal
// of the process. It is installed once, because test files of one group share it.
import { DefaultLogger, Runtime } from '@temporalio/worker';

let installed = false;

export function installQuietRuntime(): void {
  if (installed) return;
  installed = true;
  const filter = { core: 'ERROR', other: 'ERROR' } as const;
  const telemetryOptions = { logging: { filter } };
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions, shutdownSignals: [] });
}
