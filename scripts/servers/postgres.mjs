// Our own PostgreSQL, with TimescaleDB loaded: created once, then started on its data each time. Its data directory
// appears complete or not at all. `durable: false` (tests) trades safety in a power cut for speed.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeTree } from '../install/remove-tree.mjs';
import { launch } from '../process/launch.mjs';
import { outputOf, run } from '../process/run.mjs';
import { repliesTcp, waitUntil } from '../process/wait-until.mjs';
import { postgresPrograms } from './programs.mjs';

export const settings = {
  shared_preload_libraries: 'timescaledb',
  'timescaledb.telemetry_level': 'off',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '400',
  max_worker_processes: '32',
  log_min_messages: 'warning',
};
/**
 * Passwords of a throwaway are random, so that one round is as safe as thousands of rounds, which every connection
 * would have to compute.
 */
const quick = { scram_iterations: '1' };
const careless = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', ...quick };

/** The first message of a client that wants TLS; the server replies with one letter before it knows the client. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

export async function startPostgres(ctx) {
  const programs = await postgresPrograms(ctx);
  const bringUp = async () => {
    await createCluster(ctx, programs);
    const start = () => launch(ctx, { name: 'postgres', ...invocation(ctx, programs), stopSignal: 'SIGINT' });
    const running = start();
    await waitUntil(() => isReady(ctx, programs), { process: running, signal: ctx.signal });
    await createDatabase(ctx, programs);
    ctx.watched?.push({ running, start, answers: () => repliesTcp(ctx.ports.postgres, sslRequest) });
  };
  await ctx.progress.step('PostgreSQL is up', bringUp);
  return `postgres://postgres:${password(programs)}@127.0.0.1:${ctx.ports.postgres}/${ctx.database}`;
}

function invocation({ ports, durable }, programs) {
  const all = { ...settings, ...(durable ? {} : careless), port: String(ports.postgres) };
  const options = asOptions(all);
  const [command, args] = programs.command('postgres', ['-D', join(programs.inside, 'postgres'), ...options]);
  return { command, args };
}

export const asOptions = (all) => Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

export async function createCluster({ logs, signal, durable }, programs) {
  const place = join(programs.data, 'postgres');
  if (existsSync(place)) return;
  prepareEmpty(`${place}.new`, programs);
  const options = ['-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8', '-U', 'postgres'];
  if (!durable) options.push(...asOptions(quick));
  const files = ['-D', join(programs.inside, 'postgres.new'), `--pwfile=${join(programs.inside, 'pwfile')}`];
  const [command, args] = programs.command('initdb', [...files, ...options]);
  await run(command, args, { signal, log: join(logs, 'initdb.log'), what: 'initdb' });
  if (!durable) await spreadDatabases(`${place}.new`);
  rmSync(join(programs.data, 'pwfile'));
  renameSync(`${place}.new`, place);
}

/**
 * Tests create and drop hundreds of databases with hundreds of files each. If all of them are in one place of an ext4
 * disk, it checks every recently freed inode before it takes one: half a second of CPU per database instead of three
 * hundredths. Other disks ignore this.
 */
const spreadDatabases = (cluster) => outputOf('chattr', ['+T', join(cluster, 'base')]);

function prepareEmpty(folder, programs) {
  removeTree(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  programs.give(folder);
  const handed = join(programs.data, 'pwfile');
  writeFileSync(handed, randomBytes(12).toString('hex'), { mode: 0o600 });
  writeFileSync(join(programs.data, 'password'), readFileSync(handed), { mode: 0o600 });
  programs.give(handed);
}

// Beside its data, so that a checkout whose .local was removed by hand can still open its database.
export const password = (programs) => readFileSync(join(programs.data, 'password'), 'utf8');

export async function isReady({ ports }, programs) {
  return (
    (await outputOf(...programs.command('pg_isready', ['-h', '127.0.0.1', '-p', String(ports.postgres)]))) !== null
  );
}

export async function createDatabase({ ports, database, logs, signal }, programs) {
  if (database === 'postgres') return;
  const env = { ...process.env, PGPASSWORD: password(programs), PGUSER: 'postgres' };
  const address = ['-h', '127.0.0.1', '-p', String(ports.postgres)];
  const query = `SELECT 1 FROM pg_database WHERE datname = '${database}'`;
  const found = await outputOf(...programs.command('psql', [...address, '-d', 'postgres', '-Atc', query]), { env });
  if (found === '1') return;
  const [command, args] = programs.command('createdb', [...address, database]);
  await run(command, args, { env, signal, log: join(logs, 'createdb.log'), what: 'createdb' });
}
