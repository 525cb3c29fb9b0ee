// How a database, a Redis and a Temporal are reached: from where, with which password, and whether anyone in between
// can read or change the traffic.
import { isLoopback, type Variables } from './environment';
import type { TemporalTarget } from './temporal';

/** Those of docker-compose.yml, of images and of examples. */
const DEFAULT_PASSWORDS = ['racing', 'temporal', 'postgres', 'redis', 'password', 'changeme'];

/**
 * TLS that checks the server's certificate. Without the check a machine in between can answer in the server's place.
 */
const VERIFIED = ['require', 'verify-ca', 'verify-full'];

export interface Reached {
  /** Over a Unix socket, or loopback. */
  readonly isHere: boolean;
  readonly hasCredentials: boolean;
  readonly hasDefaultPassword: boolean;
  readonly isEncrypted: boolean;
}

/** As pg reads `DATABASE_URL` and its own variables; an unreadable value is treated as the worst. */
export function databaseReached(address: string, variables: Variables): Reached {
  const url = readUrl(address.replace('@/', '@localhost/'));
  if (url === null) return WORST;
  const parameters = Object.fromEntries(url.searchParams);
  const { sslmode, ssl, sslkey, sslcert, sslrootcert, uselibpqcompat } = parameters;
  const host = parameters.host || decoded(url.hostname) || variables.PGHOST || '';
  const password = parameters.password ?? (decoded(url.password) || variables.PGPASSWORD || '');
  const isNamed = [sslmode, ssl, sslkey, sslcert, sslrootcert].some((each) => each !== undefined);
  const mode = isNamed ? sslmode : variables.PGSSLMODE;
  const hasFiles = [sslkey, sslcert, sslrootcert].some((each) => each !== undefined);
  const isOn = mode === undefined ? hasFiles || ssl === 'true' || ssl === '1' : VERIFIED.includes(mode);
  return {
    isHere: host === '' || host.startsWith('/') || isLoopback(host),
    hasCredentials: password !== '' || sslkey !== undefined,
    hasDefaultPassword: isDefault(password, parameters.user ?? decoded(url.username)),
    // In that mode `require` takes any certificate.
    isEncrypted: isOn && (uselibpqcompat !== 'true' || mode === 'verify-full'),
  };
}

export function redisReached(address: string): Reached {
  const url = readUrl(address);
  if (url === null) return WORST;
  const password = decoded(url.password);
  return {
    isHere: isLoopback(url.hostname),
    hasCredentials: password !== '',
    hasDefaultPassword: isDefault(password, decoded(url.username)),
    isEncrypted: url.protocol === 'rediss:',
  };
}

export function temporalReached({ connection }: TemporalTarget): Pick<Reached, 'isHere' | 'isEncrypted'> {
  const host = connection.address.replace(/:\d+$/, '');
  return { isHere: isLoopback(host), isEncrypted: Boolean(connection.tls) };
}

/** How a process reaches its servers. */
export interface Hops {
  readonly database: Reached;
  /** The database itself, if there is no pooler before it. */
  readonly direct: Reached;
  /** The database itself, if there is none. */
  readonly replica: Reached;
  readonly redis: Reached;
  readonly temporal: Pick<Reached, 'isHere' | 'isEncrypted'>;
}

const WORST: Reached = { isHere: false, hasCredentials: false, hasDefaultPassword: false, isEncrypted: false };

const readUrl = (address: string): URL | null => (URL.canParse(address) ? new URL(address) : null);

/** A `%` that encodes nothing is kept. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const isDefault = (password: string, user: string): boolean =>
  password !== '' && (password === user || DEFAULT_PASSWORDS.includes(password.toLowerCase()));
