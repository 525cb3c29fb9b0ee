// Traces are loaded where a collector is configured, and nowhere else: their SDK and its instrumentations are 290
// files, which would stay in the memory of every process.
import type * as Traces from './traces';

let stop: typeof Traces.stopTraces | null = null;

export function startTracing(...settings: Parameters<typeof Traces.startTraces>): void {
  const traces = require('./traces') as typeof Traces;
  traces.startTraces(...settings);
  stop = traces.stopTraces;
}

export const stopTracing = async (): Promise<void> => stop?.();
