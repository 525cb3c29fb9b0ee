// The service's own programs as real processes, with the test's own database, namespace and simulated world. The world
// runs in the test's process, over real HTTP; every process shares its clock.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { BOOKMAKERS } from '../../../src/domain/bookmakers';
import { type RaceClock, REAL_TIME, toRaceMs } from '../../../src/domain/time/clock';
import { createSimulator, type Simulator } from '../../../src/simulator/http/server';
import type { RaceScript } from '../../../src/simulator/world/scripts';
import { createPatience } from '../patient';
import { NOON_MS, raceClockAt } from '../races/race-clock';
import { createTestDatabase, type TestDatabase } from './database';
import { freePort } from './free-port';
import { PROGRAM_ENVIRONMENT, program } from './program';
import { asLogin, type Group, throughPooler } from './roles';
import { createTestNamespace, type TestNamespace } from './temporal';

export interface Service {
  readonly clock: RaceClock;
  readonly db: TestDatabase;
  readonly temporal: TestNamespace;
  /** Changes when the service is restarted. */
  readonly simulator: Simulator;
  /** Replaces the earlier races; `races` get the current race time. */
  openWorld(races: Races): Promise<void>;
  /** The whole bookmakers' side goes down until it is restarted: the same world at the same address. */
  stopSimulator(): Promise<void>;
  startSimulator(): Promise<void>;
  /** Race time, epoch milliseconds. */
  now(): number;
  /** `more`: environment of this worker in addition to the service's, e.g. its roles. */
  startWorker(more?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  /** Ready once it responds; `url` is its base. Several need an address each, of this machine. */
  startApi(host?: string, more?: Readonly<Record<string, string>>): Promise<ServiceProcess & { url: string }>;
  close(): Promise<void>;
}

export interface ServiceProcess {
  readonly pid: number;
  /** The address at which it reports its health. */
  readonly healthUrl: string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

type Races = (nowMs: number) => readonly RaceScript[];

const ROOT = join(__dirname, '../../..');
/** Long, for a busy machine: a process that cannot start ends by itself. */
const START_WITHIN_MS = 300_000;

/**
 * `races` get the race time at the start of the service. At speed 1 that is wall time, otherwise noon on a racing day.
 * `poolerPort`: processes reach the database through the pooler there.
 */
export async function startService(speed: number, races: Races = () => [], poolerPort?: number): Promise<Service> {
  const [db, temporal] = await Promise.all([createTestDatabase(), createTestNamespace()]);
  const clock = speed === 1 ? REAL_TIME : raceClockAt(NOON_MS, speed);
  const now = () => toRaceMs(clock, Date.now());
  let world = { seed: 'test', now, races: races(now()) };
  let simulator = createSimulator(world);
  const simulatorPort = await freePort();
  const simulatorUrl = await simulator.listen(simulatorPort);
  const startSimulator = async () => {
    simulator = createSimulator(world);
    await simulator.listen(simulatorPort);
  };
  const databaseOf = (group: Group) => addressesFor(asLogin(db.url, group), poolerPort);
  const children: ChildProcess[] = [];
  const unexplained: string[] = [];
  const apiPort = await freePort();
  const env = {
    ...PROGRAM_ENVIRONMENT,
    ...process.env,
    ...databaseOf('racing_worker'),
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    SIMULATOR_URL: simulatorUrl,
    ...betslipTemplates(simulatorUrl),
    CLOCK_SPEED: String(speed),
    CLOCK_ANCHOR: String(clock.anchorMs),
    // Receivers of webhooks run in the test.
    WEBHOOKS_ALLOW_LOOPBACK: 'true',
    WEBHOOKS_ALLOW_HTTP: 'true',
    API_PORT: String(apiPort),
    API_METRICS_PORT: process.env.API_METRICS_PORT ?? '0',
    LOG_LEVEL: process.env.SERVICE_LOG_LEVEL ?? 'warn',
  };
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
  });
  const start = async (
    name: 'api' | 'workers',
    health: string,
    more: Record<string, string> = {},
  ): Promise<ServiceProcess> => {
    const child = spawn(process.execPath, program(name), {
      cwd: ROOT,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    child.stdout!.pipe(process.stdout, { end: false });
    let last = '';
    createInterface(child.stdout!).on('line', (line) => {
      last = line;
      if (WITHOUT_CAUSE.test(line)) unexplained.push(line);
    });
    await healthy(child, health, () => last);
    return { pid: child.pid!, healthUrl: health, kill: (signal) => ended(child, signal) };
  };
  return {
    clock,
    db,
    temporal,
    get simulator() {
      return simulator;
    },
    openWorld: async (next) => {
      await simulator.close();
      world = { ...world, races: next(now()) };
      await startSimulator();
    },
    stopSimulator: () => simulator.close(),
    startSimulator,
    now,
    startWorker: async (more) => {
      const port = await freePort();
      const own = { WORKER_HEALTH_PORT: String(port), WORKER_SDK_METRICS_PORT: '0', ...more };
      return start('workers', `http://127.0.0.1:${port}/readyz`, own);
    },
    startApi: async (host = '127.0.0.1', more = {}) => {
      const url = `http://${host}:${apiPort}`;
      const own = { API_HOST: host, ...databaseOf('racing_api'), ...more };
      return { ...(await start('api', `${url}/healthz`, own)), url };
    },
    close: async () => {
      await Promise.all(children.map((child) => ended(child, 'SIGKILL')));
      await simulator.close();
      await deleteSchedules(temporal).catch(() => undefined);
      await temporal.close();
      await db.drop();
      if (unexplained.length > 0) throw new Error(`lines of the log without their cause:\n${unexplained.join('\n')}`);
    },
  };
}

const addressesFor = (url: string, poolerPort?: number): Record<string, string> =>
  poolerPort === undefined
    ? { DATABASE_URL: url }
    : { DATABASE_URL: throughPooler(url, poolerPort), DATABASE_DIRECT_URL: url };

/** They would start workflows that no worker takes for the rest of the run. */
async function deleteSchedules({ client }: TestNamespace): Promise<void> {
  for await (const { scheduleId } of client.schedule.list()) await client.schedule.getHandle(scheduleId).delete();
}

/** An error that was logged as an empty object. */
const WITHOUT_CAUSE = /"(err|error|cause|reason)":\{\}/;

/** These runners are generated, so their links open the simulator and never a book's site. */
const betslipTemplates = (simulatorUrl: string): Record<string, string> =>
  Object.fromEntries(
    BOOKMAKERS.filter(({ betslip }) => betslip?.template).map(({ key }) => [
      `BETSLIP_${key.toUpperCase()}_TEMPLATE`,
      `${simulatorUrl}/${key}/betslip/{race}/{runner}/{market}`,
    ]),
  );

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** `last`: its last line. */
async function healthy(child: ChildProcess, url: string, last: () => string): Promise<void> {
  await waitFor(async () => {
    if (hasEnded(child)) {
      await finished(child.stdout!).catch(() => undefined);
      throw new Error(`the process ended (${child.exitCode ?? child.signalCode}) before it was ready: ${last()}`);
    }
    return (await fetch(url, { headers: { connection: 'close' } }).catch(() => null))?.ok ?? false;
  }, START_WITHIN_MS);
}

const SOONEST_MS = 20;
const LATEST_MS = 500;

/**
 * Waits for a condition, never for a duration. It checks less often the longer it waits, because each check costs a
 * server work. Throws after `withinMs`.
 */
export async function waitFor<T>(condition: () => Promise<T>, withinMs: number): Promise<NonNullable<T>> {
  const patience = createPatience(withinMs);
  for (let restMs = SOONEST_MS; ; restMs = Math.min(restMs * 1.2, LATEST_MS)) {
    const value = await condition();
    if (value) return value as NonNullable<T>;
    if (patience.isOver()) throw new Error(`not within ${withinMs} ms: ${condition}`);
    await delay(restMs);
  }
}
