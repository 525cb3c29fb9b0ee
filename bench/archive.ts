// The permanent archive at size: generates races × books × ticks by SQL, archives them through the real writer, drops
// the ticks of verified days, and prints each measurement beside its reference in the same run. Makes databases of its
// own, and drops them however it ends.
//   DATABASE_URL=… node --import tsx bench/archive.ts [--ticks 5000000] [--rounds 5] [--only
//   day,history,page,coverage,files,bulk,readers] [--explain]
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { createRetentionStore } from '../src/store/archive/retention/retention';
import { startArchiver } from './support/archive/archiver';
import { measureBulk } from './support/archive/bulk';
import { measureCoverage, measureHistory, measurePage } from './support/archive/calls';
import type { BenchDatabase, Databases } from './support/archive/databases';
import { explainPage } from './support/archive/explain';
import { measureFiles } from './support/archive/files';
import { afterDay, dayOf, generateDay, TICKS_A_RACE } from './support/archive/generated-days';
import { measureDay } from './support/archive/one-day';
import { measureReaders } from './support/archive/readers';
import { line, timed } from './support/archive/report';
import { runOnDatabases } from './support/archive/run';

const PARTS = ['day', 'history', 'page', 'coverage', 'files', 'bulk', 'readers'] as const;
type Part = (typeof PARTS)[number];

const { values } = parseArgs({
  options: {
    ticks: { type: 'string', default: '5000000' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: PARTS.join() },
    explain: { type: 'boolean', default: false },
  },
});
const ticks = Number(values.ticks);
const rounds = Number(values.rounds);
const parts = new Set(values.only.split(',') as Part[]);

/** The small archive is three days, the large one at least fourteen. */
const DAY_TICKS = 350_000;
const SMALL_DAYS = 3;
const races = Math.max(1, Math.round(Math.min(DAY_TICKS, ticks / 14) / TICKS_A_RACE));
const days = Math.max(SMALL_DAYS + 2, Math.ceil(ticks / (races * TICKS_A_RACE)));

async function bench(databases: Databases): Promise<void> {
  console.log(`load ${loadavg()[0]!.toFixed(1)}, ${days} days of ${races} races`);
  const small = await databases.create();
  await generateDay(small.pool, { day: 0, races });
  await small.pool.query('ANALYZE');
  if (parts.has('day')) await measureDay(small, races * TICKS_A_RACE, rounds);
  if (parts.size === 1 && parts.has('day')) return;
  await grow(small, 0, SMALL_DAYS);
  const large = await databases.copy(small);
  await grow(large, SMALL_DAYS, days);
  const sizes = { small, large, rounds };
  if (parts.has('history')) await measureHistory(sizes);
  if (parts.has('page')) await measurePage(sizes);
  if (values.explain) await explainPage(large, 500);
  if (parts.has('coverage')) await measureCoverage(sizes);
  if (parts.has('files')) await measureFiles(sizes);
  if (parts.has('bulk')) await measureBulk(sizes);
  if (parts.has('readers')) await measureReaders(sizes);
}

/**
 * Archives these days one after the other. The ticks of the second day and of the newest stand; all others go,
 * verified.
 */
async function grow({ pool, url }: BenchDatabase, from: number, until: number): Promise<void> {
  const archiver = startArchiver(url);
  const retention = createRetentionStore(pool);
  const spent = { generated: 0, archived: 0, dropped: 0 };
  try {
    for (let day = from; day < until; day++) {
      if (day > 0) spent.generated += await timed(() => generateDay(pool, { day, races }));
      spent.archived += await archiver.pass(afterDay(day));
      const past = day === from ? from - 1 : day - 1;
      if (past < 0 || past === 1) continue;
      spent.dropped += await timed(async () => {
        const dropped = await retention.drop(dayOf(past), afterDay(day));
        if (dropped !== 'dropped') throw new Error(`the ticks of ${dayOf(past)} are ${dropped}`);
      });
    }
  } finally {
    archiver.stop();
  }
  await pool.query('VACUUM ANALYZE');
  const seconds = Object.entries(spent).map(([what, ms]) => `${what} ${(ms / 1000).toFixed(0)} s`);
  line(`${until} days, of ${(until - from) * races * TICKS_A_RACE} ticks new ones`, seconds.join(', '));
}

runOnDatabases(ticks, bench);
