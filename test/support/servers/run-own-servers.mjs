// PostgreSQL, Redis and Temporal that belong to one test, which may kill them: started as `npm start` starts its own,
// on durable data. Its arguments are seven ports that the test has reserved, and the servers to start. It writes lines
// of JSON: first the addresses, then a reply to every command (`kill redis`, `start redis`). It ends all servers when
// its input ends. A standby of PostgreSQL starts with `start standby`, a pooler with `start pgbouncer`.
import { once } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ensureTemporalCli } from '../../../scripts/install/temporal-cli.mjs';
import { claimThrowaway } from '../../../scripts/instance/throwaway.mjs';
import { isSame } from '../../../scripts/process/identity.mjs';
import { startPostgres } from '../../../scripts/servers/postgres.mjs';
import { startRedis } from '../../../scripts/servers/redis.mjs';
import { startTemporal } from '../../../scripts/servers/temporal.mjs';
import { startPgbouncer } from './pgbouncer.mjs';
import { startStandby } from './standby.mjs';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const undo = [];
const { signal } = new AbortController();
const ports = JSON.parse(process.argv[2]);
const only = process.argv.slice(3);
const claimed = await claimThrowaway(root, {
  name: 'own',
  what: 'a test that kills servers',
  signal,
  onEnd: (step) => undo.push(step),
  ports,
});
const { instance } = claimed;
const progress = { note: () => {}, step: (_title, work) => work() };
const ctx = {
  ...claimed,
  ports: { ...claimed.ports, standby: ports[5], pgbouncer: ports[6] },
  progress,
  durable: true,
};
const starts = {
  postgres: startPostgres,
  redis: startRedis,
  temporal: startTemporal,
  standby: startStandby,
  pgbouncer: startPgbouncer,
};

const answer = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

if (only.includes('temporal')) await ensureTemporalCli(root, ctx);
const [databaseUrl, redisUrl, temporal] = await Promise.all(
  ['postgres', 'redis', 'temporal'].map((name) => (only.includes(name) ? starts[name](ctx) : null)),
);
const pids = Object.fromEntries(instance.read().processes.map((each) => [each.name, each.pid]));
answer({
  databaseUrl,
  redisUrl: redisUrl ?? process.env.REDIS_URL,
  temporalAddress: temporal?.address ?? process.env.TEMPORAL_ADDRESS,
  temporalMetrics: `http://127.0.0.1:${claimed.ports.temporalMetrics}/metrics`,
  standbyUrl: databaseUrl?.replace(`:${claimed.ports.postgres}/`, `:${ctx.ports.standby}/`),
  pgbouncerPort: ctx.ports.pgbouncer,
  pids,
});

const commands = createInterface({ input: process.stdin });
commands.on('line', async (line) => {
  const [verb, name] = line.split(' ');
  await (verb === 'kill' ? kill(name) : restart(name)).then(
    () => answer({ ok: true }),
    (error) => answer({ ok: false, message: error.message }),
  );
});
await once(commands, 'close');
for (const step of undo.reverse()) await step();

/** As in a crash: there is no time to write anything. */
async function kill(name) {
  const running = instance.read().processes.filter((each) => each.name === name && isSame(each));
  for (const { pid } of running) process.kill(pid, 'SIGKILL');
  while (running.some(isSame)) await sleep(20);
}

// The children of a killed postmaster end by themselves within moments, and hold the shared memory until then.
async function restart(name) {
  for (const until = Date.now() + 240_000; ; await sleep(250)) {
    const failed = await starts[name](ctx).then(
      () => null,
      (error) => error,
    );
    if (!failed) return;
    if (Date.now() > until) throw failed;
  }
}
