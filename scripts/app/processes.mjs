// The service's own programs, as `npm start` runs them: their environments, their ports, and when each is ready.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kept, outcomeOf } from '../command/outcome.mjs';
import { launch } from '../process/launch.mjs';
import { tailOf } from '../process/log-reason.mjs';
import { run } from '../process/run.mjs';
import { answersHttp, repliesHttp, waitUntil } from '../process/wait-until.mjs';
import { createLogins } from '../servers/logins.mjs';
import { clockEnvironment } from './clock.mjs';
import { LEAN_ENVIRONMENT, LEAN_NODE } from './lean-memory.mjs';
import { compileCache, programsFolder } from './programs.mjs';

const programs = { simulator: 'simulator', worker: 'workers', api: 'api' };
const command = process.execPath;
const mainOf = (instance, program) => join(programsFolder(instance), program, 'main.js');
// The simulator has this much live data within a minute, so collecting earlier is useless. Never set it for the worker:
// each of its threads would grow to this size.
const heaps = { simulator: [...LEAN_NODE, '--initial-old-space-size=128'], worker: LEAN_NODE, api: LEAN_NODE };

export function appEnvironment({ ports, clock, instance }, servers) {
  return {
    ...process.env,
    ...compileCache(instance),
    // A race takes 0.2 MB in the worker's memory. Those of the next hours stay there; the others are replayed when they
    // are due (docs/performance/start-and-memory.md).
    WORKER_CACHED_WORKFLOWS: process.env.WORKER_CACHED_WORKFLOWS || '150',
    // The stack is simulated, whatever the shell has set: production refuses a fast clock.
    NODE_ENV: 'development',
    DATABASE_URL: servers.databaseUrl,
    DATABASE_DIRECT_URL: directAddress(servers.databaseUrl),
    REDIS_URL: servers.redisUrl,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    TEMPORAL_NAMESPACE: servers.temporalNamespace,
    ...(servers.temporalUiUrl ? { TEMPORAL_UI_URL: servers.temporalUiUrl } : {}),
    API_HOST: process.env.API_HOST || '127.0.0.1',
    API_PORT: String(ports.api),
    WORKER_HEALTH_PORT: String(ports.worker),
    API_METRICS_PORT: String(ports.apiMetrics),
    WORKER_SDK_METRICS_PORT: String(ports.sdkMetrics),
    SIMULATOR_PORT: String(ports.simulator),
    SIMULATOR_URL: `http://127.0.0.1:${ports.simulator}`,
    ...registryEnvironment(process.env),
    // Receivers of webhooks run on this machine too.
    WEBHOOKS_ALLOW_LOOPBACK: 'true',
    WEBHOOKS_ALLOW_HTTP: 'true',
    ...betslipEnvironment(`http://127.0.0.1:${ports.simulator}`),
    // Without a mail server mails are written to files; the welcome screen names the folder.
    MAIL_FOLDER: mailFolder({ instance }),
    ...clockEnvironment(clock, process.env),
  };
}

// Of another database than the shell's, the shell's leads to the wrong one. Empty counts as unset.
export const directAddress = (databaseUrl, shell = process.env) =>
  (shell.DATABASE_URL === databaseUrl && shell.DATABASE_DIRECT_URL) || '';

export const mailFolder = ({ instance }) => process.env.MAIL_FOLDER || join(instance.folder, 'mails');

// The simulated registries tolerate more pages than a real one, so that form is available in the first minute; an
// address from the environment may be a real registry.
function registryEnvironment(shell) {
  const areSimulated = !shell.FEED_RACING_AUSTRALIA_URL && !shell.FEED_TOPAZ_URL;
  if (!areSimulated || shell.FEED_REGISTRY_SPACING_MS) return {};
  return { FEED_REGISTRY_SPACING_MS: '50' };
}

// These runners are generated, so their links open the simulator and never a book's site.
function betslipEnvironment(simulator) {
  const templates = {
    BETSLIP_UNIBET_TEMPLATE: `${simulator}/unibet/betslip/{race}/{number}/{market}`,
    BETSLIP_TAB_TEMPLATE: `${simulator}/tab/betslip/{race}/{number}`,
    BETSLIP_LADBROKES_AU_TEMPLATE: `${simulator}/ladbrokes_au/betslip/{race}/{runner}/{market}`,
    BETSLIP_NEDS_TEMPLATE: `${simulator}/neds/betslip/{race}/{runner}/{market}`,
  };
  return Object.fromEntries(Object.entries(templates).map(([name, usual]) => [name, process.env[name] || usual]));
}

export const keysFile = (instance) => join(instance.folder, 'keys.json');

/** `ownDatabase`: the database server is ours, and so are its roles. Returns the environment of each program. */
export async function migrateAndSeed(ctx, env, ownDatabase) {
  const roles = ownDatabase ? ['roles', '--and'] : [];
  const seed = ['--and', 'seed', '--keys-file', keysFile(ctx.instance)];
  const title = `The database has its ${ownDatabase ? 'roles, ' : ''}tables and keys`;
  await ctx.progress.step(title, () => prepare(ctx, env, [...roles, 'migrate', ...seed]));
  if (!ownDatabase) return { worker: env, api: env };
  const urls = await createLogins(env.DATABASE_URL);
  const at = (databaseUrl) => ({ ...env, DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: '' });
  return { worker: at(urls.worker), api: at(urls.api) };
}

/** Runs commands in one process. The step had nothing to do only if none of them had. */
async function prepare(ctx, env, args) {
  const lines = await runOps(ctx, env, 'prepare', args);
  const outcomes = lines.map(outcomeOf);
  return outcomes.find((one) => !(one instanceof Kept)) ?? outcomes.at(-1);
}

/** Resolves to the outcome of an operator's command, from its last line. */
export async function operate(ctx, env, name, args = [], priority = 0) {
  return outcomeOf((await runOps(ctx, env, name, [name, ...args], priority)).at(-1));
}

/** Resolves to the lines that the commands print, without log lines. `name`: the name of the log file. */
async function runOps({ root, instance, logs, signal }, env, name, args, priority = 0) {
  const options = { cwd: root, env, signal, log: join(logs, `${name}.log`), what: `ops ${name}`, priority };
  await run(command, [mainOf(instance, 'ops'), ...args], options);
  const lines = tailOf(options.log).trim().split('\n');
  return lines.filter((line) => !line.startsWith('{'));
}

// The simulator pushes the books that are not polled, and matches, unless the environment names another target. It
// starts before the API and retries until the API answers.
function pushEnvironment({ ports, instance }) {
  if (process.env.SIMULATOR_PUSH_URL) return {};
  const keys = Object.entries(JSON.parse(readFileSync(keysFile(instance), 'utf8')))
    .flatMap(([name, key]) => (/^push_(\w+)_key$/.test(name) ? [`${name.slice(5, -4)}:${key}`] : []))
    .join(',');
  return { SIMULATOR_PUSH_URL: `http://127.0.0.1:${ports.api}`, SIMULATOR_PUSH_KEY: keys };
}

/** Starts all at once: none needs another to start. */
export function startApp(ctx, env, { worker, api }) {
  const ofSimulator = { ...env, ...pushEnvironment(ctx) };
  const environments = { simulator: ofSimulator, worker, api };
  return Promise.all(Object.entries(environments).map(([name, own]) => startOne(ctx, own, name)));
}

function startOne(ctx, env, name) {
  return ctx.progress.step(`The ${name} is ready`, async () => {
    const args = [...heaps[name], mainOf(ctx.instance, programs[name])];
    const address = `http://127.0.0.1:${ctx.ports[name]}`;
    const start = () => launch(ctx, { name, command, args, env: { ...LEAN_ENVIRONMENT, ...env }, cwd: ctx.root });
    const running = start();
    const url = `${address}/${name === 'worker' ? 'readyz' : 'healthz'}`;
    await waitUntil(() => answersHttp(url), { process: running, signal: ctx.signal });
    ctx.watched.push({ running, start, endsAll: true, answers: () => repliesHttp(`${address}/livez`) });
  });
}
