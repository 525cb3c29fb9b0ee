// `npm start`: from a bare clone to a running service, on a machine that has Node and the network. Plain Node without
// dependencies, because nothing is installed when it begins. Ctrl-C stops everything it started and nothing else.
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openClock } from './app/clock.mjs';
import { freshPrices } from './app/first-races.mjs';
import { newestPoll } from './app/newest-poll.mjs';
import { buildPast, pastEnvironment, pastPriority } from './app/past.mjs';
import { appEnvironment, mailFolder, migrateAndSeed, operate, startApp } from './app/processes.mjs';
import { buildBundle, ensurePrograms, programsFolder } from './app/programs.mjs';
import { parseStartOptions, startHelp } from './app/start-options.mjs';
import { requireAppPorts, startPorts } from './app/start-ports.mjs';
import { welcome } from './app/welcome.mjs';
import { runOnPinnedNode } from './command/pinned-node.mjs';
import { Problem } from './command/problem.mjs';
import { createProgress, seconds } from './command/progress.mjs';
import { runSession } from './command/session.mjs';
import { requireSpace } from './install/disk-space.mjs';
import { openInstance, prepareFolders } from './instance/instance.mjs';
import { readStatus } from './instance/status.mjs';
import { hasStarted, stopInstance } from './instance/stop.mjs';
import { watchAll } from './process/watch.mjs';
import { bringUp, decide, requireServerPorts } from './servers/bring-up.mjs';
import { composeWipe } from './servers/compose.mjs';
import { wipeData } from './servers/data-folder.mjs';
import { installAhead } from './servers/install-ahead.mjs';
import { wipeTemporal } from './servers/temporal.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const startedAt = Date.now();

await runSession(async ({ signal, onEnd }) => {
  const options = parseStartOptions(process.argv.slice(2), process.env);
  if (options.help) return console.log(startHelp);
  const ctx = context(options, signal);
  // Checked before anything is installed: npm would replace the packages under the running service.
  if (ctx.instance.owner()) throw isRunning(ctx.instance);
  const ended = await runOnPinnedNode(root, { signal, dev: false, beside: installAhead });
  if (ended !== null) return ended;
  await claim(ctx, onEnd);
  const { env, newestPollMs } = await start(ctx, options, onEnd);
  const watching = watchAll(ctx, ctx.watched);
  // Every watch ends at some time: later that is not a failure of a step.
  watching.catch(() => undefined);
  const screen = welcome(await readStatus(ctx.instance));
  const onLong = (why) => console.log(`  Not ready: ${why}. It goes on waiting; what runs is here.\n${screen}`);
  await freshPrices(ctx, await readStatus(ctx.instance), { ended: watching, newestPollMs, onLong });
  console.log(`  Ready after ${seconds(Date.now() - startedAt)}.\n${screen}`);
  const past = buildPast(ctx, (name) => operate(ctx, { ...env, ...pastEnvironment }, name, [], pastPriority));
  onEnd(() => past.catch(() => undefined));
  await Promise.all([watching, past]);
});

function context({ ports }, signal) {
  const instance = openInstance(root, 'start');
  const common = { root, instance, logs: instance.logs, signal, progress: createProgress() };
  return { ...common, ports: startPorts(process.env, ports), durable: true, database: 'racing', watched: [] };
}

async function claim(ctx, onEnd) {
  const { instance } = ctx;
  requireSpace(instance.folder, 300, 'this service');
  if (!instance.claim()) throw isRunning(instance);
  onEnd(() => instance.release());
  prepareFolders(instance);
  const left = await stopInstance(ctx);
  if (left > 0) ctx.progress.note(`Stopped ${left} processes that an earlier start had left behind.`);
  instance.write({ urls: {} });
  onEnd(() => stop(ctx));
}

// A function declaration, so that it exists before the lines below it have run.
function isRunning(instance) {
  return new Problem(`It is already running: ${instance.read().urls.api_url ?? 'it is still starting'}.`);
}

async function start(ctx, { fresh, speed }, onEnd) {
  const choice = await decide(ctx);
  await requireAppPorts(ctx.ports);
  await requireServerPorts(ctx.ports, choice);
  if (fresh) await startOver(ctx, choice);
  const [servers] = await Promise.all([
    bringUp(ctx, choice),
    ctx.progress.step('The programs are built', () => ensurePrograms(root, programsFolder(ctx.instance))),
  ]);
  const bundled = buildBundle(root, programsFolder(ctx.instance), {
    signal: ctx.signal,
    log: join(ctx.logs, 'bundle.log'),
  });
  bundled.catch(() => undefined);
  const clock = openClock(ctx.instance, speed);
  onEnd(clock.stop);
  const env = appEnvironment({ ...ctx, clock }, servers);
  ctx.instance.write({ urls: urlsOf(ctx, servers) });
  const own = await migrateAndSeed(ctx, env, choice.database !== 'environment');
  const newestPollMs = await newestPoll(env.DATABASE_URL);
  await bundled;
  await startApp(ctx, env, own);
  return { env, newestPollMs };
}

async function startOver(ctx, choice) {
  ctx.progress.note('Starting over: the data of earlier starts is removed.');
  if (Object.values(choice).includes('docker')) await composeWipe(ctx);
  wipeData(ctx.instance);
  wipeTemporal(ctx.instance);
  for (const name of ['keys.json', 'clock.json']) rmSync(join(ctx.instance.folder, name), { force: true });
}

function urlsOf(ctx, servers) {
  const { ports } = ctx;
  return {
    api_url: `http://127.0.0.1:${ports.api}`,
    ui_url: servers.temporalUiUrl,
    database_url: servers.databaseUrl,
    redis_url: servers.redisUrl,
    temporal_address: servers.temporalAddress,
    temporal_namespace: servers.temporalNamespace,
    simulator_url: `http://127.0.0.1:${ports.simulator}`,
    worker_url: `http://127.0.0.1:${ports.worker}`,
    api_metrics_url: `http://127.0.0.1:${ports.apiMetrics}/metrics`,
    sdk_metrics_url: `http://127.0.0.1:${ports.sdkMetrics}/metrics`,
    mail_folder: process.env.SMTP_URL ? null : mailFolder(ctx),
  };
}

async function stop(ctx) {
  if (!hasStarted(ctx.instance)) return;
  ctx.progress.note('Stopping …');
  await stopInstance(ctx);
  ctx.progress.note('Stopped; the data stays.');
}
