// A replay of a whole day at the speed of its reader, against COPY (…) TO STDOUT of the same rows in the same run; its
// memory; and live calls beside it. Makes a database of its own, and drops it however it ends.
//   DATABASE_URL=… node --import tsx bench/replay.ts [--races 320] [--rounds 5] [--only day,live]
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { createPool } from '../src/store/pg/pool';
import { startArchiver } from './support/archive/archiver';
import { type BenchDatabase, benchDatabases, requireSpace } from './support/archive/databases';
import { afterDay, generateDay, TICKS_A_RACE } from './support/archive/generated-days';
import { measureDayOfReplay, measureLiveBeside } from './support/archive/replayed';

const { values } = parseArgs({
  options: {
    races: { type: 'string', default: '320' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: 'day,live' },
  },
});
const races = Number(values.races);
const rounds = Number(values.rounds);
const parts = new Set(values.only.split(','));

async function bench(database: BenchDatabase): Promise<void> {
  console.log(`load ${loadavg()[0]!.toFixed(1)}, a day of ${races} races`);
  await generateDay(database.pool, { day: 0, races });
  await database.pool.query('ANALYZE');
  const archiver = startArchiver(database.url);
  try {
    await archiver.pass(afterDay(0));
  } finally {
    archiver.stop();
  }
  await database.pool.query('VACUUM ANALYZE');
  if (parts.has('day')) await measureDayOfReplay(database, rounds);
  if (parts.has('live')) await measureLiveBeside(database, rounds);
}

async function main(): Promise<void> {
  const server = process.env.DATABASE_URL;
  if (!server) throw new Error('DATABASE_URL names the server to measure on');
  const admin = createPool(server, 1);
  const databases = benchDatabases(server, admin);
  const stopped = new Promise<never>((_, fail) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => fail(new Error(signal)));
    process.on('uncaughtException', fail);
  });
  try {
    await requireSpace(admin, races * TICKS_A_RACE);
    await Promise.race([databases.create().then(bench), stopped]);
  } finally {
    await databases.drop();
    await admin.end();
  }
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
