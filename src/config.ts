// The only reader of the environment: every setting is checked once, at start-up, and a wrong one stops the process with a
// sentence that names it. No other file of the service may read `process.env`.
import { type Static, Type } from '@sinclair/typebox';
import Ajv, { type ErrorObject } from 'ajv';
import { BOOKMAKERS } from './domain/bookmakers';
import { BETSLIP_NAMES, unknownNames } from './domain/prices/betslip';
import { REGISTRY } from './domain/registry/registry';
import { type RaceClock, REAL_TIME } from './domain/time/clock';
import type { FeedEndpoint } from './feeds/feed';
import { readTrustedProxies, TRUSTED_PROXIES_FORM, type TrustedProxies } from './trusted-proxies';

export const WORKER_ROLES = ['workflows', 'poll', 'io'] as const;
export type WorkerRole = (typeof WORKER_ROLES)[number];

/** Where the simulator pushes the push-fed books; null: nowhere. */
interface PushTarget {
  readonly url: string;
  readonly key: string;
}

export interface Config {
  readonly databaseUrl: string;
  readonly databasePoolMax: number;
  readonly redisUrl: string;
  readonly temporal: { readonly address: string; readonly namespace: string; readonly uiUrl: string };
  readonly api: {
    readonly host: string;
    readonly port: number;
    readonly baseUrl: string;
    readonly maxConnections: number;
    readonly trustedProxies: TrustedProxies;
    readonly keylessPerMinute: number;
  };
  readonly worker: {
    readonly roles: readonly WorkerRole[];
    readonly healthPort: number;
    /** How many workers share the books' budgets while Redis is down; null: as many as have reported recently. */
    readonly count: number | null;
  };
  readonly simulator: {
    readonly host: string;
    readonly port: number;
    readonly url: string;
    readonly seed: string;
    readonly push: PushTarget | null;
    /** Scenarios that are on from the beginning; `book` null: at every book. */
    readonly faults: readonly { readonly scenario: string; readonly book: string | null }[];
    /** Where the simulated exchange streams; null: nowhere. */
    readonly streamPort: number | null;
  };
  readonly clock: RaceClock;
  /** By bookmaker key: every active polled book of the table (D19). */
  readonly feeds: Readonly<Record<string, FeedEndpoint>>;
  /** The thoroughbred registry. */
  readonly registry: FeedEndpoint;
  /** The greyhound registry, with its key (`settings.api_key`). */
  readonly topaz: FeedEndpoint;
  readonly telemetry: {
    /** Where the API serves `/metrics`; the worker does beside its health. */
    readonly apiMetricsPort: number;
    /** Where Temporal's SDK serves its own metrics for the worker to pass on; 0: nowhere. */
    readonly sdkMetricsPort: number;
    /** OTLP/HTTP collector for traces; null: none are made. */
    readonly tracesUrl: string | null;
    readonly tracesRatio: number;
  };
  /** By bookmaker key: calls that all workers together may send to the book (`FEED_TAB_PER_SECOND`; the burst keeps its proportion). */
  readonly feedRates: Readonly<Record<string, { readonly perSecond: number; readonly burst: number }>>;
  /** By bookmaker key: the template of its betslip links; a book without one has no link. */
  readonly betslip: Readonly<Record<string, string>>;
  readonly log: { readonly level: string };
}

const port = (usual: number) => Type.Integer({ minimum: 0, maximum: 65535, default: usual });
const text = (usual: string) => Type.String({ minLength: 1, default: usual });
const url = (scheme: string, usual?: string) => Type.String({ pattern: `^${scheme}://.+`, default: usual });

export const Environment = Type.Object({
  DATABASE_URL: url('postgres(ql)?', 'postgres://postgres@127.0.0.1:5432/racing'),
  DATABASE_POOL_MAX: Type.Integer({ minimum: 1, maximum: 500, default: 10 }),
  REDIS_URL: url('rediss?', 'redis://127.0.0.1:6379'),
  TEMPORAL_ADDRESS: text('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: text('default'),
  TEMPORAL_UI_URL: url('https?', 'http://127.0.0.1:8233'),
  API_HOST: text('127.0.0.1'),
  API_PORT: port(8080),
  API_MAX_CONNECTIONS: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 2000 }),
  BASE_URL: Type.Optional(url('https?')),
  TRUSTED_PROXIES: text('0'),
  API_KEYLESS_PER_MINUTE: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 6000 }),
  WORKER_ROLES: text(WORKER_ROLES.join(',')),
  WORKER_HEALTH_PORT: port(8081),
  WORKER_COUNT: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  SIMULATOR_HOST: text('127.0.0.1'),
  SIMULATOR_PORT: port(8090),
  SIMULATOR_URL: Type.Optional(url('https?')),
  SIMULATOR_SEED: text('racing'),
  SIMULATOR_STREAM_PORT: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535 })),
  SIMULATOR_FAULTS: Type.Optional(Type.String({ pattern: '^\\w+(:\\w+)?(,\\w+(:\\w+)?)*$' })),
  SIMULATOR_PUSH_URL: Type.Optional(url('https?')),
  SIMULATOR_PUSH_KEY: Type.Optional(Type.String({ minLength: 1 })),
  CLOCK_SPEED: Type.Number({ exclusiveMinimum: 0, maximum: 100_000, default: 1 }),
  CLOCK_ANCHOR: Type.Optional(Type.String({ minLength: 1 })),
  FEED_CONTACT: text('ops@racing-odds.example'),
  FEED_PARTNER: text('racing-odds-service'),
  FEED_TIMEOUT_MS: Type.Integer({ minimum: 100, maximum: 60_000, default: 5000 }),
  API_METRICS_PORT: port(0),
  WORKER_SDK_METRICS_PORT: port(0),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(url('https?')),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({ minimum: 0, maximum: 1, default: 1 }),
  LOG_LEVEL: Type.String({ pattern: '^(trace|debug|info|warn|error|fatal|silent)$', default: 'info' }),
});
type Environment = Static<typeof Environment>;

/** The one key that the simulator's Topaz accepts. */
export const SIMULATED_TOPAZ_KEY = 'simulated-topaz-key';

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Settings of this process. Empty variables count as unset. Throws `ConfigError` naming every variable that is wrong. */
export function loadConfig(variables: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const env = checked({ ...given });
  const simulatorUrl = env.SIMULATOR_URL ?? `http://127.0.0.1:${env.SIMULATOR_PORT}`;
  return deepFreeze({
    databaseUrl: env.DATABASE_URL,
    databasePoolMax: env.DATABASE_POOL_MAX,
    redisUrl: env.REDIS_URL,
    temporal: { address: env.TEMPORAL_ADDRESS, namespace: env.TEMPORAL_NAMESPACE, uiUrl: env.TEMPORAL_UI_URL },
    api: {
      host: env.API_HOST,
      port: env.API_PORT,
      baseUrl: trimSlash(env.BASE_URL ?? `http://127.0.0.1:${env.API_PORT}`),
      maxConnections: env.API_MAX_CONNECTIONS,
      trustedProxies: proxiesOf(env.TRUSTED_PROXIES),
      keylessPerMinute: env.API_KEYLESS_PER_MINUTE,
    },
    worker: {
      roles: rolesOf(env.WORKER_ROLES),
      healthPort: env.WORKER_HEALTH_PORT,
      count: env.WORKER_COUNT ?? null,
    },
    simulator: {
      host: env.SIMULATOR_HOST,
      port: env.SIMULATOR_PORT,
      url: trimSlash(simulatorUrl),
      seed: env.SIMULATOR_SEED,
      push: pushOf(env),
      faults: faultsOf(env.SIMULATOR_FAULTS ?? ''),
      streamPort: env.SIMULATOR_STREAM_PORT ?? null,
    },
    clock: clockOf(env),
    feeds: feedsOf(env, given, trimSlash(simulatorUrl)),
    registry: endpointOf(REGISTRY, env, given, trimSlash(simulatorUrl)),
    topaz: topazOf(env, given, trimSlash(simulatorUrl)),
    feedRates: ratesOf(given, env.CLOCK_SPEED),
    betslip: betslipOf(given),
    telemetry: {
      apiMetricsPort: env.API_METRICS_PORT,
      sdkMetricsPort: env.WORKER_SDK_METRICS_PORT,
      tracesUrl: env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
      tracesRatio: env.OTEL_TRACES_SAMPLER_ARG,
    },
    log: { level: env.LOG_LEVEL },
  });
}

const validate = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true }).compile(Environment);

function checked(values: Record<string, unknown>): Environment {
  if (validate(values)) return values as Environment;
  throw new ConfigError((validate.errors ?? []).map(sentence).join('; '));
}

const sentence = (error: ErrorObject): string => `${error.instancePath.slice(1) || 'environment'} ${error.message}`;

const trimSlash = (address: string): string => address.replace(/\/+$/, '');

function rolesOf(list: string): WorkerRole[] {
  return list.split(',').map((name) => {
    const role = WORKER_ROLES.find((known) => known === name.trim());
    if (!role) throw new ConfigError(`WORKER_ROLES has '${name}'; valid roles are ${WORKER_ROLES.join(', ')}`);
    return role;
  });
}

function proxiesOf(list: string): TrustedProxies {
  const proxies = readTrustedProxies(list);
  if (proxies === null) throw new ConfigError(`TRUSTED_PROXIES is '${list}'; it must be ${TRUSTED_PROXIES_FORM}`);
  return proxies;
}

function pushOf({ SIMULATOR_PUSH_URL: target, SIMULATOR_PUSH_KEY: key }: Environment): PushTarget | null {
  if (target === undefined && key === undefined) return null;
  if (target === undefined || key === undefined)
    throw new ConfigError('SIMULATOR_PUSH_URL and SIMULATOR_PUSH_KEY go together');
  return { url: trimSlash(target), key };
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

function feedsOf(
  env: Environment,
  variables: Readonly<Record<string, string | undefined>>,
  simulatorUrl: string,
): Record<string, FeedEndpoint> {
  const polled = BOOKMAKERS.filter((book) => book.status === 'active' && book.reach === 'polled');
  return Object.fromEntries(polled.map(({ key }) => [key, endpointOf(key, env, variables, simulatorUrl)]));
}

function endpointOf(
  key: string,
  env: Environment,
  variables: Readonly<Record<string, string | undefined>>,
  simulatorUrl: string,
): FeedEndpoint {
  return {
    baseUrl: trimSlash(variables[`FEED_${key.toUpperCase()}_URL`] ?? `${simulatorUrl}/${key}`),
    settings: settingsOf(`FEED_${key.toUpperCase()}_`, variables),
    contact: env.FEED_CONTACT,
    partner: env.FEED_PARTNER,
    timeoutMs: env.FEED_TIMEOUT_MS,
  };
}

/** The simulator's key goes to the simulator only. */
function topazOf(
  env: Environment,
  variables: Readonly<Record<string, string | undefined>>,
  simulatorUrl: string,
): FeedEndpoint {
  const endpoint = endpointOf('topaz', env, variables, simulatorUrl);
  if (variables.FEED_TOPAZ_URL !== undefined) return endpoint;
  return { ...endpoint, settings: { api_key: SIMULATED_TOPAZ_KEY, ...endpoint.settings } };
}

/** The table's rates are per race second, so a fast clock multiplies them. A variable is per wall second. */
function ratesOf(variables: Readonly<Record<string, string | undefined>>, speed: number): Config['feedRates'] {
  const rates = BOOKMAKERS.map(({ key, rate }) => {
    const name = `FEED_${key.toUpperCase()}_PER_SECOND`;
    const perSecond = Number(variables[name] ?? rate.perSecond * Math.max(1, speed));
    if (!(perSecond > 0 && perSecond <= 100_000)) throw new ConfigError(`${name} must be a number above 0`);
    return [key, { perSecond, burst: Math.max(1, (rate.burst * perSecond) / rate.perSecond) }];
  });
  return Object.fromEntries(rates);
}

/** Every other variable of the book: `FEED_BETFAIR_EX_AU_APP_KEY` is its `app_key`. */
function settingsOf(
  prefix: string,
  variables: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const own = Object.entries(variables).filter(
    ([name]) => name.startsWith(prefix) && ![`${prefix}URL`, `${prefix}PER_SECOND`].includes(name),
  );
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length).toLowerCase(), value!]));
}

/** `BETSLIP_UNIBET_TEMPLATE` sets or replaces the book's template. It may use the names in `BETSLIP_NAMES`. */
function betslipOf(variables: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const templates: Record<string, string> = {};
  for (const { key, betslip } of BOOKMAKERS) {
    const name = `BETSLIP_${key.toUpperCase()}_TEMPLATE`;
    const template = betslip && (variables[name] ?? betslip.template);
    if (!template) continue;
    const unknown = unknownNames(template);
    if (unknown.length > 0)
      throw new ConfigError(`${name} has '{${unknown[0]}}'; names are ${BETSLIP_NAMES.join(', ')}`);
    templates[key] = template;
  }
  return templates;
}

/** `rate_limited:sportsbet,venue_respelt`: the simulator checks the names of the scenarios. */
function faultsOf(list: string): { scenario: string; book: string | null }[] {
  const faults = list.split(',').filter((each) => each !== '');
  return faults.map((each) => {
    const [scenario = '', book = null] = each.split(':');
    return { scenario, book };
  });
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  return Object.freeze(value);
}
