// A replay of a whole day at the speed of its reader, against COPY (…) TO STDOUT of the same rows in the same run; its
// memory; and live calls beside it. Makes a database of its own, and drops it however it ends.
//   DATABASE_URL=… node --import tsx bench/replay.ts [--races 320] [--rounds 5] [--only day,memory,live]
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { startArchiver } from './support/archive/archiver';
import type { BenchDatabase } from './support/archive/databases';
import { afterDay, generateDay, TICKS_A_RACE } from './support/archive/generated-days';
import { measureReplayMemory } from './support/archive/replay-memory';
import { measureDayOfReplay, measureLiveBeside } from './support/archive/replayed';
import { runOnDatabases } from './support/archive/run';

const { values } = parseArgs({
  options: {
    races: { type: 'string', default: '320' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: 'day,memory,live' },
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
  if (parts.has('memory')) await measureReplayMemory(database, races, rounds);
  if (parts.has('live')) await measureLiveBeside(database, rounds);
}

runOnDatabases(races * TICKS_A_RACE, (databases) => databases.create().then(bench));
