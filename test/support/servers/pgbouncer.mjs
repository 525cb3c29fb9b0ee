// PgBouncer before a test's own PostgreSQL, with the settings of deploy/pgbouncer and the logins that the server has at
// its first start.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureSuitePackage, handPackage, PGBOUNCER } from '../../../scripts/install/suite-package.mjs';
import { launch } from '../../../scripts/process/launch.mjs';
import { outputOf } from '../../../scripts/process/run.mjs';
import { repliesTcp, waitUntil } from '../../../scripts/process/wait-until.mjs';
import { password } from '../../../scripts/servers/postgres.mjs';
import { postgresPrograms } from '../../../scripts/servers/programs.mjs';

const FOLDER = 'pgbouncer.d';
const SETTINGS = 'pgbouncer.ini';
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
/** As docs/operations/servers.md has it. */
const LOGINS = `SELECT format('"%s" "%s"', rolname, rolpassword) FROM pg_authid WHERE rolpassword IS NOT NULL`;

export async function startPgbouncer(ctx) {
  const programs = await postgresPrograms(ctx);
  if (programs.inside === programs.data) throw new Error('PgBouncer needs the Debian root: run the tests as root');
  const folder = join(programs.data, FOLDER);
  if (!existsSync(folder)) {
    handPackage(await ensureSuitePackage(ctx, PGBOUNCER), PGBOUNCER, programs);
    await configure(ctx, programs, folder);
  }
  const [, [user, root]] = programs.command('true', []);
  const args = [user, root, join(programs.inside, 'bin/pgbouncer'), join(programs.inside, FOLDER, SETTINGS)];
  const running = launch(ctx, { name: 'pgbouncer', command: 'chroot', args });
  await waitUntil(() => repliesTcp(ctx.ports.pgbouncer, SSL_REQUEST), { process: running, signal: ctx.signal });
  // Its console, as docs/operations/pooler.md opens it.
  const words = ['-h', join(programs.inside, FOLDER), '-p', String(ctx.ports.pgbouncer), '-U', 'pgbouncer'];
  await outputOf(...programs.command('psql', [...words, '-d', 'pgbouncer', '-Atc', 'SHOW POOLS']), {
    env: process.env,
  });
}

/** The file in deploy/, to this server, with the addresses of the test at its end: the last line of a name counts. */
async function configure(ctx, programs, folder) {
  mkdirSync(folder, { mode: 0o700 });
  const deployed = readFileSync(join(ctx.root, 'deploy/pgbouncer/pgbouncer.ini'), 'utf8');
  const own = [
    'listen_addr = 127.0.0.1',
    `listen_port = ${ctx.ports.pgbouncer}`,
    `unix_socket_dir = ${join(programs.inside, FOLDER)}`,
    `auth_file = ${join(programs.inside, FOLDER, 'userlist.txt')}`,
  ];
  const database = `* = host=127.0.0.1 port=${ctx.ports.postgres}`;
  const files = {
    [SETTINGS]: `${deployed.replace(/^racing = .*$/m, database)}${own.join('\n')}\n`,
    'userlist.txt': `${await loginsOf(ctx, programs)}\n`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  for (const name of ['', ...Object.keys(files)]) programs.give(join(folder, name));
}

function loginsOf({ ports }, programs) {
  const env = { ...process.env, PGPASSWORD: password(programs), PGUSER: 'postgres' };
  const words = ['-h', '127.0.0.1', '-p', String(ports.postgres), '-d', 'postgres', '-Atc', LOGINS];
  return outputOf(...programs.command('psql', words), { env });
}
