// PgBouncer before a test's own PostgreSQL, with the settings of deploy/pgbouncer and the logins that the server has at
// its first start.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureSuitePackage, handPackage, PGBOUNCER } from '../../../scripts/install/suite-package.mjs';
import { launch } from '../../../scripts/process/launch.mjs';
import { outputOf } from '../../../scripts/process/run.mjs';
import { repliesTcp, waitUntil } from '../../../scripts/process/wait-until.mjs';
import { password } from '../../../scripts/servers/postgres.mjs';
import { postgresPrograms } from '../../../scripts/servers/programs.mjs';

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
/** As docs/operations/servers.md has it. */
const LOGINS = `SELECT format('"%s" "%s"', rolname, rolpassword) FROM pg_authid WHERE rolpassword IS NOT NULL`;

export async function startPgbouncer(ctx) {
  const programs = await postgresPrograms(ctx);
  if (programs.inside === programs.data) throw new Error('PgBouncer needs the Debian root: run the tests as root');
  const program = handPackage(await ensureSuitePackage(ctx, PGBOUNCER), PGBOUNCER, programs);
  const folder = join(programs.data, 'pgbouncer.d');
  if (!existsSync(folder)) await configure(ctx, programs, folder);
  const [, [user, root]] = programs.command('true', []);
  const args = [user, root, program, join(programs.inside, 'pgbouncer.d/own.ini')];
  const running = launch(ctx, { name: 'pgbouncer', command: 'chroot', args });
  await waitUntil(() => repliesTcp(ctx.ports.pgbouncer, SSL_REQUEST), { process: running, signal: ctx.signal });
}

async function configure(ctx, programs, folder) {
  mkdirSync(folder, { mode: 0o700 });
  const files = { deployed: 'pgbouncer.ini', own: 'own.ini', logins: 'userlist.txt' };
  copyFileSync(join(ctx.root, 'deploy/pgbouncer/pgbouncer.ini'), join(folder, files.deployed));
  const inside = join(programs.inside, 'pgbouncer.d');
  const lines = [
    `%include ${join(inside, files.deployed)}`,
    '[databases]',
    `* = host=127.0.0.1 port=${ctx.ports.postgres}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${ctx.ports.pgbouncer}`,
    `auth_file = ${join(inside, files.logins)}`,
    '',
  ];
  writeFileSync(join(folder, files.own), lines.join('\n'));
  const env = { ...process.env, PGPASSWORD: password(programs), PGUSER: 'postgres' };
  const address = ['-h', '127.0.0.1', '-p', String(ctx.ports.postgres), '-d', 'postgres', '-Atc', LOGINS];
  const logins = await outputOf(...programs.command('psql', address), { env });
  writeFileSync(join(folder, files.logins), `${logins}\n`, { mode: 0o600 });
  for (const file of ['', ...Object.values(files)]) programs.give(join(folder, file));
}
