// Brings up the three servers in parallel, each by its own choice, and reports their addresses.
import { requireFree } from '../process/ports.mjs';
import { chooseServers, dockerAnswers, explainChoice } from './choose.mjs';
import { composeUp, passwords } from './compose.mjs';
import { removeAbandonedData } from './data-folder.mjs';
import { requireNamedServers } from './named-servers.mjs';
import { startPostgres } from './postgres.mjs';
import { startRedis } from './redis.mjs';
import { prepareNamespace, startTemporal } from './temporal.mjs';

const portUsers = {
  database: [{ key: 'postgres', what: 'PostgreSQL', variable: 'POSTGRES_PORT' }],
  redis: [{ key: 'redis', what: 'Redis', variable: 'REDIS_PORT' }],
  temporal: [
    { key: 'temporal', what: 'Temporal', variable: 'TEMPORAL_PORT' },
    { key: 'ui', what: "Temporal's UI", variable: 'TEMPORAL_UI_PORT' },
  ],
};

export async function decide(ctx) {
  const choice = chooseServers(process.env, await dockerAnswers());
  for (const [name, how] of Object.entries(choice)) ctx.progress.note(explainChoice(name, how));
  return choice;
}

export async function bringUp(ctx, choice) {
  await Promise.all([requireServerPorts(ctx.ports, choice), requireNamedServers(process.env, choice)]);
  removeAbandonedData();
  const composed = Object.keys(choice).filter((name) => choice[name] === 'docker');
  const docker = composed.length > 0 ? composeUp(ctx, composed) : null;
  const [databaseUrl, redisUrl, temporal] = await Promise.all([
    place(choice.database, process.env.DATABASE_URL, docker, dockerDatabase(ctx), () => startPostgres(ctx)),
    place(choice.redis, process.env.REDIS_URL, docker, dockerRedis(ctx), () => startRedis(ctx)),
    bringUpTemporal(ctx, choice.temporal, docker),
  ]);
  return { databaseUrl, redisUrl, ...temporal };
}

// Our own compose project, if it still runs, occupies its ports itself, so Docker reports conflicts.
export async function requireServerPorts(ports, choice) {
  const local = Object.keys(portUsers).filter((name) => choice[name] === 'local');
  for (const user of local.flatMap((name) => portUsers[name])) await requireFree({ ...user, port: ports[user.key] });
}

async function place(how, named, docker, inDocker, start) {
  if (how === 'environment') return named;
  if (how === 'local') return start();
  await docker;
  return inDocker;
}

async function bringUpTemporal(ctx, how, docker) {
  const named = { address: process.env.TEMPORAL_ADDRESS, ui: process.env.TEMPORAL_UI_URL ?? null };
  const inDocker = { address: `127.0.0.1:${ctx.ports.temporal}`, ui: `http://127.0.0.1:${ctx.ports.ui}` };
  const namespace = process.env.TEMPORAL_NAMESPACE || 'default';
  const { address, ui, cli } = await place(how, named, docker, inDocker, () => startTemporal(ctx));
  await prepareNamespace(ctx, { address, namespace, own: how !== 'environment' });
  return { temporalAddress: address, temporalUiUrl: ui, temporalNamespace: namespace, temporalCli: cli ?? null };
}

const dockerDatabase = ({ ports, database }) =>
  `postgres://postgres:${encodeURIComponent(passwords().POSTGRES_PASSWORD)}@127.0.0.1:${ports.postgres}/${database}`;
const dockerRedis = ({ ports }) =>
  `redis://:${encodeURIComponent(passwords().REDIS_PASSWORD)}@127.0.0.1:${ports.redis}`;
