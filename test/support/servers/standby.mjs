// A standby of a test's own PostgreSQL: copied from it once, then started on its data.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from '../../../scripts/process/launch.mjs';
import { run } from '../../../scripts/process/run.mjs';
import { waitUntil } from '../../../scripts/process/wait-until.mjs';
import { asOptions, isReady, password, settings } from '../../../scripts/servers/postgres.mjs';
import { postgresPrograms } from '../../../scripts/servers/programs.mjs';

export async function startStandby(ctx) {
  const programs = await postgresPrograms(ctx);
  await copyPrimary(ctx, programs);
  const options = asOptions({ ...settings, port: String(ctx.ports.standby) });
  const [command, args] = programs.command('postgres', ['-D', join(programs.inside, 'standby'), ...options]);
  const running = launch(ctx, { name: 'standby', command, args, stopSignal: 'SIGINT' });
  const own = { ...ctx, ports: { postgres: ctx.ports.standby } };
  await waitUntil(() => isReady(own, programs), { process: running, signal: ctx.signal });
}

async function copyPrimary({ ports, logs, signal }, programs) {
  const folder = join(programs.data, 'standby');
  if (existsSync(folder)) return;
  mkdirSync(folder, { mode: 0o700 });
  programs.give(folder);
  const address = ['-h', '127.0.0.1', '-p', String(ports.postgres), '-U', 'postgres'];
  const options = ['-D', join(programs.inside, 'standby'), '--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
  const [command, args] = programs.command('pg_basebackup', [...address, ...options]);
  const env = { ...process.env, PGPASSWORD: password(programs) };
  await run(command, args, { env, signal, log: join(logs, 'standby-copy.log'), what: 'pg_basebackup' });
}
