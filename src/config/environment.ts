// The environment as a schema, and its validation: a wrong variable stops the process with a sentence that names it.
import { type Static, Type } from '@sinclair/typebox';
import Ajv, { type ErrorObject } from 'ajv';

export const WORKER_ROLES = [
  'workflows',
  'poll',
  'exchange',
  'io',
  'decisions',
  'forms',
  'backfill',
  'webhooks',
] as const;

/** Variables as the process gets them, without the empty ones. */
export type Variables = Readonly<Record<string, string | undefined>>;

const port = (usual: number) => Type.Integer({ minimum: 0, maximum: 65535, default: usual });
/** A port that can be switched off: `0` is off, `auto` a free one. */
const portOrNone = (usual: string) => Type.String({ pattern: '^(auto|\\d{1,5})$', default: usual });
const slots = (usual: number) => Type.Integer({ minimum: 1, maximum: 100_000, default: usual });
const text = (usual: string) => Type.String({ minLength: 1, default: usual });
const url = (scheme: string, usual?: string) => Type.String({ pattern: `^${scheme}://.+`, default: usual });

/** `jo@example.com` or `Name <jo@example.com>`, on one line. */
const MAIL_FROM_FORM = '^([^<>@\\r\\n]*<[^<>@\\s]+@[^<>@\\s]+>|[^<>@\\s]+@[^<>@\\s]+)$';

export const Environment = Type.Object({
  NODE_ENV: Type.Optional(Type.String()),
  DATABASE_URL: url('postgres(ql)?', 'postgres://postgres@127.0.0.1:5432/racing'),
  DATABASE_DIRECT_URL: Type.Optional(url('postgres(ql)?')),
  DATABASE_POOL_MAX: Type.Integer({ minimum: 1, maximum: 500, default: 10 }),
  DATABASE_STREAM_POOL_MAX: Type.Integer({ minimum: 1, maximum: 100, default: 3 }),
  DATABASE_CONNECT_TIMEOUT_MS: Type.Integer({ minimum: 100, maximum: 600_000, default: 10_000 }),
  DATABASE_QUERY_TIMEOUT_MS: Type.Integer({ minimum: 100, maximum: 600_000, default: 10_000 }),
  DATABASE_READ_URL: Type.Optional(url('postgres(ql)?')),
  DATABASE_READ_MAX_AGE_MS: Type.Integer({ minimum: 500, maximum: 5000, default: 2000 }),
  REDIS_URL: url('rediss?', 'redis://127.0.0.1:6379'),
  INSECURE_TRANSPORT: Type.Optional(Type.String({ pattern: '^private-network$' })),
  IMAGE_DIGEST: Type.Optional(Type.String({ pattern: '^sha256:[0-9a-f]{64}$' })),
  TEMPORAL_ADDRESS: text('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: text('default'),
  TEMPORAL_API_KEY: Type.Optional(Type.String()),
  TEMPORAL_TLS: Type.Optional(Type.String({ pattern: '^(true|false|0|1)$' })),
  TEMPORAL_TLS_CLIENT_CERT_PATH: Type.Optional(Type.String()),
  TEMPORAL_TLS_CLIENT_CERT_DATA: Type.Optional(Type.String()),
  TEMPORAL_TLS_CLIENT_KEY_PATH: Type.Optional(Type.String()),
  TEMPORAL_TLS_CLIENT_KEY_DATA: Type.Optional(Type.String()),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: Type.Optional(Type.String()),
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: Type.Optional(Type.String()),
  TEMPORAL_TLS_SERVER_NAME: Type.Optional(Type.String()),
  TEMPORAL_CONFIG_FILE: Type.Optional(Type.String()),
  TEMPORAL_PROFILE: Type.Optional(Type.String()),
  TEMPORAL_UI_URL: url('https?', 'http://127.0.0.1:8233'),
  API_HOST: text('127.0.0.1'),
  API_PORT: port(8080),
  API_MAX_CONNECTIONS: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 2000 }),
  API_MAX_CONNECTIONS_PER_ADDRESS: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 256 }),
  API_KEEP_ALIVE_SECONDS: Type.Integer({ minimum: 1, maximum: 3600, default: 65 }),
  API_STOP_DELAY_SECONDS: Type.Integer({ minimum: 0, maximum: 60, default: 0 }),
  BASE_URL: Type.Optional(url('https?')),
  OTHER_ORIGINS: Type.Optional(Type.String()),
  TRUSTED_PROXIES: text('0'),
  SECURITY_CONTACT: Type.Optional(Type.String({ pattern: '^(mailto:[^\\s@]+@[^\\s@]+|https://\\S+)$' })),
  CONTACT: Type.Optional(Type.String({ pattern: '^(mailto:[^\\s@]+@[^\\s@]+|https://\\S+)$' })),
  API_KEYLESS_PER_MINUTE: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 6000 }),
  WORKER_ROLES: text(WORKER_ROLES.join(',')),
  WORKER_LIVE_SLOTS: slots(200),
  WORKER_IO_SLOTS: slots(100),
  WORKER_BACKFILL_SLOTS: slots(5),
  WORKER_WEBHOOK_SLOTS: slots(500),
  WORKER_WEBHOOK_RETRY_SLOTS: slots(100),
  WORKER_CACHED_WORKFLOWS: slots(5000),
  WORKER_HEALTH_HOST: text('127.0.0.1'),
  WORKER_HEALTH_PORT: portOrNone('8081'),
  START_WITHIN_SECONDS: Type.Integer({ minimum: 1, maximum: 86_400, default: 300 }),
  WORKER_HEARTBEAT_SECONDS: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
  HEARTBEAT_TIMEOUT_SECONDS: Type.Integer({ minimum: 10, maximum: 120, default: 20 }),
  WORKER_BUILD_ID: Type.Optional(Type.String({ pattern: '^[\\w.-]{1,64}$' })),
  WORKER_COUNT: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  SIMULATOR_HOST: text('127.0.0.1'),
  SIMULATOR_PORT: port(8090),
  SIMULATOR_URL: Type.Optional(url('https?')),
  SIMULATOR_SEED: text('racing'),
  SIMULATOR_INTERVAL_MINUTES: Type.Number({ minimum: 3, maximum: 15, default: 4.5 }),
  SIMULATOR_STREAM_PORT: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535 })),
  SIMULATOR_FAULTS: Type.Optional(Type.String({ pattern: '^\\w+(:\\w+)?(,\\w+(:\\w+)?)*$' })),
  SIMULATOR_PUSH_URL: Type.Optional(url('https?')),
  SIMULATOR_PUSH_KEY: Type.Optional(Type.String({ minLength: 1 })),
  CLOCK_SPEED: Type.Number({ exclusiveMinimum: 0, maximum: 100_000, default: 1 }),
  CLOCK_ANCHOR: Type.Optional(Type.String({ minLength: 1 })),
  FEED_CONTACT: text('ops@racing-odds.example'),
  FEED_PARTNER: text('racing-odds-service'),
  FEED_TIMEOUT_MS: Type.Integer({ minimum: 100, maximum: 60_000, default: 5000 }),
  FEED_REGISTRY_SPACING_MS: Type.Integer({ minimum: 0, maximum: 60_000, default: 1000 }),
  SECRET_KEYS: Type.Optional(Type.String()),
  SMTP_URL: Type.Optional(url('smtps?')),
  MAIL_FROM: Type.String({ pattern: MAIL_FROM_FORM, default: 'Racing odds <no-reply@racing-odds.example>' }),
  MAIL_FOLDER: Type.Optional(Type.String()),
  API_METRICS_HOST: text('127.0.0.1'),
  API_METRICS_PORT: portOrNone('8082'),
  WORKER_SDK_METRICS_HOST: text('127.0.0.1'),
  WORKER_SDK_METRICS_PORT: portOrNone('8083'),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(url('https?')),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({ minimum: 0, maximum: 1, default: 1 }),
  STRIPE_SECRET_KEY: Type.Optional(Type.String({ pattern: '^(sk|rk)_\\w+$' })),
  STRIPE_WEBHOOK_SECRET: Type.Optional(Type.String({ pattern: '^whsec_\\S+$' })),
  STRIPE_TAX: Type.Optional(Type.String({ pattern: '^(automatic|none|rate:txr_\\w+)$' })),
  STRIPE_API_BASE: Type.Optional(url('https?')),
  BULK_FOLDER: text('.local/bulk'),
  BULK_S3_BUCKET: Type.Optional(Type.String({ minLength: 1 })),
  BULK_S3_PREFIX: Type.String({ pattern: '^([\\w.-]+/)*$', default: '' }),
  BULK_S3_REGION: text('us-east-1'),
  BULK_S3_ENDPOINT: Type.Optional(url('https?')),
  BULK_S3_ACCESS_KEY_ID: Type.Optional(Type.String()),
  BULK_S3_SECRET_ACCESS_KEY: Type.Optional(Type.String()),
  BULK_SIGNING_KEYS: Type.Optional(Type.String()),
  WEBHOOKS_ALLOW_LOOPBACK: Type.Boolean({ default: false }),
  WEBHOOKS_ALLOW_HTTP: Type.Boolean({ default: false }),
  WEBHOOKS_TEST_CA: Type.Optional(Type.String({ minLength: 1 })),
  LOG_LEVEL: Type.String({ pattern: '^(trace|debug|info|warn|error|fatal|silent)$', default: 'info' }),
});
export type Environment = Static<typeof Environment>;

export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(message: string) {
    super(message);
    // The mistake is the operator's: our stack frames add nothing, and hide the sentence.
    this.stack = `ConfigError: ${message}`;
  }
}

const validate = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true }).compile(Environment);

/** The variables, converted and with defaults. Throws `ConfigError` naming every one that is wrong. */
export function checked(values: Record<string, unknown>): Environment {
  const isValid = validate(values);
  refuse(isValid ? [] : (validate.errors ?? []).map(sentence));
  return values as Environment;
}

const sentence = (error: ErrorObject): string => `${error.instancePath.slice(1) || 'environment'} ${error.message}`;

/** Throws one `ConfigError` of all sentences, if there are any. */
export function refuse(sentences: readonly string[]): void {
  if (sentences.length > 0) throw new ConfigError(sentences.join('; '));
}

/** Whether a host of a URL is this machine. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host);

/** An address without the slashes at its end. */
export const trimSlash = (address: string): string => address.replace(/\/+$/, '');

/** Null: no port; 0: a free one. */
export function portOf(name: string, text: string): number | null {
  const port = text === 'auto' ? 0 : Number(text);
  if (port > 65_535)
    throw new ConfigError(`${name} is ${text}; it must be at most 65535, 0 (off) or auto (a free one)`);
  return text === 'auto' || port > 0 ? port : null;
}
