// The one way to a PostgreSQL connection. Sets how values are read: instants as ISO 8601 Z text (D2), bigint as number,
// a date as `YYYY-MM-DD`. Never changes pg's global parsers.
import { metrics } from '@opentelemetry/api';
import { type ClientBase, type CustomTypesConfig, Pool, type PoolClient, types } from 'pg';
import { noteCertificate } from '../gauges/certificates';
import { type SessionNeeds, sessionSettings } from './sessions/session';

const INT8 = 20;
const DATE = 1082;
const TIMESTAMPTZ = 1184;
const TIMESTAMPTZ_ARRAY = 1185;
const TEXT_ARRAY = 1009;

/**
 * `2026-11-21 02:44:17.12345+00`, as a session in UTC prints it, to `2026-11-21T02:44:17.123Z`. Throws in any other
 * zone: its hours would be read as UTC. `infinity` and `-infinity` stay as they are.
 */
export function instantOf(text: string): string {
  if (text.endsWith('infinity')) return text;
  if (!text.endsWith('+00')) throw new Error(`'${text}' is no instant in UTC: the session has another time zone`);
  const millis = `${text.slice(20, -3)}000`.slice(0, 3);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${millis}Z`;
}

type Parse = (text: string) => unknown;
const builtin = types.getTypeParser as (oid: number, format?: string) => Parse;
const textArray = builtin(TEXT_ARRAY) as (text: string) => (string | null)[];

const PARSERS: Readonly<Record<number, Parse>> = {
  [INT8]: Number,
  [DATE]: (text) => text,
  [TIMESTAMPTZ]: instantOf,
  [TIMESTAMPTZ_ARRAY]: (text) => textArray(text).map((item) => (item === null ? null : instantOf(item))),
};

const getTypeParser = (oid: number, format?: string): Parse =>
  (format !== 'binary' && PARSERS[oid]) || builtin(oid, format);

export interface PoolOptions extends SessionNeeds {
  /** Default: none. `queryMs` null: none for statements. */
  readonly timeouts?: { readonly connectMs: number; readonly queryMs: number | null };
  /** Rejects what a new session must not be used for; who waits for it gets the error. */
  readonly judge?: (client: ClientBase) => Promise<void>;
}

/**
 * The server ends a statement that takes too long. If not even that is reported for this much longer, the connection is
 * dead.
 */
const REPORTED_WITHIN_MS = 2000;
const PROBE_IDLE_AFTER_MS = 10_000;
/** A new session plans its statements anew, and costs the server as much as a hundred polls. */
const IDLE_FOR_MS = 300_000;

/** `max` connections at most, opened as needed, each with the settings that our statements rely on. */
export function createPool(url: string, max: number, needs: PoolOptions = {}): Pool {
  const { timeouts, judge } = needs;
  const parsers = { getTypeParser } as CustomTypesConfig;
  const options = Object.entries(sessionSettings(needs)).map(([name, value]) => `-c ${name}=${value}`);
  const pool = new Pool({
    connectionString: url,
    max,
    idleTimeoutMillis: IDLE_FOR_MS,
    types: parsers,
    options: options.join(' '),
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_IDLE_AFTER_MS,
    ...(judge && { verify: (client, done) => void judge(client).then(() => done(), done) }),
    ...(timeouts && { connectionTimeoutMillis: timeouts.connectMs }),
    // The pool closes a connection whose query failed, and so one that went silent.
    ...(timeouts?.queryMs && { query_timeout: timeouts.queryMs + REPORTED_WITHIN_MS }),
  });
  // An idle connection that the server drops is replaced on the next query; without a listener it would end the
  // process.
  pool.on('error', () => undefined);
  // The same for a connection in use, whose queries fail by themselves.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** The server's clock, epoch milliseconds. */
export async function readClock(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>({
    name: 'clock',
    text: 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
  });
  return rows[0]!.ms;
}

/** Where `pg` has the socket of a connection; its types do not. */
type Connected = PoolClient & { readonly connection?: { readonly stream?: unknown } };

/**
 * Gauges of the pool (OpenTelemetry's database conventions), and of the certificate of its `server`. `name`
 * distinguishes the pools of one process. Before the first connection.
 */
export function observePool(pool: Pool, name: string, server = 'database'): void {
  pool.on('connect', ({ connection }: Connected) => noteCertificate(server, connection?.stream));
  const labels = { 'db.client.connection.pool.name': name };
  const waiting = watchWaiting(pool);
  const meter = metrics.getMeter('racing-odds/store');
  meter
    .createObservableGauge('db.client.connection.count', { description: 'Connections by state' })
    .addCallback((gauge) => {
      gauge.observe(pool.totalCount - pool.idleCount, { ...labels, 'db.client.connection.state': 'used' });
      gauge.observe(pool.idleCount, { ...labels, 'db.client.connection.state': 'idle' });
    });
  meter
    .createObservableGauge('db.client.connection.pending_requests', { description: 'Queries waiting for a connection' })
    .addCallback((gauge) => gauge.observe(waiting(), labels));
}

const LOOK_EVERY_MS = 500;

/**
 * Queries that waited at the last check. Not measured while the page is read: the page's own queries are all sent at
 * that moment, and each waits for a turn even if connections are free.
 */
function watchWaiting(pool: Pool): () => number {
  let waiting = 0;
  setInterval(() => {
    waiting = pool.waitingCount;
  }, LOOK_EVERY_MS).unref();
  return () => waiting;
}
