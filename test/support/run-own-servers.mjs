// PostgreSQL, Redis and Temporal that belong to one test, which may kill them: started as `npm start` starts its own, on durable data.
// Speaks lines of JSON: the addresses first, then an answer to every command (`kill redis`, `start redis`). Ends all when its input ends.
import { once } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ensureTemporalCli } from '../../scripts/install/temporal-cli.mjs';
import { openInstance, prepareFolders } from '../../scripts/instance.mjs';
import { isSame } from '../../scripts/process/identity.mjs';
import { freePorts } from '../../scripts/process/ports.mjs';
import { wipeData } from '../../scripts/servers/data-folder.mjs';
import { startPostgres } from '../../scripts/servers/postgres.mjs';
import { startRedis } from '../../scripts/servers/redis.mjs';
import { startTemporal } from '../../scripts/servers/temporal.mjs';
import { stopInstance } from '../../scripts/stop-instance.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const instance = prepareFolders(openInstance(root, 'own'));
const [postgres, redis, temporal, ui] = await freePorts(4);
const progress = { say: () => {}, step: (_title, work) => work() };
const { signal } = new AbortController();
const ports = { postgres, redis, temporal, ui };
const ctx = { root, instance, logs: instance.logs, signal, progress, ports, durable: true, database: 'postgres' };
const starts = { postgres: startPostgres, redis: startRedis, temporal: startTemporal };

const answer = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

await stopInstance(ctx);
wipeData(instance);
await ensureTemporalCli(root, ctx);
const [databaseUrl, redisUrl, { address }] = await Promise.all(Object.values(starts).map((start) => start(ctx)));
const pids = Object.fromEntries(instance.read().processes.map((each) => [each.name, each.pid]));
answer({ databaseUrl, redisUrl, temporalAddress: address, pids });

const commands = createInterface({ input: process.stdin });
commands.on('line', async (line) => {
  const [verb, name] = line.split(' ');
  await (verb === 'kill' ? kill(name) : restart(name)).then(
    () => answer({ ok: true }),
    (error) => answer({ ok: false, message: error.message }),
  );
});
await once(commands, 'close');
await stopInstance(ctx);
wipeData(instance);

/** As a crash does: no time to write anything down. */
async function kill(name) {
  const running = instance.read().processes.filter((each) => each.name === name && isSame(each));
  for (const { pid } of running) process.kill(pid, 'SIGKILL');
  while (running.some(isSame)) await sleep(20);
}

// What a killed postmaster leaves behind ends by itself within moments and holds the shared memory until then.
async function restart(name) {
  for (const until = Date.now() + 20_000; ; await sleep(250)) {
    const failed = await starts[name](ctx).then(
      () => null,
      (error) => error,
    );
    if (!failed) return;
    if (Date.now() > until) throw failed;
  }
}
