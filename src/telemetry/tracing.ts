// Traces are loaded where a collector is configured, and nowhere else: their SDK and its instrumentations are 290
// files, which would stay in the memory of every process.
import type * as Traces from './traces';

let loaded: typeof Traces | null = null;

export function startTracing(...settings: Parameters<typeof Traces.startTraces>): void {
  loaded = require('./traces') as typeof Traces;
  loaded.startTraces(...settings);
}

export async function stopTracing(): Promise<void> {
  await loaded?.stopTraces();
}
