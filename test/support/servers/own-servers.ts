// Servers that a test may kill, in a child process (`run-own-servers.mjs`). Never the servers of `npm test`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePorts } from './free-port';

type OwnServer = 'postgres' | 'redis' | 'temporal';
/** Started by name alone. */
type Beside = 'standby' | 'pgbouncer';
const ALL: readonly OwnServer[] = ['postgres', 'redis', 'temporal'];

export interface OwnServers {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly temporalAddress: string;
  /** The server's own metrics, for Prometheus. */
  readonly temporalMetrics: string;
  /** The addresses of the first start. */
  readonly pids: Readonly<Record<OwnServer, number>>;
  /** Of a standby of the first, which starts with the first `start`. */
  readonly standbyUrl: string;
  /** Of PgBouncer before the first, which starts with the first `start`, with the logins of that moment. */
  readonly pgbouncerPort: number;
  /** Ends it abruptly, as a crash does. */
  kill(server: OwnServer | Beside): Promise<void>;
  /** Restarts it on its earlier data; resolves once it responds. */
  start(server: OwnServer | Beside): Promise<void>;
  close(): Promise<void>;
}

/** There are programs to start more servers only if `npm test` runs the servers itself. */
export const canRunOwnServers = process.env.OWN_SERVERS === '1';

const WHY_SKIPPED = ' (skipped: the servers are not ours to kill; `npm test` runs it where it starts them itself)';

/** Tests that kill servers; they are skipped, with the reason, if there are none to kill. */
export function describeWithOwnServers(name: string, tests: () => void): void {
  if (canRunOwnServers) describe(name, tests);
  else describe.skip(name + WHY_SKIPPED, tests);
}

/**
 * From here on everything that this test file starts uses these servers, and logs nothing: refused connections would be
 * a thousand lines.
 */
export function useOwnServers({ databaseUrl, redisUrl, temporalAddress }: OwnServers): void {
  process.env.SERVICE_LOG_LEVEL = 'silent';
  process.env.DATABASE_URL = databaseUrl;
  process.env.DATABASE_DIRECT_URL = '';
  process.env.REDIS_URL = redisUrl;
  process.env.TEMPORAL_ADDRESS = temporalAddress;
}

/** `only`: the addresses of the others are those of the run. */
export async function startOwnServers(only = ALL): Promise<OwnServers> {
  // Reserved here, so that no other program of this test gets the port of a server that is down.
  const ports = JSON.stringify(await freePorts(7));
  const child = spawn(process.execPath, [join(__dirname, 'run-own-servers.mjs'), ports, ...only], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the servers of this test ended before they answered');
    return JSON.parse(value);
  };
  const run = async (command: string): Promise<void> => {
    child.stdin.write(`${command}\n`);
    const { ok, message } = await read();
    if (!ok) throw new Error(`${command}: ${message}`);
  };
  const addresses = await read();
  return {
    ...addresses,
    kill: (server) => run(`kill ${server}`),
    start: (server) => run(`start ${server}`),
    close: async () => {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
