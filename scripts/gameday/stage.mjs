// The service of a game day: durable servers, the simulator, two API processes and three workers by role, and the
// actions on each.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appEnvironment, keysFile, migrateAndSeed, operate } from '../app/processes.mjs';
import { buildBundle, ensurePrograms, programsFolder } from '../app/programs.mjs';
import { claimThrowaway } from '../instance/throwaway.mjs';
import { launch } from '../process/launch.mjs';
import { freePorts } from '../process/ports.mjs';
import { answersHttp, waitUntil } from '../process/wait-until.mjs';
import { bringUp } from '../servers/bring-up.mjs';
import { BUILD, createBuilds } from './causes/builds.mjs';
import { giveCertificate } from './causes/certificate.mjs';
import { steppedClock } from './causes/clock.mjs';
import { mountDisk } from './causes/disk.mjs';
import { openNetwork } from './causes/network.mjs';
import { killTree, resumeTree, stopTree } from './causes/process-tree.mjs';
import { listTargets } from './causes/targets.mjs';
import { withDatabase } from './database.mjs';
import { openRunbook } from './runbook.mjs';
import { withTemporal } from './temporal.mjs';

/** Each role has two processes, so that one can fail. */
const WORKERS = {
  'worker-1': 'workflows,decisions,io,webhooks',
  'worker-2': 'poll,exchange,forms,backfill',
  'worker-3': 'workflows,decisions,io,webhooks,poll,exchange,forms,backfill',
};
const APIS = ['api-1', 'api-2'];
/** Its clock can be set. */
const STEPPED = 'worker-2';
/**
 * A third of the usual number: the effect of an outage does not depend on it, and two cores can then run three workers
 * as well.
 */
const FEW_RACES = { SIMULATOR_INTERVAL_MINUTES: '13.5' };
const LOCAL = { database: 'local', redis: 'local', temporal: 'local' };

export async function openStage(root, { signal, onEnd }) {
  const claimed = await claimThrowaway(root, { name: 'gameday', what: 'a game day', signal, onEnd });
  const ctx = { ...claimed, durable: true, database: 'racing', watched: /** @type {any[]} */ ([]) };
  const disk = await mountDisk(ctx, onEnd);
  const servers = await bringUp(ctx, LOCAL);
  await ctx.progress.step('The programs are built', () => ensurePrograms(root, programsFolder(ctx.instance)));
  const log = join(ctx.logs, 'bundle.log');
  await buildBundle(root, programsFolder(ctx.instance), { signal, log });
  const [simulator, ...ports] = await freePorts(1 + 2 * APIS.length + 2 * Object.keys(WORKERS).length);
  const nextPorts = await freePorts(2);
  const clock = { anchorMs: Date.now(), speed: 1 };
  const ofPorts = { ...ctx.ports, simulator, api: ports[0], worker: 0, apiMetrics: 0, sdkMetrics: 0 };
  const env = { ...appEnvironment({ instance: ctx.instance, ports: ofPorts, clock }, servers), ...FEW_RACES };
  const certificate = await giveCertificate(ctx, servers);
  const network = await openNetwork(ctx, { onEnd, certificate });
  const logins = await migrateAndSeed(ctx, env, true);
  const own = { worker: network.addressed(logins.worker), api: network.addressed(logins.api) };
  const parts = new Map(ctx.watched.map((one) => [one.running.name, one]));
  const clockOfOne = await steppedClock(ctx);
  const programs = programsOf({ env, own, simulator, ports, stepped: clockOfOne?.env ?? {} });
  await Promise.all(programs.map((program) => startProgram(ctx, parts, program)));
  const builds = createBuilds({
    ctx,
    servers,
    ops: (...words) => operate(ctx, env, words[0], words.slice(1)),
    async startNext(build, main) {
      const next = { name: 'worker-next', main, env: workerOf(own, WORKERS['worker-3'], ...nextPorts, build) };
      await startProgram(ctx, parts, { ...next, operator: nextPorts[0] });
    },
    async endNext() {
      const { running } = parts.get('worker-next');
      parts.delete('worker-next');
      process.kill(running.pid);
      await running.ended;
    },
  });
  await ctx.progress.step('The build has all work', () => builds.promote(BUILD));
  const apis = programs.filter(({ job }) => job === 'api').map((one) => `http://127.0.0.1:${one.env.API_PORT}`);
  const keys = JSON.parse(readFileSync(keysFile(ctx.instance), 'utf8'));
  // Alerts do not expect this job to exist.
  const targets = listTargets(ctx, { ...targetsOf(programs), 'next-build': [`127.0.0.1:${nextPorts[0]}`] });
  const stepClock = clockOfOne?.step ?? null;
  const world = `http://127.0.0.1:${simulator}`;
  const causes = {
    stepClock,
    disk,
    certificate,
    network,
    ...faultActions(world),
    ...scheduleActions(servers),
    ...listActions(servers),
  };
  const [ofApi, ofWorker] = ['api-1', 'worker-3'].map((name) => parts.get(name).operator);
  const operator = { ctx, servers, env, api: apis[0], key: keys.internal_key, ports: { 8082: ofApi, 8081: ofWorker } };
  const type = openRunbook(operator);
  const places = { apis, simulator: world, targets, servers, key: keys.plus_key };
  return { ctx, signal, onEnd, parts, ...places, ...actions(ctx, parts), ...causes, builds, type };
}

function programsOf({ env, own, simulator, ports, stepped }) {
  const left = [...ports];
  const apis = APIS.map((name) => {
    const [port, metrics] = left.splice(0, 2);
    const mine = { ...own.api, API_PORT: String(port), API_METRICS_PORT: String(metrics) };
    return { name, program: 'api', job: 'api', env: mine, operator: metrics };
  });
  const workers = Object.entries(WORKERS).map(([name, roles]) => {
    const [health, sdk] = left.splice(0, 2);
    const mine = { ...workerOf(own, roles, health, sdk, BUILD), ...(name === STEPPED && stepped) };
    return { name, program: 'workers', job: 'worker', env: mine, operator: health };
  });
  return [
    { name: 'simulator', program: 'simulator', job: null, env, ready: `${simulator}/healthz` },
    ...apis,
    ...workers,
  ];
}

const workerOf = (own, roles, health, sdk, build) => ({
  ...own.worker,
  WORKER_ROLES: roles,
  WORKER_HEALTH_PORT: String(health),
  WORKER_SDK_METRICS_PORT: String(sdk),
  WORKER_BUILD_ID: build,
});

/**
 * @param {any} ctx
 * @param {Map<string, any>} parts
 * @param {{
 *   name: string, program?: string, main?: string, env: NodeJS.ProcessEnv, operator?: number, ready?: string,
 * }} start
 */
async function startProgram(ctx, parts, { name, program = '', main, env, operator, ready = `${operator}/readyz` }) {
  const file = main ?? join(programsFolder(ctx.instance), program, 'main.js');
  const start = () => launch(ctx, { name, command: process.execPath, args: [file], env, cwd: ctx.root });
  const answers = () => answersHttp(`http://127.0.0.1:${ready}`);
  await ctx.progress.step(`${name} is ready`, async () => {
    const running = start();
    await waitUntil(answers, { process: running, signal: ctx.signal });
    parts.set(name, { running, start, answers, operator });
  });
}

/** The targets of Prometheus, by job: `127.0.0.1:<port>`. */
function targetsOf(programs) {
  const of = (job) => programs.filter((one) => one.job === job).map(({ operator }) => `127.0.0.1:${operator}`);
  return { 'racing-odds-api': of('api'), 'racing-odds-worker': of('worker') };
}

function actions(ctx, parts) {
  const pidOf = (name) => parts.get(name).running.pid;
  return {
    workers: Object.keys(WORKERS),
    async kill(name) {
      killTree(pidOf(name));
      await parts.get(name).running.ended;
    },
    /** It keeps its connections but does not respond. */
    freeze: (name) => stopTree(pidOf(name)),
    thaw: (name) => resumeTree(pidOf(name)),
    async start(name) {
      const part = parts.get(name);
      part.running = part.start();
      await waitUntil(part.answers, { process: part.running, signal: ctx.signal });
    },
  };
}

/** Faults of the simulated books: of one book, or of all if none is named. */
function faultActions(simulator) {
  const change = async (method, path) => {
    const { status } = await fetch(`${simulator}/faults${path}`, { method, signal: AbortSignal.timeout(10_000) });
    if (status >= 300) throw new Error(`The simulator's /faults${path} answered ${status}.`);
  };
  return {
    fault: (name, book) => change('PUT', `/${name}${book ? `?book=${book}` : ''}`),
    noFaults: () => change('DELETE', ''),
  };
}

function scheduleActions(servers) {
  const handle = (id, act) => withTemporal(servers, ({ schedule }) => act(schedule.getHandle(id)));
  return {
    pause: (id) => handle(id, (one) => one.pause('a game day')),
    unpause: (id) => handle(id, (one) => one.unpause()),
  };
}

/** Makes the lists of the feed of sports due, up to a quarter of an hour early. */
const listActions = (servers) => ({
  sportsAreDue: () => withDatabase(servers, ({ query }) => query('UPDATE feed_sports SET starts_at = NULL')),
});
