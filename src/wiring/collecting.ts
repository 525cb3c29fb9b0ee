// Builds what a worker, and a command that collects, needs: feeds behind their gates and doors, and the activities'
// dependencies.
import { hostname } from 'node:os';
import type { Client } from '@temporalio/client';
import type { Redis } from 'ioredis';
import type { ActivityDeps, CollectDeps } from '../activities/deps';
import { cachedRunners } from '../activities/polling/card-runners';
import { startGateReports } from '../activities/polling/gate-reports';
import { createDoors } from '../activities/registry/doors';
import { createSigner } from '../bulk/manifest/signer';
import { bookmaker, EXPECTED_BOOKS } from '../domain/bookmakers';
import { REGISTRY } from '../domain/registry/registry';
import { streamSourceOf } from '../feeds/betfair/stream/source';
import type { Probes } from '../feeds/door/door';
import type { BudgetSource } from '../feeds/gate/budget';
import { createGate } from '../feeds/gate/gate';
import { createGatedFeeds } from '../feeds/gate/gated-feeds';
import { createBudgetSource } from '../feeds/gate/source';
import { observedSportsFeed } from '../feeds/observed-feed';
import { createRegistryFeed, type RegistryFeed } from '../feeds/racing-australia/fetch';
import { createRacingAustraliaResults } from '../feeds/racing-australia/results/fetch';
import { createRegistrySite } from '../feeds/racing-australia/site';
import type { ResultsRegistry } from '../feeds/results-registry';
import { createTheOddsApi, THE_ODDS_API } from '../feeds/the-odds-api/fetch';
import { createTopaz } from '../feeds/topaz/fetch';
import { createFileStore } from '../file-store/create-file-store';
import { monthlyCreditsOf } from '../plans/overage';
import { plansWith } from '../plans/rights';
import { observeBackups } from '../store/backups';
import { observeBookLists } from '../store/card/book-lists';
import { observeBacklog } from '../store/gauges/backlog';
import { observeFaultyCredits } from '../store/gauges/credit-faults';
import { observeFeedOfSports } from '../store/gauges/feed-of-sports';
import { watchLiveRaces } from '../store/polls/live-races';
import { observePollsAhead } from '../store/polls/polls-ahead';
import { createReads } from '../store/reads/reads';
import { createNoticeSender, withNotices } from '../store/redis/board-notices';
import { createRateBudget } from '../store/redis/rate-budget';
import { createRedis, observeRedis } from '../store/redis/redis';
import { createRegistryTurns } from '../store/redis/registry-turns';
import { observeOutboxAge } from '../store/webhooks/outbox-age';
import { createSender } from '../webhooks/send';
import type { Wiring } from './service';

/** The activities' dependencies in this process. */
export function activityDeps(wiring: Wiring, client: Client): ActivityDeps {
  const { config, log, stores, now, pool, closing } = wiring;
  const budgets = sharedBudgets(wiring);
  const { registry, ...registries } = registriesOf(wiring, client, budgets);
  reportUncollected(wiring);
  observePollsAhead(pool);
  const liveWatch = watchLiveRaces(pool, now);
  closing.push(liveWatch.stop);
  observeBacklog(pool, now);
  observeBackups(pool);
  observeBookLists(pool, now);
  observeFaultyCredits(pool);
  observeOutboxAge(pool, wiring.wallMs);
  const reads = createReads(pool);
  const sender = createSender({ ...config.webhooks, elapsedMs: () => performance.now() });
  closing.push(() => void sender.close());
  return {
    stores: { ...stores, quotes: withNotices(stores.quotes, createNoticeSender(budgets.redis, config)) },
    files: createFileStore(config.bulk),
    signer: createSigner(config.bulk.signingKeys),
    bulkReads: reads,
    boardReads: reads,
    wallMs: wiring.wallMs,
    monthlyCreditsOf,
    liveSlots: config.worker.slots.live,
    liveWatch,
    ...collectingFeeds(wiring, budgets),
    ...(registry && { registry }),
    ...registries,
    cardRunners: cachedRunners(stores.races, now),
    now,
    clock: config.clock,
    exchangeStream: streamSourceOf(config.feeds.betfair_ex_au),
    random: Math.random,
    heartbeatTimeoutMs: config.worker.heartbeatTimeoutMs,
    heartbeatMs: config.worker.heartbeatMs,
    client,
    log,
    apiBaseUrl: config.api.baseUrl,
    betslip: config.betslip,
    webhooks: { sender, plans: plansWith('webhooks') },
  };
}

/** The dependencies of an operator's command that collects published results. */
export function collectDeps(wiring: Wiring, client: Client): CollectDeps {
  const { config, log, stores, now } = wiring;
  return {
    stores,
    log,
    now,
    client,
    clock: config.clock,
    heartbeatTimeoutMs: config.worker.heartbeatTimeoutMs,
    resultsRegistries: registriesOf(wiring, client, sharedBudgets(wiring)).resultsRegistries,
  };
}

interface Registries {
  readonly registry: RegistryFeed | null;
  /** Those that publish full fields (D25). */
  readonly resultsRegistries: readonly ResultsRegistry[];
  readonly probes: Probes;
}

/** Fields and results of the thoroughbred registry are pages of one site, behind one door. */
function registriesOf({ config, now, stores, log }: Wiring, client: Client, { redis, source }: Budgets): Registries {
  const doors = createDoors({
    turns: createRegistryTurns(redis),
    source,
    levels: stores.doors,
    client,
    clock: config.clock,
    now,
    spacingMs: config.registrySpacingMs,
    callWithinMs: config.registry?.timeoutMs ?? config.topaz?.timeoutMs ?? 0,
    log,
  });
  const site = config.registry && createRegistrySite({ endpoint: config.registry, now, door: doors(REGISTRY) });
  const registry = site && createRegistryFeed(site);
  const topaz = config.topaz && createTopaz({ endpoint: config.topaz, now, door: doors('topaz') });
  return {
    registry,
    resultsRegistries: [...(site ? [createRacingAustraliaResults(site)] : []), ...(topaz ? [topaz] : [])],
    probes: new Map([
      ...(registry ? [[REGISTRY, registry.probe] as const] : []),
      ...(topaz ? [['topaz', topaz.probe] as const] : []),
    ]),
  };
}

/** In production a source without an address is not called. The log shows an operator the forgotten one. */
function reportUncollected({ config, log }: Wiring): void {
  const polled = EXPECTED_BOOKS.filter((key) => bookmaker(key)?.reach === 'polled');
  const sources = polled.filter((key) => !config.feeds[key]);
  if (!config.registry) sources.push(REGISTRY);
  if (!config.topaz) sources.push('topaz');
  if (sources.length > 0) log.warn({ sources }, 'sources without FEED_<KEY>_URL are not collected');
}

/** What all processes share about the books and registries, in Redis. */
interface Budgets {
  readonly redis: Redis;
  readonly source: BudgetSource;
  onWorkers(count: number): void;
}

function sharedBudgets({ config, log, closing }: Wiring): Budgets {
  const redis = createRedis(config.redisUrl);
  let isClosed = false;
  closing.push(() => {
    isClosed = true;
    redis.disconnect();
  });
  observeRedis(redis, 'budgets');
  let workers = config.worker.count ?? 1;
  const source = createBudgetSource({
    shared: createRateBudget(redis),
    workers: () => workers,
    onChange: (budget, err) => {
      // A command cut off by the end of this process is not an outage.
      if (isClosed) return;
      if (budget === 'shared') log.info({ budget }, 'Redis is back: the budgets of the books are shared again');
      else log.warn({ budget, workers, err }, 'Redis is down: this worker keeps to its own share of the budgets');
    },
  });
  const onWorkers = (count: number): void => {
    workers = config.worker.count ?? Math.max(1, count);
  };
  return { redis, source, onWorkers };
}

/** The feeds behind their gates; starts the periodic gate reports of this process. */
function collectingFeeds(
  { config, log, pool, stores, now, closing }: Wiring,
  { source, onWorkers }: Budgets,
): Pick<ActivityDeps, 'feeds' | 'sportsFeed'> {
  const { feeds, gates: ofBooks } = createGatedFeeds(config.feeds, config.feedRates, source, now);
  const gate = config.sportsFeed && createGate(THE_ODDS_API, config.sportsFeed.rate, source);
  const gates = new Map([...ofBooks, ...(gate ? [[THE_ODDS_API, gate] as const] : [])]);
  const worker = `${hostname()}:${process.pid}`;
  const reports = startGateReports({ gates, health: stores.health, worker, clock: config.clock, now, log, onWorkers });
  closing.push(reports.stop);
  if (gate) observeFeedOfSports(pool, THE_ODDS_API, now);
  const sportsFeed = gate && {
    feed: observedSportsFeed(createTheOddsApi({ ...config.sportsFeed!.endpoint, gate }, now)),
    monthlyCredits: config.sportsFeed!.monthlyCredits,
  };
  return { feeds, sportsFeed };
}
