// The registries among the connectors of `/v1/health`. Thoroughbred fields before a race and results after it are two readings of one site, on
// other pages: either may fail while the other goes well, so each has its own name.
import type { FieldSource } from '../results/field-coverage';
import { REGISTRY } from './registry';

/** The reading of results, by whose they are. */
export const RESULTS_CONNECTOR: Readonly<Record<FieldSource, string>> = {
  racing_australia: `${REGISTRY}_results`,
  topaz: 'topaz',
};

export const REGISTRY_CONNECTORS: readonly string[] = [REGISTRY, ...Object.values(RESULTS_CONNECTOR)];

/** Read every two hours, for minutes on end: one that did not answer for longer has missed a run. */
export const REGISTRY_STALE_SECONDS = 3 * 3600;
