// The simulated books and registries as of an instant of the past, which no other source can provide.
import type { PollDeps } from '../activities/deps';
import type { Config } from '../config';
import type { FeedEndpoint } from '../feeds/feed';
import { createRegistryFeed, type RegistryFeed } from '../feeds/racing-australia/fetch';
import { createRacingAustraliaResults } from '../feeds/racing-australia/results/fetch';
import { createRegistrySite } from '../feeds/racing-australia/site';
import { createFeeds } from '../feeds/registry';
import type { ResultsRegistry } from '../feeds/results-registry';
import { createTopaz } from '../feeds/topaz/fetch';
import type { Wiring } from './service';

/**
 * The dependencies of polls as of an instant of the past, from the simulated books: no other can provide it. Without
 * gates. `only`: these books; default: all.
 */
export function pastPolls({ config, log, stores }: Wiring, atMs: number, only?: readonly string[]): PollDeps {
  const now = (): number => atMs;
  const past = Object.entries(config.feeds).flatMap(([key, endpoint]) => {
    const asOf = only && !only.includes(key) ? null : asOfThen(config, endpoint, atMs);
    return asOf ? [[key, asOf] as const] : [];
  });
  const feeds = createFeeds(Object.fromEntries(past), now);
  return { stores, log, now, feeds, cardRunners: stores.races.runnersOf, deadlineOf: () => PAST_DEADLINE_MS };
}

/** Wall. The past is not urgent, and the simulator may be busy with the present. */
const PAST_DEADLINE_MS = 30_000;

interface PastRegistries {
  readonly registry: RegistryFeed | null;
  readonly resultsRegistries: readonly ResultsRegistry[];
}

/** The simulated registries as of an instant of the past. Without their pause. */
export function pastRegistries({ config }: Wiring, atMs: number): PastRegistries {
  const pace = { now: (): number => atMs, spacingMs: 0, wait: async () => undefined };
  const [registry, topaz] = [config.registry, config.topaz].map((one) => one && asOfThen(config, one, atMs));
  const site = registry ? createRegistrySite({ endpoint: registry, ...pace }) : null;
  return {
    registry: site && createRegistryFeed(site),
    resultsRegistries: [
      ...(site ? [createRacingAustraliaResults(site)] : []),
      ...(topaz ? [createTopaz({ endpoint: topaz, ...pace })] : []),
    ],
  };
}

/** Null: not the simulator's. */
function asOfThen({ simulator: { url } }: Config, endpoint: FeedEndpoint, atMs: number): FeedEndpoint | null {
  if (!endpoint.baseUrl.startsWith(`${url}/`)) return null;
  return { ...endpoint, baseUrl: endpoint.baseUrl.replace(url, `${url}/at/${atMs}`) };
}
