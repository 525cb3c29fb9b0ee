// The only reader of the environment: every setting is checked once, at start-up, and a wrong one stops the process
// with a sentence that names it. No other file of the service may read `process.env`.

import { REGISTRY } from '../domain/registry/registry';
import { type RaceClock, REAL_TIME } from '../domain/time/clock';
import type { FeedEndpoint } from '../feeds/feed';
import type { TrustedProxies } from '../trusted-proxies';
import { type BulkSettings, bulkOf } from './bulk';
import { originsOf, proxiesOf } from './callers';
import { type DatabaseSettings, databaseOf } from './database';
import {
  ConfigError,
  checked,
  type Environment,
  portOf,
  refuse,
  trimSlash,
  type Variables,
  WORKER_ROLES,
} from './environment';
import { feedProblems } from './feed-settings';
import {
  betslipOf,
  endpointOf,
  type FeedRates,
  feedsOf,
  ratesOf,
  type SportsFeedSettings,
  sportsFeedOf,
  topazOf,
} from './feeds';
import { productionProblems } from './production';
import { type SecretKeys, secretKeysOf } from './secrets';
import { faultsOf, type PushTarget, pushOf } from './simulator';
import { type StripeAccount, stripeOf } from './stripe';
import { type TemporalTarget, temporalOf } from './temporal';
import { databaseReached, type Hops, redisReached, temporalReached } from './transport';
import { type WebhookRules, webhooksOf } from './webhooks';
import { heartbeatsOf, slotsOf, type WorkerSlots } from './worker';

export { DEVELOPMENT_SIGNING_KEY } from './bulk';
export { ConfigError, Environment, WORKER_ROLES } from './environment';
export { SIMULATED_ODDS_KEY, SIMULATED_TOPAZ_KEY } from './feeds';
export type { WorkerSlots } from './worker';

export type WorkerRole = (typeof WORKER_ROLES)[number];

export interface Config extends DatabaseSettings {
  /** Whether a worker or an API process ends if its login is a superuser. */
  readonly refusesSuperuser: boolean;
  readonly redisUrl: string;
  /** How the servers are reached. */
  readonly reached: Hops;
  /** Whether the network between the machines is named as private. */
  readonly insecureTransport: boolean;
  /** Of this process's image; null: not known. */
  readonly imageDigest: string | null;
  readonly temporal: TemporalTarget & { readonly uiUrl: string };
  /** Wall. How long a starting process waits for its servers before it gives up. */
  readonly startWithinMs: number;
  readonly api: {
    readonly host: string;
    readonly port: number;
    readonly baseUrl: string;
    /** Where else the service's own pages are opened. */
    readonly otherOrigins: readonly string[];
    /** Of its connections. */
    readonly limits: {
      readonly connections: number;
      readonly connectionsPerAddress: number;
      readonly keepAliveMs: number;
    };
    /** Wall time. From the order to stop on it is not ready, and accepts connections for this long. */
    readonly stopDelayMs: number;
    readonly trustedProxies: TrustedProxies;
    readonly keylessPerMinute: number;
    /** Where vulnerabilities are reported, as a URI; null: nowhere. */
    readonly securityContact: string | null;
    /** For customers; as the one above. */
    readonly contact: string | null;
  };
  /** The keys that seal secrets in the database; the first is the one that `ops secrets seal` has sealed under. */
  readonly secretKeys: SecretKeys;
  readonly mail: {
    /** Null: there is no mail server, and mails are written to `folder`. */
    readonly smtpUrl: string | null;
    readonly from: string;
    /** Null as well: mails wait in the database until there is a server. */
    readonly folder: string | null;
  };
  readonly worker: {
    readonly roles: readonly WorkerRole[];
    readonly slots: WorkerSlots;
    readonly healthHost: string;
    /** Null: health is not served; 0: on a free port. */
    readonly healthPort: number | null;
    /** Wall. The most between two heartbeats of a long activity that reach Temporal. */
    readonly heartbeatMs: number;
    /** Wall time. A race whose poller was silent for this long is taken over by another worker. */
    readonly heartbeatTimeoutMs: number;
    /** How many workers share the books' budgets while Redis is down; null: as many as have reported recently. */
    readonly count: number | null;
    /** Names this build of the code to Temporal, which then routes work by build; null: work goes to any worker. */
    readonly build: string | null;
  };
  readonly simulator: {
    readonly host: string;
    readonly port: number;
    readonly url: string;
    readonly seed: string;
    readonly intervalMinutes: number;
    readonly push: PushTarget | null;
    /** Scenarios that are on from the beginning; `book` null: at every book. */
    readonly faults: readonly { readonly scenario: string; readonly book: string | null }[];
    /** Where the simulated exchange streams; null: nowhere. */
    readonly streamPort: number | null;
  };
  readonly clock: RaceClock;
  /** By bookmaker key: every active polled book of the table (D19); in production, those that have an address. */
  readonly feeds: Readonly<Record<string, FeedEndpoint>>;
  /** The thoroughbred registry. Null: it has no address, so it is not read. */
  readonly registry: FeedEndpoint | null;
  /** Race time between the end of a registry's page and the start of the next, over all processes. */
  readonly registrySpacingMs: number;
  /** The greyhound registry, with its key (`settings.api_key`). Null: as above. */
  readonly topaz: FeedEndpoint | null;
  /** The feed of sports. Null: it has no address, no key or no monthly budget. */
  readonly sportsFeed: SportsFeedSettings | null;
  readonly telemetry: {
    /** Where the API serves `/metrics`, the worker does beside its health; port null: nowhere, 0: on a free one. */
    readonly apiMetricsHost: string;
    readonly apiMetricsPort: number | null;
    /** Where Temporal's SDK serves its own metrics, which the worker passes on; as above. */
    readonly sdkMetricsHost: string;
    readonly sdkMetricsPort: number | null;
    /** OTLP/HTTP collector for traces; null: none are made. */
    readonly tracesUrl: string | null;
    readonly tracesRatio: number;
  };
  /**
   * By bookmaker key: calls that all workers together may send to the book (`FEED_TAB_PER_SECOND`; the burst keeps its
   * proportion).
   */
  readonly feedRates: FeedRates;
  /** By bookmaker key: the template of its betslip links; a book without one has no link. */
  readonly betslip: Readonly<Record<string, string>>;
  /** Null: nothing can be paid, and plans are changed with the CLI (D15). */
  readonly stripe: StripeAccount | null;
  /** Where bulk files are stored: in the folder, unless `s3` is set. With the keys of their manifests. */
  readonly bulk: BulkSettings;
  /** Where webhooks may be posted to, besides public https addresses (D60). */
  readonly webhooks: WebhookRules;
  readonly log: { readonly level: string };
}

/**
 * Settings of this process. Empty variables count as unset. Throws `ConfigError` naming every variable that is wrong.
 * `serves` false: of a command, for which less has to be set.
 */
export function loadConfig(variables: Variables = process.env, { serves } = { serves: true }): Config {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const env = checked({ ...given });
  const isProduction = env.NODE_ENV === 'production';
  const temporal = temporalOf(env, given);
  const reached = {
    database: databaseReached(env.DATABASE_URL, given),
    direct: databaseReached(env.DATABASE_DIRECT_URL ?? env.DATABASE_URL, given),
    replica: databaseReached(env.DATABASE_READ_URL ?? env.DATABASE_URL, given),
    redis: redisReached(env.REDIS_URL),
    temporal: temporalReached(temporal),
  };
  refuse([...feedProblems(given), ...(isProduction ? productionProblems(env, given, { reached, serves }) : [])]);
  const simulatorUrl = trimSlash(env.SIMULATOR_URL ?? `http://127.0.0.1:${env.SIMULATOR_PORT}`);
  // Simulated prices under a real book's name would be sold: in production the simulator is used only if a setting
  // names it.
  const isSimulated = !isProduction || env.SIMULATOR_URL !== undefined;
  const sources = { env, variables: given, simulatorUrl: isSimulated ? simulatorUrl : null };
  return deepFreeze({
    ...databaseOf(env),
    refusesSuperuser: isProduction,
    redisUrl: env.REDIS_URL,
    reached,
    insecureTransport: env.INSECURE_TRANSPORT === 'private-network',
    imageDigest: env.IMAGE_DIGEST ?? null,
    temporal: { ...temporal, uiUrl: env.TEMPORAL_UI_URL },
    startWithinMs: env.START_WITHIN_SECONDS * 1000,
    api: apiOf(env),
    secretKeys: secretKeysOf(env.SECRET_KEYS ?? ''),
    mail: {
      smtpUrl: env.SMTP_URL ?? null,
      from: env.MAIL_FROM,
      folder: env.MAIL_FOLDER ?? (isProduction ? null : '.local/mails'),
    },
    worker: {
      roles: rolesOf(env.WORKER_ROLES),
      slots: slotsOf(env),
      healthHost: env.WORKER_HEALTH_HOST,
      healthPort: portOf('WORKER_HEALTH_PORT', env.WORKER_HEALTH_PORT),
      ...heartbeatsOf(env),
      count: env.WORKER_COUNT ?? null,
      build: env.WORKER_BUILD_ID ?? null,
    },
    simulator: simulatorOf(env, simulatorUrl),
    clock: clockOf(env),
    feeds: feedsOf(sources),
    registry: endpointOf(REGISTRY, sources),
    topaz: topazOf(sources),
    sportsFeed: sportsFeedOf(sources),
    registrySpacingMs: env.FEED_REGISTRY_SPACING_MS,
    feedRates: ratesOf(given, env.CLOCK_SPEED),
    betslip: betslipOf(given),
    telemetry: telemetryOf(env),
    stripe: stripeOf(env),
    bulk: bulkOf(env),
    webhooks: webhooksOf(env),
    log: { level: env.LOG_LEVEL },
  });
}

const apiOf = (env: Environment): Config['api'] => ({
  host: env.API_HOST,
  port: env.API_PORT,
  baseUrl: trimSlash(env.BASE_URL ?? `http://127.0.0.1:${env.API_PORT}`),
  otherOrigins: originsOf(env.OTHER_ORIGINS ?? '', env.BASE_URL ?? 'http:'),
  limits: {
    connections: env.API_MAX_CONNECTIONS,
    connectionsPerAddress: env.API_MAX_CONNECTIONS_PER_ADDRESS,
    keepAliveMs: env.API_KEEP_ALIVE_SECONDS * 1000,
  },
  stopDelayMs: env.API_STOP_DELAY_SECONDS * 1000,
  trustedProxies: proxiesOf(env.TRUSTED_PROXIES),
  keylessPerMinute: env.API_KEYLESS_PER_MINUTE,
  securityContact: env.SECURITY_CONTACT ?? null,
  contact: env.CONTACT ?? null,
});

const telemetryOf = (env: Environment): Config['telemetry'] => ({
  apiMetricsHost: env.API_METRICS_HOST,
  apiMetricsPort: portOf('API_METRICS_PORT', env.API_METRICS_PORT),
  sdkMetricsHost: env.WORKER_SDK_METRICS_HOST,
  sdkMetricsPort: portOf('WORKER_SDK_METRICS_PORT', env.WORKER_SDK_METRICS_PORT),
  tracesUrl: env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
  tracesRatio: env.OTEL_TRACES_SAMPLER_ARG,
});

/**
 * These roles had the work of the others before those existed: a deployment that names only them still serves every
 * queue.
 */
const IMPLIED: Readonly<Partial<Record<WorkerRole, WorkerRole>>> = { io: 'decisions', poll: 'exchange' };

function rolesOf(list: string): WorkerRole[] {
  const named = list.split(',').map((name) => {
    const role = WORKER_ROLES.find((known) => known === name.trim());
    if (!role) throw new ConfigError(`WORKER_ROLES has '${name}'; valid roles are ${WORKER_ROLES.join(', ')}`);
    return role;
  });
  return [...new Set(named.flatMap((role) => [role, IMPLIED[role] ?? role]))];
}

// A fast clock needs an anchor that all processes share, or each would be on a day of its own.
function clockOf(env: Environment): RaceClock {
  if (env.CLOCK_ANCHOR === undefined) {
    if (env.CLOCK_SPEED === 1) return REAL_TIME;
    throw new ConfigError('CLOCK_SPEED other than 1 needs CLOCK_ANCHOR, one instant for all processes');
  }
  const anchorMs = /^\d+$/.test(env.CLOCK_ANCHOR) ? Number(env.CLOCK_ANCHOR) : Date.parse(env.CLOCK_ANCHOR);
  if (Number.isNaN(anchorMs)) throw new ConfigError('CLOCK_ANCHOR must be an ISO 8601 instant or epoch milliseconds');
  return { anchorMs, speed: env.CLOCK_SPEED };
}

const simulatorOf = (env: Environment, url: string): Config['simulator'] => ({
  host: env.SIMULATOR_HOST,
  port: env.SIMULATOR_PORT,
  url,
  seed: env.SIMULATOR_SEED,
  intervalMinutes: env.SIMULATOR_INTERVAL_MINUTES,
  push: pushOf(env),
  faults: faultsOf(env.SIMULATOR_FAULTS ?? ''),
  streamPort: env.SIMULATOR_STREAM_PORT ?? null,
});

function deepFreeze<T extends object>(value: T): T {
  // The bytes of a certificate cannot be frozen.
  if (ArrayBuffer.isView(value)) return value;
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  return Object.freeze(value);
}
