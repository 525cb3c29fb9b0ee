// How to call the programs of PostgreSQL and Redis, and where their data is stored: from this machine if it has them,
// otherwise from the Debian root, through chroot and as the root's user for them (neither server runs as root).
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { debianRoot, ensureDebianRoot } from '../install/debian-root.mjs';
import { onPath } from '../process/on-path.mjs';
import { outputOf } from '../process/run.mjs';
import { servers } from './choose.mjs';
import { checkoutData, claimDataInRoot } from './data-folder.mjs';

export async function postgresPrograms(ctx) {
  const folder = await ensurePostgres(ctx);
  if (folder) return fromMachine(ctx.instance, folder);
  return fromRoot(ctx.instance, '/usr/lib/postgresql/17/bin', 'postgres');
}

export async function redisPrograms(ctx) {
  const folder = await ensureRedis(ctx);
  if (folder) return fromMachine(ctx.instance, folder);
  return fromRoot(ctx.instance, '/usr/bin', 'redis');
}

/** The folder of this machine's own programs; null if they are in the Debian root, which is then installed. */
export async function ensurePostgres(ctx) {
  const folder = await ownPostgresFolder();
  if (!folder) await ensureDebianRoot({ ...ctx, needed: servers.database });
  return folder;
}

/** Like `ensurePostgres`. */
export async function ensureRedis(ctx) {
  const program = onPath('redis-server');
  if (!program) await ensureDebianRoot({ ...ctx, needed: servers.redis });
  return program ? join(program, '..') : null;
}

// PostgreSQL refuses to run as root, so root always uses the Debian root.
async function ownPostgresFolder() {
  if (process.getuid?.() === 0) return null;
  for (const program of pgConfigs()) {
    const [folder, share] = ((await outputOf(program, ['--bindir', '--sharedir'])) ?? '').split('\n');
    if (folder && existsSync(join(folder, 'postgres')) && hasTimescale(share)) return folder;
  }
  return null;
}

function pgConfigs() {
  const packaged = '/usr/lib/postgresql';
  const versions = existsSync(packaged) ? readdirSync(packaged).reverse() : [];
  return [onPath('pg_config'), ...versions.map((version) => join(packaged, version, 'bin/pg_config'))].filter(Boolean);
}

const hasTimescale = (share) => existsSync(join(share, 'extension/timescaledb.control'));

function fromMachine(instance, folder) {
  const data = checkoutData(instance);
  return { data, inside: data, command: (program, args) => [join(folder, program), args], give: () => {} };
}

function fromRoot(instance, folder, user) {
  const root = debianRoot();
  const data = claimDataInRoot(instance);
  return {
    data,
    inside: data.slice(root.length),
    command: (program, args) => ['chroot', [`--userspec=${user}:${user}`, root, join(folder, program), ...args]],
    give: (path) => chownSync(path, ...idsOf(root, user)),
  };
}

/** @returns {[uid: number, gid: number]} */
function idsOf(root, user) {
  const lines = readFileSync(join(root, 'etc/passwd'), 'utf8').split('\n');
  const [, , uid, gid] = lines.find((line) => line.startsWith(`${user}:`))?.split(':') ?? [];
  return [Number(uid), Number(gid)];
}
