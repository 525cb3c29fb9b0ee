// PostgreSQL and Redis whose time of day is stepped by libfaketime: both judge by their own clock (months of the
// ledger, leases, days of events; keys that expire), so a year in which only the service's clocks move would prove
// nothing of it. The machine's clock is never set.
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../command/problem.mjs';
import { unpackPackage } from '../install/debian-package.mjs';
import { launch } from '../process/launch.mjs';
import { waitUntil } from '../process/wait-until.mjs';
import { asOptions, createCluster, createDatabase, isReady, password, settings } from '../servers/postgres.mjs';
import { postgresPrograms } from '../servers/programs.mjs';
import { startRedis } from '../servers/redis.mjs';

/** A simulated day takes seconds: vacuum has to run as often as it does in a day. */
const OFTEN = { autovacuum_naptime: '10', autovacuum_vacuum_cost_delay: '0' };
const CARELESS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Resolves to the addresses, and the file that contains the offset of both clocks. */
export async function startSteppedServers(ctx) {
  const package_ = await unpackPackage(ctx, 'libfaketime', 'Unpacking libfaketime');
  if (package_ === null) throw new Problem('There is no package libfaketime here: nothing was run.', 3);
  const postgres = await postgresPrograms(ctx);
  const clock = placeClock(package_, postgres);
  const databaseUrl = await startPostgres(ctx, postgres, clock);
  return { databaseUrl, redisUrl: await startRedis(ctx), clockFile: clock.file };
}

/** In the data folder, because the servers may run in a root of their own. */
function placeClock(package_, { data, inside, give }) {
  const libraries = join(package_, 'usr/lib');
  const [library] = readdirSync(libraries, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('/libfaketimeMT.so.1'),
  );
  copyFileSync(join(libraries, library), join(data, 'libfaketime.so'));
  const file = join(data, 'clock');
  writeFileSync(file, '+0\n');
  give(file);
  const env = {
    ...process.env,
    LD_PRELOAD: join(inside, 'libfaketime.so'),
    FAKETIME_TIMESTAMP_FILE: join(inside, 'clock'),
    // The offset is read whenever the clock is read.
    FAKETIME_NO_CACHE: '1',
    // Timers are unchanged: only a server's time of day changes.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DISABLE_SHM: '1',
    NO_FAKE_STAT: '1',
  };
  return { file, env };
}

async function startPostgres(ctx, programs, { env }) {
  await ctx.progress.step('PostgreSQL is up, on a clock of its own', async () => {
    await createCluster(ctx, programs);
    const all = { ...settings, ...CARELESS, ...OFTEN, port: String(ctx.ports.postgres) };
    const [command, args] = programs.command('postgres', ['-D', join(programs.inside, 'postgres'), ...asOptions(all)]);
    const running = launch(ctx, { name: 'postgres', command, args, env, stopSignal: 'SIGINT' });
    await waitUntil(() => isReady(ctx, programs), { process: running, signal: ctx.signal });
    await createDatabase(ctx, programs);
  });
  return `postgres://postgres:${password(programs)}@127.0.0.1:${ctx.ports.postgres}/${ctx.database}`;
}
