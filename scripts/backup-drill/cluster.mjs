// The PostgreSQL of the drill, with the settings of a durable server and those of deploy/pgbackrest, and pgBackRest
// beside it. Everything is in its own data folder.
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../command/problem.mjs';
import { removeTree } from '../install/remove-tree.mjs';
import { ensureSuitePackage, handPackage, PGBACKREST } from '../install/suite-package.mjs';
import { launch } from '../process/launch.mjs';
import { run } from '../process/run.mjs';
import { stopProcess } from '../process/stop.mjs';
import { waitUntil } from '../process/wait-until.mjs';
import { asOptions, createCluster, createDatabase, isReady, password, settings } from '../servers/postgres.mjs';
import { postgresPrograms } from '../servers/programs.mjs';
import { settingsIn, wordsOf } from './commands.mjs';
import { endAll } from './left-behind.mjs';
import { startRepository } from './repository.mjs';

export async function openCluster(ctx, onEnd) {
  const programs = await postgresPrograms(ctx);
  if (programs.inside === programs.data)
    throw new Problem('The drill needs the PostgreSQL of the Debian root: run it as root.');
  handPackage(await ensureSuitePackage(ctx, PGBACKREST), PGBACKREST, programs);
  const deployed = join(ctx.root, 'deploy/pgbackrest');
  const [, bucket] = /^repo1-s3-bucket=(.+)$/m.exec(readFileSync(join(deployed, 'pgbackrest.conf'), 'utf8')) ?? [];
  const program = join(programs.inside, 'pgbackrest/usr/bin/pgbackrest');
  // Ends what a killed drill left behind, whose server is gone.
  await endAll(program);
  const repository = await startRepository(ctx, programs, { bucket });
  onEnd(repository.stop);
  const environment = configure(ctx, programs, repository, deployed);
  const archive = settingsIn(readFileSync(join(deployed, 'postgresql.conf'), 'utf8'));
  await createCluster(ctx, programs);
  trustOwnUser(programs);
  const cluster = { ctx, programs, repository, environment, archive, running: null };
  // Runs before the repository stops: the server archives what it has, and does not wait for a repository that is gone.
  onEnd(async () => {
    if (cluster.running) await stopProcess(cluster.running);
    await endAll(program);
  });
  return cluster;
}

/**
 * The file in deploy/, unchanged. Paths and the test server, which differ on this machine, are in the environment;
 * secrets are in their own file.
 */
function configure({ ports }, { data, inside, give }, { settings: ofRepository, secrets }, deployed) {
  const folders = ['conf.d', 'socket', 'lock', 'log'].map((name) => join(data, name));
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  for (const folder of folders) give(folder);
  copyFileSync(join(deployed, 'pgbackrest.conf'), join(data, 'pgbackrest.conf'));
  const all = { ...secrets, 'repo1-cipher-pass': randomBytes(36).toString('base64') };
  const file = join(data, 'conf.d/secrets.conf');
  writeFileSync(
    file,
    `[global]\n${Object.entries(all)
      .map((pair) => pair.join('='))
      .join('\n')}\n`,
    { mode: 0o600 },
  );
  give(file);
  const places = {
    cmd: join(inside, 'bin/pgbackrest'),
    config: join(inside, 'pgbackrest.conf'),
    'config-include-path': join(inside, 'conf.d'),
    'pg1-path': join(inside, 'postgres'),
    'pg1-socket-path': join(inside, 'socket'),
    'pg1-port': String(ports.postgres),
    'lock-path': join(inside, 'lock'),
    'log-path': join(inside, 'log'),
    ...ofRepository,
  };
  const variables = Object.entries(places).map(([name, value]) => [
    `PGBACKREST_${name.toUpperCase().replaceAll('-', '_')}`,
    value,
  ]);
  return { PATH: `${join(inside, 'bin')}:${process.env.PATH}`, LANG: 'C.UTF-8', ...Object.fromEntries(variables) };
}

/** pgBackRest connects through the socket as the system's user, as in Debian's own clusters. */
function trustOwnUser({ data }) {
  const file = join(data, 'postgres/pg_hba.conf');
  writeFileSync(file, `local all postgres peer\n${readFileSync(file, 'utf8')}`);
}

export const urlOf = ({ ctx, programs }) =>
  `postgres://postgres:${password(programs)}@127.0.0.1:${ctx.ports.postgres}/${ctx.database}`;

export async function start(cluster) {
  const { ctx, programs, environment, archive } = cluster;
  const all = {
    ...settings,
    ...archive,
    port: String(ctx.ports.postgres),
    unix_socket_directories: join(programs.inside, 'socket'),
  };
  const [command, args] = programs.command('postgres', ['-D', join(programs.inside, 'postgres'), ...asOptions(all)]);
  cluster.running = launch(ctx, { name: 'postgres', command, args, env: environment, stopSignal: 'SIGINT' });
  await waitUntil(() => isReady(ctx, programs), { process: cluster.running, signal: ctx.signal });
  await createDatabase(ctx, programs);
}

/** As when a machine is lost: there is no shutdown, and no data remains. */
export async function lose({ running, programs }) {
  process.kill(running.pid, 'SIGQUIT');
  await running.ended;
  await stopProcess(running);
  const data = join(programs.data, 'postgres');
  removeTree(data);
  mkdirSync(data, { mode: 0o700 });
  programs.give(data);
}

/** Runs a command of the page. Returns what it prints. */
export async function pgbackrest({ ctx, programs, environment }, name, target = null) {
  const [, [user, root]] = programs.command('true', []);
  const log = join(ctx.logs, `pgbackrest-${name}.log`);
  const command = [user, root, join(programs.inside, 'bin/pgbackrest'), ...wordsOf(name, target)];
  await run('chroot', command, { signal: ctx.signal, log, env: environment, what: `pgbackrest ${name}` });
  return readFileSync(log, 'utf8');
}
