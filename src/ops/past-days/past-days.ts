// Three past days of a simulated service: some races of each are polled, resulted and archived by the ordinary code, as of the instants at which
// that happens in a live one. Only the simulator can answer for the past, so nothing is read from any other source.
import { archiveRace } from '../../activities/archive/archive-race';
import { createResultsCollector } from '../../activities/full-field/collector';
import type { Day } from '../../domain/race/race';
import { addDays, aetDay, aetDayBounds } from '../../domain/time/aet';
import { readArchiveDays } from '../../store/reads/archive/coverage';
import { collectDeps, pastRegistries, type Wiring } from '../../wiring';
import { Mistake } from '../command';
import { withTemporal } from '../temporal';
import type { PastRace } from './past-race';
import { seedDay } from './seeded-day';

const MOST_DAYS = '3';

/**
 * Returns one line for the operator; `note: …` if a day is not in the archive all the same. Rejects if a list could not be read, once the other
 * days are done. Leaves alone days that are archived, and races that the service has followed.
 */
export async function pastDays(wiring: Wiring, count = MOST_DAYS): Promise<string> {
  if (!/^[1-3]$/.test(count)) throw new Mistake(`--days is '${count}': give 1, 2 or 3.`);
  const today = aetDay(wiring.now());
  const wanted = Array.from({ length: Number(count) }, (_, i) => ({ back: i + 1, day: addDays(today, -i - 1) }));
  const allDays = wanted.map(({ day }) => day);
  const before = await archivedDays(wiring, allDays);
  const days = wanted.filter(({ day }) => !before.has(day));
  const seeding = days.map(async ({ day, back }) => ({ day, races: await seedDay(wiring, day, back) }));
  const ends = await Promise.allSettled(seeding);
  const seeded = ends.flatMap((end) => (end.status === 'fulfilled' && end.value.races.length > 0 ? [end.value] : []));
  await archive(wiring, seeded);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  const after = await archivedDays(wiring, allDays);
  const missing = allDays.filter((day) => !after.has(day));
  if (missing.length > 0) return `note: not all races of ${missing.join(', ')} are in the archive`;
  return seeded.length === 0 ? 'the past days have their races' : report(seeded);
}

interface SeededDay {
  readonly day: Day;
  readonly races: readonly PastRace[];
}

async function archive(wiring: Wiring, seeded: readonly SeededDay[]): Promise<void> {
  if (seeded.length === 0) return;
  await fillFields(
    wiring,
    seeded.map(({ day }) => day),
  );
  await Promise.all(seeded.flatMap(({ races }) => races).map((race) => end(wiring, race)));
}

function report(seeded: readonly SeededDay[]): string {
  const races = seeded.flatMap((one) => one.races);
  const sum = (of: (race: PastRace) => number): number => races.reduce((all, race) => all + of(race), 0);
  return `${races.length} races of ${seeded.length} days archived, ${sum(({ polls }) => polls)} polls, ${sum(({ ticks }) => ticks)} ticks`;
}

/** The days whose races are all archived. A simulator that has just started takes long to list a day. */
async function archivedDays({ pool }: Wiring, days: readonly Day[]): Promise<ReadonlySet<Day>> {
  const bounds = days.map((day) => {
    const { startMs, endMs } = aetDayBounds(day);
    return { day, since: new Date(startMs).toISOString(), until: new Date(endMs).toISOString() };
  });
  const found = await readArchiveDays(pool, bounds);
  return new Set(found.filter(({ run, archived }) => run > 0 && archived === run).map(({ day }) => day));
}

/** What the registries have published of these days since. */
const fillFields = (wiring: Wiring, days: readonly Day[]): Promise<void> =>
  withTemporal(wiring, async (client) => {
    const { resultsRegistries } = pastRegistries(wiring, wiring.now());
    const collector = createResultsCollector({ ...collectDeps(wiring, client), resultsRegistries });
    for (const day of days) await collector.day(day);
  });

async function end(wiring: Wiring, race: PastRace): Promise<void> {
  const { stores, now, log } = wiring;
  const published = await stores.published.race(race.raceId);
  await race.close(published?.fieldStatus === 'complete', now());
  await archiveRace({ stores, now, log }, race.raceId);
}
