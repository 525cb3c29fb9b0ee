// The registries' connectors in `/v1/health`. Thoroughbred fields before a race and results after it are different
// pages of one site: either may fail while the other works, so each has its own name.
import { bookmaker } from '../bookmakers';
import type { FieldSource } from '../results/field-coverage';
import { REGISTRY } from './registry';

/** The name of the connector that reads each registry's results. */
export const RESULTS_CONNECTOR: Readonly<Record<FieldSource, string>> = {
  racing_australia: `${REGISTRY}_results`,
  topaz: 'topaz',
};

export const REGISTRY_CONNECTORS: readonly string[] = [REGISTRY, ...Object.values(RESULTS_CONNECTOR)];

const OTHER_TITLES: Readonly<Record<string, string>> = {
  [REGISTRY]: 'Racing Australia fields',
  [RESULTS_CONNECTOR.racing_australia]: 'Racing Australia results',
  [RESULTS_CONNECTOR.topaz]: 'Topaz greyhound results',
  the_odds_api: 'The Odds API',
};

/** The connector's name for people: that of the bookmaker or the source, a registry's with the kind of page. */
export const connectorTitle = (key: string): string => bookmaker(key)?.title ?? OTHER_TITLES[key] ?? key;

/**
 * A registry is read every two hours, for minutes at a time: a registry without a response for longer than this has
 * missed a run.
 */
export const REGISTRY_STALE_SECONDS = 3 * 3600;
